from pilot.hooks import Checkpoint, Decay, EarlyStop
from pilot.loop import Loop

__all__ = ["Checkpoint", "Decay", "EarlyStop", "Loop"]
