"""Rules about training on several processes or machines."""

import ast
import re
from collections.abc import Iterator, Mapping

from ml_audit.code.facts import Call, Facts, Guard
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.loaders import loaders

__all__ = ["DISTRIBUTED"]

DISTRIBUTED = family("distributed")


@DISTRIBUTED("sampler-epoch-unset")
def sampler_epoch_unset(subject: Subject) -> Iterator[Hit]:
    """A shuffling DistributedSampler is made, and nothing calls set_epoch."""
    made = [(p, c) for p, c in subject.project.calls() if c.last == "DistributedSampler"]
    if any(c.last == "set_epoch" for _, c in subject.project.calls()):
        return
    if any(
        c.last == "Trainer" and c.name.startswith(("pytorch_lightning", "transformers"))
        for _, c in subject.project.calls()
    ):
        return
    for path, call in made:
        shuffle = call.keyword("shuffle")
        measures = re.search(
            r"(?<![a-z])(val|test|eval|dev)", f"{call.used_as} {ast.unparse(call.node)}", re.IGNORECASE
        )
        if not measures and not (isinstance(shuffle, ast.Constant) and shuffle.value is False):
            yield Hit(path, call.line, "nothing calls set_epoch on this sampler")


@DISTRIBUTED("all-reduce-not-averaged")
def all_reduce_not_averaged(subject: Subject) -> Iterator[Hit]:
    """A gradient, a loss or a metric is summed over processes, and nothing in its scope divides."""
    for path, facts in subject.project.main_facts.items():
        for call in facts.calls:
            torch = call.name.startswith("torch.distributed.all_reduce")
            if not torch and not call.name.startswith("jax.lax.psum"):
                continue
            first, how = call.argument(0, "tensor", "x"), call.argument(1, "op") if torch else None
            if first is None or not _AVERAGED.search(ast.unparse(first)):
                continue
            summed = how is None or ast.unparse(how).endswith("SUM")
            if summed and not _divides(facts, call):
                yield Hit(path, call.line, f"{ast.unparse(first)} is summed over processes and never divided", "medium")


_AVERAGED = re.compile(r"grad|loss|acc|metric|error", re.IGNORECASE)


def _divides(facts: Facts, call: Call) -> bool:
    """Whether the scope of a call divides anything, or asks how many processes there are."""
    function = facts.functions.get(call.scope)
    where = function.node.body if function is not None else list(call.loops)
    for statement in where:
        for node in ast.walk(statement):
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div | ast.FloorDiv):
                return True
            if isinstance(node, ast.Call) and re.search(r"div_?$|world_size|mean|device_count", ast.unparse(node.func)):
                return True
    return False


@DISTRIBUTED("loader-without-sampler")
def loader_without_sampler(subject: Subject) -> Iterator[Hit]:
    """Several processes train together, and each loads and shuffles all data by itself."""
    calls = [c for _, c in subject.project.calls()]
    together = any(
        c.last == "DistributedDataParallel" or c.name == "torch.distributed.init_process_group" for c in calls
    )
    split = re.compile(r"Sampler|accelerator|prepare|IterableDataset|split_dataset_by_node|DistributedSampler")
    if not together or any(split.search(c.raw) for c in calls):
        return
    for loader in loaders(subject.project):
        if loader.shuffles and not loader.call.unpacks():
            yield Hit(loader.path, loader.call.line, "every process loads all data: no DistributedSampler")


@DISTRIBUTED("every-rank-writes")
def every_rank_writes(subject: Subject) -> Iterator[Hit]:
    """Several processes write the same checkpoint at once."""
    project = subject.project
    starts = {(p, c.scope) for p, c in project.calls() if c.name == "torch.distributed.init_process_group"}
    if not starts:
        return
    called: dict[str, list[Call]] = {}
    for _, call in project.calls():
        called.setdefault(call.last, []).append(call)
    together = {scope for e in project.entries if e.maybe & starts for scope in e.maybe}
    for path, call in project.calls():
        apart = (path, call.scope) not in together or re.search(r"rank", ast.unparse(call.node), re.IGNORECASE)
        if call.name != "torch.save" or apart:
            continue
        around = [*call.guards, *_guards_above(called, call.scope)]
        if not any(_ONE_PROCESS.search(ast.unparse(guard.test)) for guard in around):
            yield Hit(path, call.line, "each process writes this file", "medium")


def _guards_above(called: Mapping[str, list[Call]], scope: str) -> Iterator[Guard]:
    """Conditions around all calls of a function by its name, and around those of what calls it, and so on."""
    waiting, seen = [scope.rpartition(".")[2]], {""}
    while waiting:
        name = waiting.pop()
        for caller in called.get(name, []) if name not in seen else []:
            yield from caller.guards
            waiting.append(caller.scope.rpartition(".")[2])
        seen.add(name)


_ONE_PROCESS = re.compile(r"rank|main_process|master|is_main|primary|chief|dist", re.IGNORECASE)
