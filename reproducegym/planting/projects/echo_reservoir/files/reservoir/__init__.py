from .network import Reservoir
from .series import mackey_glass

__all__ = ["Reservoir", "mackey_glass"]
