"""Rules about random generators: seeded or not, by default or not, before the model or after it."""

import re
from collections.abc import Iterable, Iterator

from ml_audit.code.facts import Call
from ml_audit.code.graph import Scope
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.generators import GENERATORS, STOCHASTIC, Generator, seeds

__all__ = ["SEEDS"]

SEEDS = family("seeds")


def _missing(subject: Subject, generator: Generator, said: str) -> Iterator[Hit]:
    signal = subject.signals[f"seed_{generator}"]
    if signal.value != "no":
        return
    lowers = ("seed_torch", "seed_cuda") if generator == "torch" else (f"seed_{generator}",)
    entries = [e for e in subject.seeding.pool(generator) if subject.seeding.at(e, generator) is None]
    drawn = subject.seeding.draws[generator]
    for entry in entries:
        here = [(p, c.line) for p, c in drawn if (p, c.scope) in entry.maybe]
        if here:
            where = next(((p, n) for p, n in here if p == entry.path), here[0])
            yield Hit(*where, f"{said}; started from {entry.path}", lowers=lowers)
    if not entries and drawn:
        yield Hit(drawn[0][0], drawn[0][1].line, said, "medium", lowers=lowers)


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
        if not STOCHASTIC.match(call.name) or call.unpacks():
            continue
        shuffle = call.keyword("shuffle")
        if call.last in ("KFold", "StratifiedKFold") and shuffle is None:
            continue
        given = call.keyword("random_state")
        if getattr(shuffle, "value", None) is False:
            continue
        values = subject.project.values.of(given, (path, call.scope))
        if all(v.kind == "constant" and v.constant is None for v in values):
            yield Hit(path, call.line, f"{call.last} without random_state")


@SEEDS("seed-off-by-default")
def seed_off_by_default(subject: Subject) -> Iterator[Hit]:
    """A seeding call that does not run, or seeds nothing, by default."""
    for seed in subject.seeding.seeds:
        if seed.state in ("off", "some"):
            lowered = _lowered(subject, seed.generators)
            yield Hit(seed.path, seed.call.line, f"{seed.call.name} does nothing by default", lowers=lowered)


def _lowered(subject: Subject, generators: Iterable[Generator]) -> tuple[str, ...]:
    """The answers that are only partial for these generators."""
    names = [f"seed_{g}" for g in sorted(generators)]
    if "torch" in generators and not subject.seeding.places("cuda"):
        names.append("seed_cuda")
    return tuple(n for n in names if subject.signals[n].value in ("partial", "no")) or ("seed-off-by-default",)


@SEEDS("seed-from-clock")
def seed_from_clock(subject: Subject) -> Iterator[Hit]:
    """A seed is drawn anew in each run."""
    for seed in subject.seeding.seeds:
        if seed.state == "drawn":
            said = f"{seed.call.name} gets a value that differs between runs"
            yield Hit(seed.path, seed.call.line, said, lowers=_lowered(subject, seed.generators))


@SEEDS("seed-on-some-paths")
def seed_on_some_paths(subject: Subject) -> Iterator[Hit]:
    """A generator is seeded on some entry points, and others draw from it unseeded."""
    for generator in GENERATORS:
        name = f"seed_{generator}"
        if subject.signals[name].value != "partial" or not subject.seeding.places(generator):
            continue
        lowers = (name, "seed_cuda") if generator == "torch" and not subject.seeding.places("cuda") else (name,)
        for entry in subject.seeding.pool(generator):
            if subject.seeding.at(entry, generator) == "own":
                said = "torch has a generator of its own for some draws, and the global one is unseeded"
                yield Hit(entry.path, 0, said, lowers=lowers)
            elif subject.seeding.at(entry, generator) is None:
                said = f"{generator} is seeded elsewhere, and not when started from here"
                yield Hit(entry.path, 0, said, lowers=lowers)


_MODEL = re.compile(
    r"(^|\.)(from_pretrained|get_peft_model|create_model|from_config)$|^torch\.nn\.(Linear|Sequential|Conv\d?d?|Transformer)$|^torchvision\.models\.\w+$"
)


@SEEDS("seed-after-model")
def seed_after_model(subject: Subject) -> Iterator[Hit]:
    """In one scope, a model is made before torch is seeded, and nothing seeds it earlier."""
    project = subject.project
    for seed in subject.seeding.seeds:
        if seed.state == "late" and subject.signals["seed_torch"].value != "yes":
            said = "the trainer seeds by itself, when the model is there already"
            lowers = _lowered(subject, seed.generators)
            yield Hit(seed.path, seed.call.line, said, lowers=lowers if lowers[0].startswith("seed_") else ())
    by_scope: dict[Scope, list[Call]] = {}
    for path, call in project.calls():
        by_scope.setdefault((path, call.scope), []).append(call)
    seeding = {(s.path, s.call.scope) for s in subject.seeding.seeds if "torch" in s.generators}
    builders = {k for k, calls in by_scope.items() if any(_MODEL.search(c.name) for c in calls)}
    for where, calls in by_scope.items():
        seeded = [c.node.lineno for c in calls if "torch" in seeds(c) or _runs(subject, where, c, seeding)]
        made = [c for c in calls if _MODEL.search(c.name) or _runs(subject, where, c, builders)]
        early = [c for c in made if seeded and c.node.lineno < min(seeded)]
        if early:
            line = project.modules[where[0]].line(min(seeded))
            yield Hit(where[0], line, f"seeded after {early[0].raw}(…) on line {early[0].line} drew weights", "medium")


def _runs(subject: Subject, where: Scope, call: Call, wanted: set[Scope]) -> bool:
    """Whether a call runs one of the scopes, directly or as a constructor."""
    target = subject.project.graph.target(subject.project.facts[where[0]], call.raw, call.scope)
    if target is None or target == where:
        return False
    return target in wanted or (target[0], f"{target[1]}.__init__") in wanted


@SEEDS("environment-seed-missing")
def environment_seed_missing(subject: Subject) -> Iterator[Hit]:
    """Environments are made and never seeded."""
    signal = subject.signals["seed_env"]
    if signal.value in ("no", "partial") and signal.evidence:
        first = signal.evidence[0]
        said = "environments are made and never seeded" if signal.value == "no" else "seeded here, and not everywhere"
        yield Hit(first.file, first.line or 0, said)


@SEEDS("action-space-seed-missing")
def action_space_seed_missing(subject: Subject) -> Iterator[Hit]:
    """A file samples actions, and it seeds no action space."""
    for path, facts in subject.project.main_facts.items():
        sampled = [
            c for c in facts.calls if c.last == "sample" and re.search(r"action_spaces?(\[\]|\(\))?$", c.receiver)
        ]
        seeded = any(c.last == "seed" and "action_space" in c.receiver for c in facts.calls)
        if sampled and not seeded and "seed_env" in subject.signals:
            yield Hit(path, sampled[0].line, "samples actions from a space that nothing seeds")


@SEEDS("hash-seed-at-run-time")
def hash_seed_at_run_time(subject: Subject) -> Iterator[Hit]:
    """The variable is set from inside the process."""
    for path, facts in subject.project.main_facts.items():
        for setting in facts.settings:
            if setting.name == "os.environ[]PYTHONHASHSEED":
                yield Hit(
                    path, setting.line, "PYTHONHASHSEED is set after Python has started: no effect on this process"
                )
