"""Tasks as a data set: read from manifests or files, chosen, split, sampled, and written for trainers."""

from reproducegym.dataset.reading import load_manifest
from reproducegym.dataset.taskset import TaskSet

__all__ = ["TaskSet", "load_manifest"]
