"""Clients of the reward service, for trainers: they wait, try again, and never make a fault of ours a reward of 0."""

from reproducegym.adapters.reward_client.asynchronous import AsyncRewardClient
from reproducegym.adapters.reward_client.exchange import Patience, Reward, RewardRefusedError, RewardUnavailableError
from reproducegym.adapters.reward_client.synchronous import RewardClient

__all__ = [
    "AsyncRewardClient",
    "Patience",
    "Reward",
    "RewardClient",
    "RewardRefusedError",
    "RewardUnavailableError",
]
