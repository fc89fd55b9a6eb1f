"""The card of a written data set: what is in it, under which licences, and how its rewards are made."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import yaml

from reproducegym.dataset.taskset import TaskSet
from reproducegym.pipeline.templates import render
from reproducegym.schema.listed import FIELDS, ListedTask

__all__ = ["card"]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
_TEXTS = {"list": "string"}
_ASSETS = [{"name": name, "dtype": "string"} for name in ("name", "sha256", "licence", "about")]
_ASSETS.append({"name": "size", "dtype": "int64"})
_TYPES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "metrics": _TEXTS,
        "probes": _TEXTS,
        "assets": {"list": _ASSETS},
        **{name: {"dtype": "int64"} for name in ("schema_version", "n_targets", "seeds", "timeout_s")},
        **{name: {"dtype": "bool"} for name in ("memory_resistant", "requires_training", "requires_gpu")},
        **{name: {"dtype": "float64"} for name in ("oracle", "noop", "gameability")},
    }
)
_COUNTED: Mapping[str, Callable[[ListedTask], str]] = MappingProxyType(
    {
        "evidence level": lambda task: task.evidence_level,
        "family": lambda task: task.family,
        "cost": lambda task: task.cost,
        "difficulty": lambda task: task.difficulty,
        "memory resistant": lambda task: "yes" if task.memory_resistant else "no",
        "needs a GPU": lambda task: "yes" if task.requires_gpu else "no",
        "needs assets": lambda task: "yes" if task.assets else "no",
        "licence of the paper": lambda task: task.licence,
    }
)


def card(name: str, parts: Mapping[str, TaskSet], files: Mapping[str, str], version: str) -> str:
    """README.md with the header that Hugging Face reads; `files` are the parts' files, below the card."""
    tasks = [task for part in parts.values() for task in part]
    head = {
        "pretty_name": name,
        "license": "other",
        "license_name": "per-paper",
        "task_categories": ["reinforcement-learning"],
        "language": ["en"],
        "tags": ["reinforcement-learning", "verifiable-rewards", "reproducibility", "machine-learning-papers"],
        "size_categories": [next((word for below, word in _SIZES if len(tasks) < below), _LARGEST)],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": part, "path": files[part]} for part in parts if parts[part]],
            }
        ],
        "dataset_info": {"config_name": "default", "features": _features()},
    }
    told = {
        "head": yaml.safe_dump(head, sort_keys=False, allow_unicode=True).rstrip(),
        "name": name,
        "version": version,
        "parts": {part: (len(found), len(found.papers)) for part, found in parts.items()},
        "counts": {what: _counted(tasks, of) for what, of in _COUNTED.items()},
        "papers": len({task.paper_id for task in tasks}),
        "total": len(tasks),
    }
    return render("dataset_card.md.j2", told)


def _features() -> list[dict[str, object]]:
    """The columns as Hugging Face declares them: rows of JSON alone do not tell the type of what is always null."""
    return [{"name": name, **_TYPES.get(name, {"dtype": "string"})} for name in FIELDS]


def _counted(tasks: Iterable[ListedTask], of: Callable[[ListedTask], str]) -> list[tuple[str, int]]:
    """How many tasks there are of each kind, most first."""
    return Counter(map(of, tasks)).most_common()
