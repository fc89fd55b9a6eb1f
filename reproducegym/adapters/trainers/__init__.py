"""Rewards for trainers' own loops: who verifies a submission, and reward functions as TRL and slime call them."""

from reproducegym.adapters.trainers.completions import FORMAT, files_of
from reproducegym.adapters.trainers.reward_functions import slime_reward, trl_reward
from reproducegym.adapters.trainers.verifying import (
    CommandVerifier,
    Scored,
    ServiceVerifier,
    UnscoredError,
    UnusableVerifierError,
    Verifier,
)

__all__ = [
    "FORMAT",
    "CommandVerifier",
    "Scored",
    "ServiceVerifier",
    "UnscoredError",
    "UnusableVerifierError",
    "Verifier",
    "files_of",
    "slime_reward",
    "trl_reward",
]
