from . import random, tree

__all__ = ["random", "tree"]
