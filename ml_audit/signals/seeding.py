"""Whether each random generator is seeded, on every path from where people start the code."""

import ast
import re
from dataclasses import dataclass
from typing import Literal

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call
from ml_audit.code.graph import Scope
from ml_audit.code.project import Entry, Project
from ml_audit.code.truth import DRAWN, Value
from ml_audit.signals.answer import IMPLIED, Place, Signal, answer, share
from ml_audit.signals.generators import GENERATORS, Generator, draws, seeds

__all__ = ["Seed", "Seeding", "State", "seed_of"]

State = Literal["on", "late", "own", "some", "off", "drawn"]
_TRAINER = re.compile(r"^(transformers\.(Seq2Seq)?Trainer|trl\.\w+Trainer)$")
"""Trainers that seed everything with their argument `seed`, 42 by default, but only once the model is there."""

_HELPER = re.compile(
    r"^(set|fix|setup|init)_?(all_?|random_?|rng_?|global_?)*seeds?$|^random_seed$|^seed_(everything|all)"
)
_OWN = {"default_rng", "RandomState", "SeedSequence"}
_KERAS = re.compile(r"(tensorflow|keras|tf_keras|segmentation_models)\b")
_RANK: dict[State, int] = {"on": 5, "late": 4, "own": 3, "some": 2, "drawn": 1, "off": 0}


@dataclass(frozen=True, slots=True)
class Seed:
    """One call that seeds: where, which generators, and whether it does so by default."""

    path: str
    call: Call
    generators: frozenset[Generator]
    state: State


class Seeding:
    """All seeds and draws of a project, and what each entry point reaches of them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.seeds: list[Seed] = []
        self._global: dict[Scope, bool] = {}
        self.draws: dict[Generator, list[tuple[str, Call]]] = {g: [] for g in GENERATORS}
        keras = {p for p, f in project.main_facts.items() if any(_KERAS.match(i.module) for i in f.imports)}
        for path, call in project.calls():
            if path in keras and _fits(call):
                self.draws["tf"].append((path, call))
            if told := seeds(call) or self._by_helper(path, call):
                state = self.state(path, call)
                own = state == "on" and call.name.startswith("torch.Generator")
                self.seeds.append(Seed(path, call, told, "own" if own else state))
            elif _TRAINER.match(call.name):
                self.seeds.append(Seed(path, call, frozenset({"torch", "cuda"}), "late"))
            drawn = [generator for generator in GENERATORS if draws(call, generator)]
            if drawn and not self._is_off(path, call):
                for generator in drawn:
                    self.draws[generator].append((path, call))

    def _is_off(self, path: str, call: Call) -> bool:
        """Whether what seeds when no seed was given draws here, and one is given by default."""
        seeding = re.search(r"seed", call.used_as, re.IGNORECASE)
        where = (path, call.scope)
        return bool(seeding) and any(self.project.values.holds(g, where) == "no" for g in call.guards)

    def _by_helper(self, path: str, call: Call) -> frozenset[Generator]:
        """What a helper of another library seeds, told by its name: all that there is."""
        facts = self.project.facts[path]
        imported = call.raw.partition(".")[0] in facts.names
        if not imported or not _HELPER.search(call.last) or not (call.node.args or call.node.keywords):
            return frozenset()
        known = self.project.graph.target(facts, call.raw, call.scope) is not None
        return frozenset() if known else frozenset({"python", "numpy", "torch", "cuda"})

    def state(self, path: str, call: Call) -> State:
        """Whether a seeding call has a fixed value and runs, by default."""
        where = (path, call.scope)
        held = [self.project.values.holds(g, where) for g in call.guards]
        given = call.argument(0, "seed", "a", "x", "default")
        if given is None and not call.unpacks():
            return "on" if call.last == "Rngs" else "off"
        values = self.project.values.of(given, where) if given is not None else ()
        if given is not None and self._is_drawn_instead(path, given, values):
            return "drawn"
        if "no" in held or (values and all(v.kind == "constant" and v.constant is None for v in values)):
            return "off"
        if any(v.kind == "drawn" for v in values):
            return "drawn"
        off = any(v.kind == "constant" and v.constant is None for v in values)
        return "some" if off or "some" in held else "on"

    def _is_drawn_instead(self, path: str, given: ast.expr, values: tuple[Value, ...]) -> bool:
        """Whether a seed that is None by default is drawn then: `if args.seed is None: args.seed = randint(…)`."""
        if not values or any(v != Value("constant", None) for v in values):
            return False
        name = dotted(given)
        told = [(s.raw, s.value, s.scope) for s in self.project.facts[path].settings if s.guards]
        return any(raw == name and DRAWN in self.project.values.of(value, (path, scope)) for raw, value, scope in told)

    def at(self, entry: Entry, generator: Generator) -> State | None:
        """The best that an entry point does for a generator; None if it seeds it nowhere."""
        best: State | None = None
        for seed in self.seeds:
            if generator not in seed.generators:
                continue
            scope = (seed.path, seed.call.scope)
            if scope in entry.surely:
                apart = generator == "numpy" and seed.call.last in _OWN and self._draws_globally(entry)
                state = "own" if apart and seed.state == "on" else seed.state
            elif scope in entry.maybe:
                state = "off"
            else:
                continue
            if best is None or _RANK[state] > _RANK[best]:
                best = state
        return best

    def _draws_globally(self, entry: Entry) -> bool:
        """Whether an entry point draws from NumPy's global generator, which generators of its own do not seed."""
        if entry.scope not in self._global:
            scopes = {(path, call.scope) for path, call in self.draws["numpy"] if call.last not in _OWN}
            self._global[entry.scope] = not scopes.isdisjoint(entry.surely)
        return self._global[entry.scope]

    def pool(self, generator: Generator) -> list[Entry]:
        """The entry points that matter for a generator: those that draw from it and train, else those that draw."""
        main = self.project.main_entries
        scopes = {(path, call.scope) for path, call in self.draws[generator]}
        drawing = [e for e in main if not scopes.isdisjoint(e.maybe)]
        if drawing:
            return drawing
        seeded = [e for e in main if self.at(e, generator) is not None]
        if not seeded or not all(self.at(e, generator) for e in main):
            others = [e for e in self.project.entries if not scopes.isdisjoint(e.maybe)]
            return others or seeded
        return main

    def places(self, generator: Generator) -> list[Place]:
        """Where a generator is seeded."""
        return [Place(s.path, s.call.line) for s in self.seeds if generator in s.generators]


def _fits(call: Call) -> bool:
    """Whether a call is the training of a Keras model, whose weights and shuffles were drawn."""
    told = ("epochs", "nb_epoch", "steps_per_epoch", "callbacks", "validation_data")
    return call.last == "fit_generator" or (call.last == "fit" and any(call.keyword(n) is not None for n in told))


def seed_of(seeding: Seeding, generator: Generator) -> Signal:
    """The answer for one generator."""
    if generator == "cuda":
        return _seed_cuda(seeding)
    return _seed(seeding, generator)


def _seed(seeding: Seeding, generator: Generator) -> Signal:
    places = seeding.places(generator)
    drawn = [Place(path, call.line) for path, call in seeding.draws[generator]]
    if not places and (not drawn or _only_demonstrated(seeding, generator)):
        return answer("na")
    if not places:
        return answer("no", drawn)
    pool = seeding.pool(generator)
    states = [seeding.at(e, generator) for e in pool]
    if not states:
        states = [s.state for s in seeding.seeds if generator in s.generators]
    value = share(sum(s == "on" for s in states), len(states))
    note = ""
    if value != "yes":
        found = [s for s in states if s is not None]
        if "late" in found:
            note = "by the trainer alone, once the model is there"
        elif "own" in found:
            note = "a generator of its own, not the global one"
        elif any(s in ("off", "some") for s in found):
            note = "off by default"
        elif "drawn" in found:
            note = "seeded with a value that differs between runs"
        elif found:
            note = "on some entry points only"
        value = "partial" if found or not drawn else "no"
        if not found and places:
            note = "seeded only where the training does not pass"
            if any(e.trains and seeding.at(e, generator) for e in seeding.project.entries):
                value, note = "partial", "in notebooks only"
    return answer(value, places, note)


def _only_demonstrated(seeding: Seeding, generator: Generator) -> bool:
    """Whether only notebooks draw from it, and scripts do the training."""
    if any(not path.endswith(".ipynb") for path, _ in seeding.draws[generator]):
        return False
    files = {path for path, _ in seeding.draws[generator]}
    others = [e for e in seeding.project.main_entries if e.trains and e.path not in files]
    return (len(files) == 1 and len(others) > 3) or any(not e.path.endswith(".ipynb") for e in others)


def _seed_cuda(seeding: Seeding) -> Signal:
    torch = _seed(seeding, "torch")
    places = seeding.places("cuda")
    if torch.value in ("na", "no") and not places:
        return answer(torch.value, [Place(e.file, e.line or 0) for e in torch.evidence])
    if places:
        told = _seed(seeding, "cuda")
        if told.value != "no":
            return told
    note = IMPLIED if torch.value == "yes" else torch.note
    return answer("partial", [Place(e.file, e.line or 0) for e in torch.evidence], note)
