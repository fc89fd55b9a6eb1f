"""Rewards for trainers' own loops: who verifies a submission, and reward functions as TRL and slime call them."""

from reproducegym.adapters.trainers.completions import FORMAT, files_of
from reproducegym.adapters.trainers.packing import PIECE_BYTES, pack_script, pieces_named, unpacked
from reproducegym.adapters.trainers.reward_functions import slime_reward, trl_reward
from reproducegym.adapters.trainers.verifying import (
    CommandVerifier,
    Scored,
    ServiceVerifier,
    UnscoredError,
    UnusableVerifierError,
    Verifier,
    verifier_named,
)

__all__ = [
    "FORMAT",
    "PIECE_BYTES",
    "CommandVerifier",
    "Scored",
    "ServiceVerifier",
    "UnscoredError",
    "UnusableVerifierError",
    "Verifier",
    "files_of",
    "pack_script",
    "pieces_named",
    "slime_reward",
    "trl_reward",
    "unpacked",
    "verifier_named",
]
