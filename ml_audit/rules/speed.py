"""Hints about speed: what makes each step wait."""

import ast
import re
from collections.abc import Iterator

from ml_audit.rules.loops import torch_files, training_loops
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.loaders import loaders

__all__ = ["SPEED"]

SPEED = family("speed")


@SPEED("item-in-training-loop")
def item_in_training_loop(subject: Subject) -> Iterator[Hit]:
    """A value is read back in the same loop as the optimizer's step, in each turn."""
    for path, facts in torch_files(subject):
        for inside, step in training_loops(facts):
            for call in inside:
                if (
                    call.last == "item"
                    and not call.node.args
                    and call.loops == step.loops
                    and len(call.guards) <= len(step.guards)
                    and call.guards[: len(step.guards)] == step.guards[: len(call.guards)]
                ):
                    yield Hit(path, call.line, f"{call.raw}() waits for the GPU in each step", "medium")
                    break


@SPEED("memory-not-pinned")
def memory_not_pinned(subject: Subject) -> Iterator[Hit]:
    """A shuffling loader with workers feeds a GPU from pageable memory."""
    moves = {p for p, c in subject.project.calls() if c.last == "cuda" or (c.last == "to" and c.node.args)}
    for loader in loaders(subject.project):
        told = loader.call.keyword("pin_memory") is not None or loader.call.unpacks()
        if loader.works and loader.shuffles and loader.path in moves and not told:
            yield Hit(loader.path, loader.call.line, "no pin_memory=True", "medium")


@SPEED("python-loop-over-tensor")
def python_loop_over_tensor(subject: Subject) -> Iterator[Hit]:
    """A model's forward pass or a loss goes over the rows of its own argument one by one."""
    for path, facts in torch_files(subject):
        for loop in facts.iterations:
            function = facts.functions.get(loop.scope)
            last = loop.scope.rpartition(".")[2]
            if (
                function is None
                or not (last == "forward" or "loss" in last.lower())
                or not isinstance(loop.node, ast.For)
            ):
                continue
            over = _rows_of(loop.over)
            if over in function.parameters() and over != "self" and _indexes(loop.node, over, loop.target):
                yield Hit(path, loop.line, f"goes over {over} row by row", "medium")


def _rows_of(over: ast.expr) -> str:
    """`x` of `range(len(x))`, `range(x.shape[0])` and `range(x.size(0))`."""
    found = re.fullmatch(r"range\((?:len\((\w+)\)|(\w+)\.shape\[0\]|(\w+)\.size\(0\))\)", ast.unparse(over))
    return next((g for g in found.groups() if g), "") if found else ""


def _indexes(loop: ast.For, name: str, target: ast.expr) -> bool:
    turn = ast.unparse(target)
    return any(
        isinstance(n, ast.Subscript) and ast.unparse(n.value) == name and turn in ast.unparse(n.slice)
        for n in ast.walk(loop)
    )


@SPEED("mixed-precision-unused")
def mixed_precision_unused(subject: Subject) -> Iterator[Hit]:
    """A loop trains on a GPU in full precision, and nothing offers another."""
    project = subject.project
    words = re.compile(r"\b(autocast|GradScaler|fp16|bf16|bfloat16|float16|half|amp|mixed_precision|precision|apex)\b")
    if any(words.search(m.text) for m in project.modules.values()):
        return
    on_gpu = {p for p, c in project.calls() if c.last == "cuda" or c.name.startswith("torch.cuda.")}
    for path, facts in torch_files(subject):
        for _, step in training_loops(facts):
            if path in on_gpu:
                yield Hit(path, step.line, "trains in full precision alone", "medium")
                return
