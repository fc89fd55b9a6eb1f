"""Whether libraries with generators or arguments of their own are seeded: environments, scikit-learn."""

import ast
import re
from collections.abc import Callable, Iterable
from typing import Literal

from ml_audit.code.facts import Call
from ml_audit.code.graph import Scope
from ml_audit.code.project import Project
from ml_audit.signals.answer import Place, Signal, answer, share
from ml_audit.signals.generators import STOCHASTIC, is_environment
from ml_audit.signals.seeding import Seeding

__all__ = ["seed_env", "seed_sklearn"]

_MAKERS = {"make", "make_env", "make_vec", "make_vec_env", "make_atari_env", "make_mujoco_env"}


def seed_env(seeding: Seeding) -> Signal:
    """Whether environments of reinforcement learning are seeded where they are reset or made."""
    project = seeding.project
    files = {p for p, f in project.main_facts.items() if any(is_environment(i.module) for i in f.imports)}
    used = [(p, c) for p, c in project.calls() if p in files and _uses_environment(c)]
    if not used:
        return answer("na")
    seeded = [(p, c) for p, c in project.calls() if _seeds_environment(c)]
    if not seeded:
        return answer("no", project.first(used))
    value = _on_entries(project, used, seeded, lambda p, c: c.last != "seed" or seeding.state(p, c) == "on")
    return answer(value, project.first(seeded))


def _on_entries(
    project: Project,
    used: Iterable[tuple[str, Call]],
    good: Iterable[tuple[str, Call]],
    holds: Callable[[str, Call], bool],
) -> Literal["yes", "partial", "no"]:
    needs: set[Scope] = {(p, c.scope) for p, c in used}
    sure: set[Scope] = {(p, c.scope) for p, c in good if holds(p, c)}
    pool = [e for e in project.main_entries if not needs.isdisjoint(e.maybe)]
    if not pool:
        return "yes" if sure else "partial"
    told = share(sum(not sure.isdisjoint(e.surely) for e in pool), len(pool), enough=0.8)
    return "partial" if told == "no" else told


def _uses_environment(call: Call) -> bool:
    if call.last in ("make", "make_vec", "make_env", "make_vec_env"):
        return True
    if call.name.startswith("dm_control.") and call.last in ("load", "load_pixels"):
        return True
    return call.last == "reset" and bool(re.search(r"env", call.receiver, re.IGNORECASE))


def _seeds_environment(call: Call) -> bool:
    about = re.search(r"env|space", call.receiver, re.IGNORECASE)
    if call.last in ("seed", "set_seed") and about:
        return bool(call.node.args or call.node.keywords)
    if call.last == "reset" and about:
        if call.keyword("seed") is not None:
            return True
        first = call.argument(0)
        told = getattr(first, "id", getattr(first, "attr", ""))
        return bool(re.search(r"rng|key", str(told)))
    if call.name.startswith("dm_control.") and call.last in ("load", "load_pixels"):
        given = call.keyword("task_kwargs")
        return call.keyword("seed") is not None or (given is not None and "random" in ast.unparse(given))
    if call.last in ("setInt", "set_int") and _text(call.argument(0)) == "random_seed":
        return True
    if call.last in _MAKERS and call.keyword("seed") is not None:
        return True
    if call.name in (
        "envpool.make",
        "envpool.make_gym",
        "procgen.ProcgenEnv",
        "stable_baselines3.common.env_util.make_vec_env",
    ):
        return call.keyword("seed") is not None
    return False


def _text(node: ast.expr | None) -> str:
    told = node.value if isinstance(node, ast.Constant) else ""
    return told.decode("ascii", errors="replace") if isinstance(told, bytes) else str(told)


def seed_sklearn(seeding: Seeding) -> Signal:
    """Whether stochastic estimators and splits of scikit-learn are given a `random_state`."""
    project = seeding.project
    told = [(p, c) for p, c in project.calls() if STOCHASTIC.match(c.name)]
    good: list[Place] = []
    bad: list[Place] = []
    wrapped: list[Place] = []
    for path, call in told:
        if call.last in ("KFold", "StratifiedKFold") and call.keyword("shuffle") is None:
            continue
        if getattr(call.keyword("shuffle"), "value", None) is False or call.unpacks():
            continue
        given = call.keyword("random_state")
        if given is None and call.last == "train_test_split":
            given = call.argument(99, "random_state")
        values = project.values.of(given, (path, call.scope)) if given is not None else ()
        none = all(v.kind == "constant" and v.constant is None for v in values)
        where = project.modules[path].line(given.lineno) if given is not None else call.line
        (bad if none else good).append(Place(path, where))
    if not good and not bad:
        return answer("na")
    for path, call in project.calls():
        if (given := call.keyword("random_state")) is not None and not STOCHASTIC.match(call.name):
            wrapped.append(Place(path, project.modules[path].line(given.lineno)))
    if not good:
        global_seed = bool(seeding.places("numpy"))
        return answer(
            "partial" if global_seed else "no", bad, "only through numpy's global seed" if global_seed else ""
        )
    return answer(share(len(good), len(good) + len(bad), enough=0.85), [*good, *wrapped])
