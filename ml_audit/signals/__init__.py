"""The 37 questions about a repository and their answers, each with the places that show it."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from ml_audit.code.project import Project
from ml_audit.signals import datasets, experiments, files, loaders, order, pretrained, readme
from ml_audit.signals.answer import Evidence, Place, Signal
from ml_audit.signals.determinism import determinism_flags, nondeterminism_flags
from ml_audit.signals.imports import PACKAGES, uses
from ml_audit.signals.seeding import Seeding, seed_of
from ml_audit.signals.seeding_libraries import seed_env, seed_sklearn

__all__ = ["NAMES", "Evidence", "Place", "Seeding", "Signal", "answers"]

_OF_PROJECT: Mapping[str, Callable[[Project], Signal]] = MappingProxyType(
    {
        **{name: partial(uses, name=name) for name in PACKAGES},
        "has_readme": files.has_readme,
        "has_license": files.has_license,
        "has_ci": files.has_ci,
        "has_tests": files.has_tests,
        "has_dockerfile": files.has_dockerfile,
        "docker_base_pinned": files.docker_base_pinned,
        "has_lockfile": files.has_lockfile,
        "dependencies_pinned": files.dependencies_pinned,
        "nondeterminism_flags": nondeterminism_flags,
        "dataloader_worker_seeding": loaders.dataloader_worker_seeding,
        "iteration_order_hazard": order.iteration_order_hazard,
        "multi_seed_eval": experiments.multi_seed_eval,
        "dataset_pinned": datasets.dataset_pinned,
        "model_revision_pinned": pretrained.model_revision_pinned,
        "config_driven": experiments.config_driven,
        "results_table_in_readme": readme.results_table_in_readme,
        "reproduce_commands": readme.reproduce_commands,
        "checkpoints_linked": readme.checkpoints_linked,
        "hardware_stated": readme.hardware_stated,
        "uses_distributed": experiments.uses_distributed,
        "uses_all_reduce": experiments.uses_all_reduce,
        "training_loop": experiments.training_loop,
        "notebooks": files.notebooks,
        "absolute_paths": experiments.absolute_paths,
    }
)
_SEEDS = ("seed_python", "seed_numpy", "seed_torch", "seed_cuda", "seed_jax", "seed_tf", "seed_env", "seed_sklearn")

NAMES: tuple[str, ...] = (
    *(n for n in _OF_PROJECT if n not in ("nondeterminism_flags",)),
    *_SEEDS,
    "determinism_flags",
    "nondeterminism_flags",
)
"""The names of all questions."""


def answers(project: Project, seeding: Seeding) -> dict[str, Signal]:
    """All 37 answers."""
    found = {name: ask(project) for name, ask in _OF_PROJECT.items()}
    for generator in ("python", "numpy", "torch", "cuda", "jax", "tf"):
        found[f"seed_{generator}"] = seed_of(seeding, generator)
    found["seed_env"] = seed_env(seeding)
    found["seed_sklearn"] = seed_sklearn(seeding)
    torch, tensorflow, jax = (found[n].value for n in ("uses_pytorch", "uses_tensorflow", "uses_jax"))
    gpu = (torch != "no" and (torch == "yes" or jax == "no")) or (tensorflow != "no" and jax == "no")
    found["determinism_flags"] = determinism_flags(seeding, applies=gpu)
    return found
