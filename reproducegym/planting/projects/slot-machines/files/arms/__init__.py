from arms.machine import Machine
from arms.policies import REGISTRY

__all__ = ["Machine", "REGISTRY"]
