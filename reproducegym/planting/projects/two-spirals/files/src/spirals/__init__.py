from .layers import Dense, Tanh
from .network import Network
from .points import batches, spirals

__all__ = ["Dense", "Network", "Tanh", "batches", "spirals"]
