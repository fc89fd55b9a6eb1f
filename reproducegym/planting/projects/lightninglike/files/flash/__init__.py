from .seeding import seed_everything
from .trainer import Callback, DataModule, Module, Trainer

__all__ = ["Callback", "DataModule", "Module", "Trainer", "seed_everything"]
