"""Rules about random generators that nothing seeds."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.facts import MAIN, Call, Facts
from ml_audit.code.project import Entry
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.rules.started import runs, trains
from ml_audit.signals.generators import DRAWING_SOLVERS, OWN, SOLVED, Generator, is_stochastic, seed_given
from ml_audit.signals.seeding import State

__all__ = ["SEEDS"]

SEEDS = family("seeds")


def _missing(subject: Subject, generator: Generator, said: str) -> Iterator[Hit]:
    value = subject.signals[f"seed_{generator}"].value
    apart: tuple[State | None, ...] = (None, "own") if generator == "numpy" else (None,)
    if value != "no" and (value != "partial" or generator != "numpy"):
        return
    lowers = ("seed_torch", "seed_cuda") if generator == "torch" else (f"seed_{generator}",)
    pool = [(e, subject.seeding.at(e, generator)) for e in subject.seeding.pool(generator)]
    entries = [e for e, state in pool if state in apart and (value == "no" or state == "own")]
    drawn = [(p, c) for p, c in subject.seeding.draws[generator] if c.name not in OWN]
    for entry in entries:
        run = runs(subject.project, entry) if generator == "torch" else entry.maybe
        loaded = generator == "torch" and not trains(subject.project, run) and _loads_weights(subject, entry)
        here = [(p, c.line) for p, c in drawn if (p, c.scope) in run and not (loaded and _makes_weights(c))]
        if here:
            where = next(((p, n) for p, n in here if p == entry.path), here[0])
            yield Hit(*where, f"{said}; started from {entry.path}", lowers=lowers)
    if not entries and drawn and value == "no":
        yield Hit(drawn[0][0], drawn[0][1].line, said, "medium", lowers=lowers)


def _loads_weights(subject: Subject, entry: Entry) -> bool:
    """Whether what is started fills a model with weights that it reads, so that none of those that were drawn stays."""
    calls = (c for p, c in subject.project.calls() if (p, c.scope) in entry.maybe)
    return any(
        re.search(r"^(load_state_dict|load_\w*weights|restore|load_(model|checkpoint|network)\w*)$", c.last)
        for c in calls
    )


def _makes_weights(call: Call) -> bool:
    return call.name.startswith(("torch.nn.", "torchvision.models.", "timm."))


@SEEDS("torch-seed-missing")
def torch_seed_missing(subject: Subject) -> Iterator[Hit]:
    """No entry point seeds torch, though it draws from it."""
    yield from _missing(subject, "torch", "draws from torch's generator, which nothing seeds")


@SEEDS("numpy-seed-missing")
def numpy_seed_missing(subject: Subject) -> Iterator[Hit]:
    """NumPy's global generator is drawn from and never seeded."""
    yield from _missing(subject, "numpy", "draws from numpy's global generator, which nothing seeds")


@SEEDS("python-seed-missing")
def python_seed_missing(subject: Subject) -> Iterator[Hit]:
    """Python's generator is drawn from and never seeded."""
    yield from _missing(subject, "python", "draws from Python's random, which nothing seeds")


@SEEDS("tensorflow-seed-missing")
def tensorflow_seed_missing(subject: Subject) -> Iterator[Hit]:
    """TensorFlow draws and is never seeded."""
    yield from _missing(subject, "tf", "draws from TensorFlow's generator, which nothing seeds")


@SEEDS("sklearn-random-state-missing")
def sklearn_random_state_missing(subject: Subject) -> Iterator[Hit]:
    """A stochastic estimator or split has no random_state."""
    for path, call in subject.project.calls():
        drawing = is_stochastic(call) or _may_draw(subject, call)
        if not drawing or (call.unpacks() and not _may_draw(subject, call)):
            continue
        shuffle = call.keyword("shuffle")
        if call.last in ("KFold", "StratifiedKFold") and shuffle is None:
            continue
        given = call.keyword("random_state")
        if getattr(shuffle, "value", None) is False:
            continue
        if given is None or (isinstance(given, ast.Constant) and given.value is None):
            yield Hit(path, call.line, f"{call.last} without random_state")


@SEEDS("generator-unseeded")
def generator_unseeded(subject: Subject) -> Iterator[Hit]:
    """A generator of one's own is made without a seed, or with None."""
    numpy = subject.signals["seed_numpy"].value in ("no", "partial")
    for path, facts in subject.project.main_facts.items():
        seeded = {c.receiver for c in facts.calls if c.last == "manual_seed"}
        for call in facts.calls:
            own = call.name in OWN and seed_given(call) is None and (not call.unpacks() or "System" in call.name)
            bare = call.name == "torch.Generator" and bool(call.used_as) and call.used_as not in seeded
            unseeded = own or (bare and not any(_made_by(c, call) for c in facts.calls))
            if unseeded and not _seeded_before_use(subject, facts, call):
                lowers = ("seed_numpy", "generator-unseeded") if numpy and call.name.startswith("numpy.") else ()
                yield Hit(path, call.line, f"{call.raw}() starts differently in each process", lowers=lowers)


def _seeded_before_use(subject: Subject, facts: Facts, call: Call) -> bool:
    """Whether what a call makes is seeded afterwards: here, or by a method or function that the code calls with a seed.

    `self.rng = random.Random()` is the beginning of many an interface whose `seed(seed)` says `self.rng.seed(seed)`.
    """
    for seeding in facts.calls:
        if seeding.last != "seed" or seeding.receiver != call.used_as or seed_given(seeding) is None:
            continue
        if seeding.scope.partition(".")[0] != call.scope.partition(".")[0] and call.used_as.startswith("self."):
            continue
        interface = seeding.scope.rpartition(".")[2]
        if seeding.scope in ("", MAIN, call.scope):
            return True
        asked = (c for _, c in subject.project.calls() if c.last == interface and c.scope != seeding.scope)
        if any(c.node.args or c.node.keywords for c in asked):
            return True
    return False


def _made_by(method: Call, maker: Call) -> bool:
    """Whether a method is called on what a call has just made: `torch.Generator().manual_seed(1)`."""
    return method.last == "manual_seed" and any(n is maker.node for n in ast.walk(method.node.func))


def _may_draw(subject: Subject, call: Call) -> bool:
    """Whether an estimator gets its solver from settings, where one that draws stands and no random_state."""
    settings = subject.project.settings
    if not SOLVED.match(call.name) or settings.places("random_state"):
        return False
    told = [t.value for key in ("solver", "svd_solver") for t in settings.places(key)]
    return call.unpacks() and any(value in DRAWING_SOLVERS for value in told)
