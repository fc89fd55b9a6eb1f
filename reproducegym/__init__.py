"""ReproduceGym turns machine-learning papers into claim-level RL tasks with verifiable rewards."""

from importlib import import_module

from reproducegym.gymnasium_ids import announce

__all__ = ["TaskSet", "__version__", "load_manifest"]

__version__ = "0.1.0"
_OF_TRAINERS = "reproducegym.dataset"

announce()


def __getattr__(name: str) -> object:
    """What trainers use, loaded when it is first asked for: no command waits for it. `__init__.pyi` has its types."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_OF_TRAINERS), name)
    return found
