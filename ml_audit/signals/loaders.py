"""Whether the workers of data loaders are seeded."""

import ast
import re
from dataclasses import dataclass

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call
from ml_audit.code.project import Project, once
from ml_audit.signals.answer import Place, Signal, answer

__all__ = ["Loader", "dataloader_worker_seeding", "loaders"]

_LOADER = re.compile(
    r"(^|\.)torch\.utils\.data\.DataLoader$|^torch_geometric\.(loader|data)\.(DataLoader|NeighborLoader|DataListLoader)$"
)


@dataclass(frozen=True, slots=True)
class Loader:
    """One data loader: whether it shuffles, has workers, and is given a generator or an init function."""

    path: str
    call: Call
    shuffles: bool
    works: bool
    seeded: bool


@once
def loaders(project: Project) -> list[Loader]:
    """All torch data loaders of the main code."""
    found = []
    for path, call in project.calls():
        if not _LOADER.search(call.name):
            continue
        where = (path, call.scope)
        shuffle = call.argument(2, "shuffle")
        sampler = [call.keyword(n) for n in ("sampler", "batch_sampler")]
        shuffles = any(s is not None and not _keeps_order(project, path, call.scope, s) for s in sampler)
        if shuffle is not None:
            told = project.values.of(shuffle, where)
            shuffles = shuffles or any(v.kind != "constant" or bool(v.constant) for v in told)
        elif call.unpacks():
            shuffles = shuffles or "train" in call.used_as.lower()
        workers = call.argument(5, "num_workers")
        values = project.values.of(workers, where) if workers is not None else ()
        works = any(v.kind != "constant" or v.constant not in (0, None) for v in values)
        works = works or (workers is None and call.unpacks())
        seeded = any(call.keyword(n) is not None for n in ("worker_init_fn", "generator"))
        found.append(Loader(path, call, shuffles, works, seeded))
    return found


def _keeps_order(project: Project, path: str, scope: str, sampler: ast.expr) -> bool:
    """Whether a sampler is none at all, or one that goes through the rows as they stand."""
    name = dotted(sampler)
    made = [a.value for a in project.facts[path].assigned if a.scope == scope and a.name == name] or [sampler]
    return all(_in_order(one) for one in made)


def _in_order(sampler: ast.expr) -> bool:
    if not isinstance(sampler, ast.Call):
        return isinstance(sampler, ast.Constant) and sampler.value is None
    shuffle = next((k.value for k in sampler.keywords if k.arg == "shuffle"), None)
    told = isinstance(shuffle, ast.Constant) and shuffle.value is False
    return told or dotted(sampler.func).rpartition(".")[2].startswith("Sequential")


def dataloader_worker_seeding(project: Project) -> Signal:
    """Whether all loaders that shuffle with workers are seeded; `na` if none does, and none is seeded either."""
    for path, call in project.calls():
        workers = call.keyword("workers")
        if call.last == "seed_everything" and isinstance(workers, ast.Constant) and workers.value is True:
            held = [project.values.holds(g, (path, call.scope)) for g in call.guards]
            return answer("partial" if {"no", "some"} & set(held) else "yes", [Place(path, call.line)])
    needing = [x for x in loaders(project) if x.works and (x.shuffles or x.seeded)]
    if not needing:
        return answer("na")
    good = [x for x in needing if x.seeded]
    value = "yes" if len(good) == len(needing) else "partial" if good else "no"
    return answer(value, [Place(x.path, x.call.line) for x in (good or needing)])
