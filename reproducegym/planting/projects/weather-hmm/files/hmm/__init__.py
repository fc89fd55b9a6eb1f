from .model import HMM
from .restarts import best_of

__all__ = ["HMM", "best_of"]
