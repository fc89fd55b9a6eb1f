"""Rules about several processes on one machine: workers of loaders, pools."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call, Facts
from ml_audit.code.graph import Scope
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.generators import OWN
from ml_audit.signals.loaders import loaders

__all__ = ["PROCESSES"]

PROCESSES = family("processes")


@PROCESSES("loader-workers-unseeded")
def loader_workers_unseeded(subject: Subject) -> Iterator[Hit]:
    """A shuffling loader with workers has neither generator nor init function."""
    if subject.signals["dataloader_worker_seeding"].value == "yes":
        return
    for loader in loaders(subject.project):
        if loader.shuffles and loader.works and not loader.seeded:
            yield Hit(loader.path, loader.call.line, "shuffles with workers, without generator= or worker_init_fn=")


@PROCESSES("results-as-they-finish")
def results_as_they_finish(subject: Subject) -> Iterator[Hit]:
    """Parallel results are taken as they come and put into a list."""
    for path, facts in subject.project.main_facts.items():
        for call in facts.calls:
            unordered = call.last == "imap_unordered" and call.used_as not in ("sorted", "sum", "set", "dict")
            finished = call.name.endswith(("futures.as_completed", "asyncio.as_completed"))
            if not unordered and not finished:
                continue
            loop = next((i.node for i in facts.iterations if any(n is call.node for n in ast.walk(i.over))), None)
            apart = (finished or isinstance(loop, ast.For)) and not _collected(facts, call)
            if not apart and not _sorted_after(facts, call):
                yield Hit(path, call.line, "results come in the order in which workers finish", "medium")


_ADDS = (".append", ".extend", ".write", ".writerow", ".writerows")


def _collected(facts: Facts, call: Call) -> bool:
    """Whether a loop over a call adds its results to a list or a sum, one after the other."""
    for loop in facts.iterations:
        if loop.scope != call.scope or not any(n is call.node for n in ast.walk(loop.over)):
            continue
        if isinstance(loop.node, ast.ListComp | ast.GeneratorExp):
            return True
        for node in ast.walk(loop.node):
            added = isinstance(node, ast.Call) and dotted(node.func).endswith(_ADDS)
            summed = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)
            counts = isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant)
            if added or (summed and not counts) or isinstance(node, ast.Yield):
                return True
    return False


def _sorted_after(facts: Facts, call: Call) -> bool:
    last = call.node.lineno
    later = [c for c in facts.calls if c.scope == call.scope and c.node.lineno > last]
    return any(c.raw == "sorted" or (c.last == "sort" and "." in c.raw and not c.node.args) for c in later)


_POOL = re.compile(r"(Pool|ProcessPoolExecutor|Parallel)\b")
_NO_POOL = re.compile(r"Thread|DataParallel|DistributedDataParallel")
_HANDS_OUT = {
    "map",
    "imap",
    "imap_unordered",
    "starmap",
    "map_async",
    "starmap_async",
    "apply",
    "apply_async",
    "submit",
}


@PROCESSES("pool-workers-unseeded")
def pool_workers_unseeded(subject: Subject) -> Iterator[Hit]:
    """A function that is run in other processes draws from a global generator and does not seed it."""
    project = subject.project
    drawn = [one for g in ("python", "numpy") for one in subject.seeding.draws[g]]
    draws: set[Scope] = {(p, c.scope) for p, c in drawn if c.name not in OWN}
    seeds: set[Scope] = {(s.path, s.call.scope) for s in subject.seeding.seeds}
    for path, facts in project.main_facts.items():
        if any(c.keyword("initializer") is not None for c in facts.calls):
            continue
        pools = any(c.raw.rpartition(".")[2] in ("Pool", "ProcessPoolExecutor") for c in facts.calls)
        for call in facts.calls:
            given = _handed_out(call, pools=pools)
            named = dotted(given) if given is not None else ""
            target = project.graph.target(facts, named, call.scope) if named else None
            if target is None or not target[1]:
                continue
            run = {s for s in project.graph.reach(target, lambda *_: True) if s[1]}
            if run & draws and not run & seeds:
                yield Hit(path, call.line, f"{named} draws in other processes, which nothing seeds", "medium")


def _handed_out(call: Call, *, pools: bool) -> ast.expr | None:
    """The function that a call runs in another process; `pools` says whether its file makes pools of processes."""
    if call.last == "Process" and "multiprocessing" in call.name:
        return call.keyword("target")
    made = call.name.rpartition(".")[0]
    pool = _POOL.search(made) or (pools and re.search(r"pool|executor", call.receiver, re.IGNORECASE))
    if call.last in _HANDS_OUT and pool and not _NO_POOL.search(call.name):
        return call.argument(0, "func", "fn")
    return None


@PROCESSES("workers-share-numpy-state")
def workers_share_numpy_state(subject: Subject) -> Iterator[Hit]:
    """A data set draws from NumPy's global generator in workers, which before PyTorch 1.9 are all copies of one."""
    if not subject.versions.may_be("torch", before=(1, 9)):
        return
    drawing = {p for p, c in subject.seeding.draws["numpy"] if c.scope.endswith("__getitem__")}
    for loader in loaders(subject.project) if drawing else ():
        if loader.works and loader.call.keyword("worker_init_fn") is None:
            yield Hit(
                loader.path, loader.call.line, "all workers draw the same numbers from np.random in PyTorch < 1.9"
            )
