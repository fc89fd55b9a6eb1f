"""ReproduceGym turns machine-learning papers into claim-level RL tasks with verifiable rewards."""

from reproducegym.gymnasium_ids import announce

__all__ = ["__version__"]

__version__ = "0.1.0"

announce()
