"""Models that start from what nobody fixed: unseeded estimators, weights before the seed, memory never written."""

import re
from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Edit, Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import Call, python_files
from reproducegym.planting.operators.random_state import unseeded_calls

__all__ = ["MODEL_INITIALIZATION"]

MODEL_INITIALIZATION = operators("model_initialization")

_DRAWS = re.compile(
    r"^sklearn\.\w+\.(RandomForest|ExtraTrees|Bagging|MLP|SGD|KMeans|MiniBatchKMeans|GaussianMixture|NMF|FastICA|TSNE"
    r"|AdaBoost|IsolationForest|Perceptron|GaussianRandomProjection|LatentDirichletAllocation|RandomizedSearchCV)"
)
"""Estimators that draw by default; others take a random_state and use it under some settings alone."""
_SEEDED = ("torch.nn.Linear", "torch.nn.Sequential", "torch.nn.Conv2d", "torch.nn.Embedding")


@MODEL_INITIALIZATION(
    "estimator-unseeded",
    rule="sklearn-random-state-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("sklearn",),
    summary="an estimator that draws has no random_state",
)
def estimator_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`RandomForestClassifier(…, random_state=seed)` and its like."""
    yield from unseeded_calls(files, operator, lambda call: _DRAWS.match(call.name) is not None)


@MODEL_INITIALIZATION(
    "estimator-seed-none",
    rule="sklearn-random-state-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("sklearn",),
    summary="an estimator that draws has random_state=None",
)
def estimator_seed_none(files: Texts, operator: str) -> Iterator[Site]:
    """The same, spelled out."""
    yield from unseeded_calls(files, operator, lambda call: _DRAWS.match(call.name) is not None, spelled_out=True)


@MODEL_INITIALIZATION(
    "seed-after-model",
    rule="seed-after-model",
    effect="dynamic",
    libraries=("torch",),
    summary="torch is seeded below the line that makes the model",
)
def seed_after_model(files: Texts, operator: str) -> Iterator[Site]:
    """The seeding statement of a scope moves below the first one that makes a layer in it, or an object with layers."""
    told = list(python_files(files))
    layered = {
        call.scope.rpartition(".")[0] for one in told for call in one.calls if _is_layer(call) and "." in call.scope
    }
    for one in told:
        seeds = [c for c in one.calls if c.name == "torch.manual_seed" and one.is_expression(c)]
        for seed in seeds[:1]:
            later = [c for c in one.calls if c.scope == seed.scope and c.place.first_line > seed.place.last_line]
            made = next((c for c in later if _is_layer(c) or c.last in layered), None)
            statement = one.statement(seed.node)
            below = one.statement(made.node) if made is not None else None
            if statement is None or below is None:
                continue
            moved = one.beside(below, one.code(seed.node).strip(), below=True)
            edits = (*moved, *one.removed(statement))
            yield Site(operator=operator, edits=edits, subject="seed:torch", also=(one.place(below),))


def _is_layer(call: Call) -> bool:
    return call.name.startswith(_SEEDED)


@MODEL_INITIALIZATION(
    "weights-uninitialized",
    rule="uninitialized-memory",
    effect="structural",
    libraries=("numpy",),
    summary="an array that is added to starts as numpy.empty in place of numpy.zeros",
)
def weights_uninitialized(files: Texts, operator: str) -> Iterator[Site]:
    """`x = np.zeros(…)` whose elements are not all written before they are read: it is added to in place."""
    for one in python_files(files):
        for assign in one.nodes(cst.Assign):
            value, target = assign.value, assign.targets[0].target
            if not isinstance(value, cst.Call) or one.name(value.func) != "numpy.zeros" or len(assign.targets) > 1:
                continue
            name = one.code(target).strip()
            added = any(
                isinstance(change.operator, cst.AddAssign | cst.SubtractAssign)
                and one.code(change.target).strip().split("[")[0] == name
                for change in one.nodes(cst.AugAssign)
            )
            if not added or not isinstance(value.func, cst.Attribute):
                continue
            new = value.with_changes(func=value.func.with_changes(attr=cst.Name("empty")))
            line = one.place(assign).first_line
            edits: tuple[Edit, ...] = one.replaced(value, new)
            yield Site(operator=operator, edits=edits, subject=f"memory:{one.path}:{line}")
