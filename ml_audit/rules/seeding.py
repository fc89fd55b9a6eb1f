"""Rules about seeds that do not hold: off by default, different in each run, too late, on some paths only."""

import ast
import re
from collections.abc import Iterable, Iterator

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call, Default
from ml_audit.code.graph import Scope
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.generators import GENERATORS, OWN, Generator, is_stochastic, seed_given, seeds
from ml_audit.signals.seeding import Seed
from ml_audit.texts.keys import plain_key

__all__ = ["SEEDING"]

SEEDING = family("seeds")


@SEEDING("seed-off-by-default")
def seed_off_by_default(subject: Subject) -> Iterator[Hit]:
    """A seeding call that does not run, or seeds nothing, by default."""
    for seed in subject.seeding.seeds:
        own = seed.call.name in OWN and (seed.call.guards or seed_given(seed.call) is None)
        refuses_none = seed.call.name.startswith("torch.") and not seed.call.guards
        harmless = refuses_none or _is_for_cuda(seed) or _is_put_back(subject, seed) or _is_one_more(subject, seed)
        if seed.state in ("off", "some") and not own and not harmless:
            lowered = _lowered(subject, seed.generators)
            yield Hit(seed.path, seed.call.line, f"{seed.call.name} does nothing by default", lowers=lowered)

    yield from _none_by_default(subject)
    yield from _unread_seed(subject)


def _is_for_cuda(seed: Seed) -> bool:
    """Whether a call seeds the card alone and runs where the card is used."""
    asked = any(re.search(r"cuda|gpu|device", ast.unparse(g.test), re.IGNORECASE) for g in seed.call.guards)
    return asked and seed.generators == {"cuda"}


def _is_put_back(subject: Subject, seed: Seed) -> bool:
    """Whether a seed holds for a few lines, after which the generator's state is what it was before."""
    calls = subject.project.facts[seed.path].calls
    after = [c for c in calls if c.scope == seed.call.scope and c.node.lineno > seed.call.node.lineno]
    return any(c.last in ("set_state", "setstate", "set_rng_state") for c in after)


def _is_one_more(subject: Subject, seed: Seed) -> bool:
    """Whether what the call would seed is seeded on every path as it is."""
    return all(subject.signals[f"seed_{generator}"].value == "yes" for generator in seed.generators)


def _none_by_default(subject: Subject) -> Iterator[Hit]:
    """Generators and estimators that are given a setting which is None by default: where that is said, if known."""
    project = subject.project
    known = {id(s.call) for s in subject.seeding.seeds}
    sklearn = ("seed_sklearn",) if subject.signals["seed_sklearn"].value in ("partial", "no") else ()
    for path, call in project.calls():
        drawn = is_stochastic(call)
        own = call.name in OWN and id(call) not in known
        given = call.keyword("random_state") if drawn else seed_given(call) if own else None
        if given is None or isinstance(given, ast.Constant) or call.guards:
            continue
        values = project.values.of(given, (path, call.scope))
        if all(v.kind == "constant" and v.constant is None for v in values):
            key = plain_key(dotted(given).rpartition(".")[2])
            told = [(p, d.line) for p, f in project.main_facts.items() for d in f.defaults if _is_none(d, key)]
            lowers = (sklearn if drawn else ()) or ("seed-off-by-default",)
            if told:
                yield Hit(*told[0], f"{key} is None by default, and seeds nothing", lowers=lowers)
            else:
                yield Hit(path, call.line, f"{call.raw} gets None by default", lowers=lowers)


def _unread_seed(subject: Subject) -> Iterator[Hit]:
    """A flag for the seed that has no default and that nothing reads."""
    every = subject.project.main_facts
    if any("seed" in facts.words for facts in every.values()):
        return
    for path, facts in every.items():
        for told in facts.defaults:
            if _is_none(told, "seed"):
                yield Hit(path, told.line, "seed is None by default, and nothing reads it")


def _is_none(told: Default, key: str) -> bool:
    absent = told.value is None or (isinstance(told.value, ast.Constant) and told.value.value is None)
    return told.kind == "flag" and told.key == key and absent and not told.required


def _lowered(subject: Subject, generators: Iterable[Generator]) -> tuple[str, ...]:
    """The answers that are only partial for these generators."""
    names = [f"seed_{g}" for g in sorted(generators)]
    if "torch" in generators and not subject.seeding.places("cuda"):
        names.append("seed_cuda")
    return tuple(n for n in names if subject.signals[n].value in ("partial", "no")) or ("seed-off-by-default",)


@SEEDING("seed-from-clock")
def seed_from_clock(subject: Subject) -> Iterator[Hit]:
    """A seed is drawn anew in each run."""
    for seed in subject.seeding.seeds:
        if seed.state == "drawn":
            said = f"{seed.call.name} gets a value that differs between runs"
            yield Hit(seed.path, seed.call.line, said, lowers=_lowered(subject, seed.generators))


@SEEDING("seed-on-some-paths")
def seed_on_some_paths(subject: Subject) -> Iterator[Hit]:
    """A generator is seeded on some entry points, and others draw from it unseeded."""
    for generator in GENERATORS:
        name = f"seed_{generator}"
        if subject.signals[name].value != "partial" or not subject.seeding.places(generator):
            continue
        lowers = (name, "seed_cuda") if generator == "torch" and not subject.seeding.places("cuda") else (name,)
        for entry in subject.seeding.pool(generator):
            if subject.seeding.at(entry, generator) == "own" and generator == "torch":
                said = "torch has a generator of its own for some draws, and the global one is unseeded"
                yield Hit(entry.path, 0, said, lowers=lowers)
            elif subject.seeding.at(entry, generator) is None:
                said = f"{generator} is seeded elsewhere, and not when started from here"
                yield Hit(entry.path, 0, said, lowers=lowers)


_MODEL = re.compile(
    r"(^|\.)(from_pretrained|get_peft_model|create_model|from_config)$|^torchvision\.models\.\w+$"
    r"|^torch\.nn\.(Linear|Bilinear|Sequential|Conv\w*|Transformer\w*|Embedding\w*|LSTM|GRU|RNN|MultiheadAttention)$|^torch\.nn\.init\.\w+$"
)


@SEEDING("seed-after-model")
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
    global_ = [s for s in subject.seeding.seeds if "torch" in s.generators and not _is_own(s.call)]
    seeding = {(s.path, s.call.scope) for s in global_}
    builders = {k for k, calls in by_scope.items() if any(_MODEL.search(c.name) for c in calls)}
    for where, calls in by_scope.items():
        seeded = [c.node.lineno for c in calls if _seeds_torch(c) or _runs(subject, where, c, seeding)]
        made = [c for c in calls if _MODEL.search(c.name) or _runs(subject, where, c, builders)]
        early = [c for c in made if seeded and c.node.lineno < min(seeded)]
        if early:
            line = project.modules[where[0]].line(min(seeded))
            yield Hit(where[0], line, f"seeded after {early[0].raw}(…) on line {early[0].line} drew weights", "medium")


def _is_own(call: Call) -> bool:
    """Whether a call seeds a generator of torch of one's own, from which no weights are drawn."""
    return call.name.startswith("torch.Generator")


def _seeds_torch(call: Call) -> bool:
    return "torch" in seeds(call) and not _is_own(call)


def _runs(subject: Subject, where: Scope, call: Call, wanted: set[Scope]) -> bool:
    """Whether a call runs one of the scopes, directly or as a constructor."""
    target = subject.project.graph.target(subject.project.facts[where[0]], call.raw, call.scope)
    if target is None or target == where:
        return False
    return target in wanted or (target[0], f"{target[1]}.__init__") in wanted


@SEEDING("hash-seed-at-run-time")
def hash_seed_at_run_time(subject: Subject) -> Iterator[Hit]:
    """The variable is set from inside the process."""
    for path, facts in subject.project.main_facts.items():
        for setting in facts.settings:
            if setting.name == "os.environ[]PYTHONHASHSEED":
                yield Hit(
                    path, setting.line, "PYTHONHASHSEED is set after Python has started: no effect on this process"
                )


_TURN = re.compile(r"epoch|step|iter|batch|episode|round|sweep", re.I)


@SEEDING("seed-in-loop")
def seed_in_loop(subject: Subject) -> Iterator[Hit]:
    """A global generator gets the same seed in each turn of a loop that trains."""
    updates = {id(c.node) for _, c in subject.project.training_steps}
    for seed in subject.seeding.seeds:
        call = seed.call
        given = call.argument(0, "seed", "a")
        if not call.loops or given is None or call.last in ("default_rng", "RandomState", "PRNGKey", "key", "Rngs"):
            continue
        loop = call.loops[-1]
        varying = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if any(isinstance(n, ast.Name) and n.id in varying for n in ast.walk(given)):
            continue
        named = isinstance(loop, ast.For) and _TURN.search(ast.unparse(loop.target))
        if named or any(id(n) in updates for n in ast.walk(loop)):
            yield Hit(seed.path, call.line, f"{call.raw} starts the same numbers again in each turn")
