"""Generators of one's own that are made without a seed, or started again and again."""

from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import python_files
from reproducegym.planting.operators.random_state import unseeded_calls

__all__ = ["RNG_INITIALIZATION"]

RNG_INITIALIZATION = operators("rng_initialization")


def _unseeded(files: Texts, operator: str, maker: str) -> Iterator[Site]:
    """A call with one plain argument, which is left out or None, and whose generator nothing seeds afterwards."""
    for one in python_files(files):
        for call in one.calls:
            kept = one.parent(call.node)
            name = one.code(kept.targets[0].target).strip() if isinstance(kept, cst.Assign) else ""
            if name and f"{name}.seed(" in one.text:
                continue
            if call.name != maker or len(call.node.args) != 1 or call.node.args[0].star:
                continue
            subject = f"rng:{one.path}:{call.place.first_line}"
            nothing = call.node.args[0].with_changes(value=cst.Name("None"))
            for changed in (call.node.with_changes(args=()), call.node.with_changes(args=[nothing])):
                yield Site(operator=operator, edits=one.replaced(call.node, changed), subject=subject)


@RNG_INITIALIZATION(
    "numpy-generator-unseeded",
    rule="generator-unseeded",
    effect="dynamic",
    implies=("numpy-seed-missing", "setting-unread"),
    libraries=("numpy",),
    summary="numpy.random.default_rng gets no seed, or None",
)
def numpy_generator_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`default_rng(seed)`."""
    yield from _unseeded(files, operator, "numpy.random.default_rng")


@RNG_INITIALIZATION(
    "random-state-unseeded",
    rule="generator-unseeded",
    effect="dynamic",
    implies=("numpy-seed-missing", "setting-unread"),
    libraries=("numpy",),
    summary="numpy.random.RandomState gets no seed, or None",
)
def random_state_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`RandomState(seed)`."""
    yield from _unseeded(files, operator, "numpy.random.RandomState")


@RNG_INITIALIZATION(
    "python-generator-unseeded",
    rule="generator-unseeded",
    implies=("setting-unread",),
    effect="dynamic",
    summary="random.Random gets no seed, or None",
)
def python_generator_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`random.Random(seed)`."""
    yield from _unseeded(files, operator, "random.Random")


@RNG_INITIALIZATION(
    "seed-sequence-unseeded",
    rule="generator-unseeded",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("numpy",),
    summary="numpy.random.SeedSequence gets no entropy, or None: all that it spawns differs in each run",
)
def seed_sequence_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`SeedSequence(seed)`."""
    yield from _unseeded(files, operator, "numpy.random.SeedSequence")


@RNG_INITIALIZATION(
    "seed-in-loop",
    rule="seed-in-loop",
    effect="structural",
    libraries=("numpy",),
    summary="a global generator is seeded in each turn of the training loop: every epoch draws the same numbers",
)
def seed_in_loop(files: Texts, operator: str) -> Iterator[Site]:
    """The first statement of a loop over epochs, steps or episodes, where a global generator is used."""
    for one in python_files(files):
        seeds = [call for call in one.calls if call.name in ("numpy.random.seed", "random.seed", "torch.manual_seed")]
        if not seeds or not one.is_expression(seeds[0]):
            continue
        code = one.code(seeds[0].node).strip()
        for loop in one.nodes(cst.For):
            turn = one.code(loop.target).strip() in ("epoch", "step", "episode", "iteration", "generation")
            same = one.scope(loop) == seeds[0].scope and one.place(loop).first_line > seeds[0].place.last_line
            first = loop.body.body[0]
            if turn and same and isinstance(first, cst.SimpleStatementLine):
                edits = one.beside(first, code, below=False)
                yield Site(operator=operator, edits=edits, subject=f"seed:loop:{one.path}")


@RNG_INITIALIZATION(
    "sklearn-resampling-unseeded",
    rule="sklearn-random-state-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("sklearn",),
    summary="a data set that is made, shuffled or resampled has no random_state",
)
def sklearn_resampling_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`make_classification(…, random_state=seed)` and its like."""
    made = ("sklearn.datasets.make_", "sklearn.utils.shuffle", "sklearn.utils.resample")
    yield from unseeded_calls(files, operator, lambda call: call.name.startswith(made))
