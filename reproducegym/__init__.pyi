from reproducegym.dataset import TaskSet as TaskSet
from reproducegym.dataset import load_manifest as load_manifest

__all__ = ["TaskSet", "__version__", "load_manifest"]

__version__: str
