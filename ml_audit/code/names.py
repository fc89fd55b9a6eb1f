"""Resolves what a file calls things: imports, aliases, variables of known types, modules of the project."""

import ast
import builtins
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from ml_audit.code.facts import MAIN, Facts

__all__ = ["ModuleIndex", "resolve_names", "scopes_above"]

_CANONICAL = {"np": "numpy", "tf": "tensorflow", "pl": "pytorch_lightning", "pd": "pandas"}
_MODELS = {"Model", "Sequential", "load_model", "model_from_json", "clone_model"}
_OPTIMIZERS = {"Adam", "SGD", "RMSprop", "Adagrad", "Adadelta", "Nadam", "Adamax"}
_RENAMED = (
    ("lightning.pytorch.", "pytorch_lightning."),
    ("tensorflow.compat.v1.", "tensorflow."),
    ("tensorflow.compat.v2.", "tensorflow."),
    ("jax.numpy.", "jax.numpy."),
    ("torch.utils.data.dataloader.DataLoader", "torch.utils.data.DataLoader"),
    ("lightning.fabric.", "pytorch_lightning."),
    ("lightning.seed_everything", "pytorch_lightning.seed_everything"),
    ("lightning.Trainer", "pytorch_lightning.Trainer"),
)


class ModuleIndex:
    """The project's own modules by dotted name; the nearest file wins where several fit."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_last: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for path in paths:
            pure = PurePosixPath(path)
            if pure.suffix != ".py":
                continue
            parts = (*pure.parent.parts, pure.stem) if pure.stem != "__init__" else pure.parent.parts
            if parts:
                self._by_last.setdefault(parts[-1], []).append((parts, path))

    def find(self, module: str, importer: str) -> str | None:
        """The file of a module that another file imports by that name."""
        wanted = tuple(module.split("."))
        fits = [(p, path) for p, path in self._by_last.get(wanted[-1], ()) if p[-len(wanted) :] == wanted]
        if not fits:
            return None
        here = PurePosixPath(importer).parent.parts

        def distance(fit: tuple[tuple[str, ...], str]) -> tuple[int, int, str]:
            base = fit[0][: -len(wanted)]
            shared = sum(1 for _ in _common(base, here))
            return (len(base) + len(here) - 2 * shared, len(base), fit[1])

        best = min(fits, key=distance)
        root = best[0][: -len(wanted)]
        known = {(), ("src",), ("lib",), ("code",), here, here[: len(root)]}
        return best[1] if root in known or len(wanted) > 1 else None

    def split(self, name: str, importer: str) -> tuple[str, str] | None:
        """A dotted name as (file of the project, rest inside it)."""
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            path = self.find(".".join(parts[:cut]), importer)
            if path is not None:
                return path, ".".join(parts[cut:])
        return None


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> Iterable[str]:
    for a, b in zip(one, other, strict=False):
        if a != b:
            return
        yield a


def scopes_above(scope: str) -> Iterable[str]:
    """A scope and those around it, innermost first; the main block and the module last."""
    while scope and scope != MAIN:
        yield scope
        scope = scope.rpartition(".")[0]
    yield MAIN
    yield ""


def resolve_names(every: Mapping[str, Facts], index: ModuleIndex) -> None:
    """Fill in the resolved name of every call and setting."""
    for facts in every.values():
        for module in facts.stars:
            _take_star(facts, module, every, index, set())
    for facts in every.values():
        known: dict[tuple[str, str], str] = {}
        for call in facts.calls:
            call.name = _resolved(call.raw, call.scope, facts, known)
            call.last = call.name.rpartition(".")[2]
        for setting in facts.settings:
            setting.name = _resolved(setting.raw, setting.scope, facts, known)


def _take_star(facts: Facts, module: str, every: Mapping[str, Facts], index: ModuleIndex, seen: set[str]) -> None:
    path = index.find(module, facts.path)
    if path is None and not seen:
        facts.outside.append(module)
    if path is None or path in seen or path not in every:
        return
    seen.add(path)
    other = every[path]
    for name, meaning in other.names.items():
        facts.names.setdefault(name, meaning)
    for name in (*other.functions, *other.classes, *(a.name for a in other.assigned if not a.scope)):
        if "." not in name and name not in facts.functions and name not in facts.classes:
            facts.names.setdefault(name, f"{module}.{name}")
    for inner in other.stars:
        _take_star(facts, inner, every, index, seen)


def _resolved(raw: str, scope: str, facts: Facts, known: dict[tuple[str, str], str], depth: int = 0) -> str:
    if (found := known.get((scope, raw))) is not None:
        return found
    name = _meaning(raw, scope, facts, known, depth)
    for old, new in _RENAMED:
        if name.startswith(old):
            name = new + name[len(old) :]
            break
    known[(scope, raw)] = name
    return name


def _meaning(raw: str, scope: str, facts: Facts, known: dict[tuple[str, str], str], depth: int) -> str:
    root, dot, rest = raw.partition(".")
    plain = root.rstrip("()[]")
    marks = root[len(plain) :]
    if rest and depth < 4:
        receiver, _, last = raw.rpartition(".")
        for above in scopes_above(scope):
            made = facts.types.get((above, receiver))
            if made is not None and made != raw:
                return f"{_resolved(made, above, facts, known, depth + 1)}.{last}"
        if plain == "self" and depth < 4:
            for (where, name), made in facts.types.items():
                if name == receiver and where.partition(".")[0] == scope.partition(".")[0]:
                    return f"{_resolved(made, where, facts, known, depth + 1)}.{last}"
    if (meaning := facts.names.get(plain)) is not None:
        return f"{meaning}{marks}{dot}{rest}"
    if depth < 4:
        for above in scopes_above(scope):
            made = facts.types.get((above, plain))
            if made is not None and made.partition(".")[0] != plain:
                called = ".__call__" if raw == plain and (above, plain) in facts.instances else ""
                return f"{_resolved(made, above, facts, known, depth + 1)}{called}{marks}{dot}{rest}"
    if plain in _CANONICAL and any(i.module.split(".")[0] == _CANONICAL[plain] for i in facts.imports):
        return f"{_CANONICAL[plain]}{marks}{dot}{rest}"
    if facts.outside and not _is_own(plain, facts):
        return f"{_star_of(plain, facts)}.{raw}"
    return raw


def _is_own(name: str, facts: Facts) -> bool:
    """Whether a file defines a name itself, or Python does."""
    if name in facts.functions or name in facts.classes or hasattr(builtins, name) or name == "self":
        return True
    if any(a.name == name for a in facts.assigned):
        return True
    return any(name in f.parameters() for f in facts.functions.values()) or any(
        isinstance(n, ast.Name) and n.id == name for loop in facts.iterations for n in ast.walk(loop.target)
    )


def _star_of(name: str, facts: Facts) -> str:
    """Which of a file's star imports of other libraries brings a name, by what their modules are called."""
    last = (
        "models" if name in _MODELS else "optimizers" if name in _OPTIMIZERS else "layers" if name[:1].isupper() else ""
    )
    return next((m for m in facts.outside if last and m.rpartition(".")[2] == last), facts.outside[0])
