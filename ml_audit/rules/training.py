"""Rules about training loops: what is forgotten in them."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call, Facts
from ml_audit.rules.loops import torch_files, training_loops
from ml_audit.rules.rule import Hit, Subject, family

__all__ = ["TRAINING"]

TRAINING = family("training")


@TRAINING("zero-grad-missing")
def zero_grad_missing(subject: Subject) -> Iterator[Hit]:
    """A loop goes backward and steps, and nothing in its scope clears gradients."""
    for path, facts in torch_files(subject):
        clears = {c.scope for c in facts.calls if c.last == "zero_grad"}
        helpers = {s for s in clears if s}
        by_hand = {s.scope for s in facts.settings if s.raw.endswith(".grad")}
        for inside, step in training_loops(facts):
            back = any(c.last == "backward" for c in inside)
            if step.node.args or any(
                c.last in {h.rpartition(".")[2] for h in helpers} or "grad" in c.last for c in inside
            ):
                continue
            if back and step.scope not in clears | by_hand and "step" not in step.scope:
                yield Hit(path, step.line, "steps without clearing gradients: nothing calls zero_grad()", "medium")


@TRAINING("scheduler-before-optimizer")
def scheduler_before_optimizer(subject: Subject) -> Iterator[Hit]:
    """In one loop, the scheduler's step stands above the optimizer's."""
    if subject.versions.may_be("torch", before=(1, 1)):
        return
    for path, facts in torch_files(subject):
        for inside, step in training_loops(facts):
            for call in inside:
                early = call.node.lineno < step.node.lineno and call.loops == step.loops
                if (
                    call.last == "step"
                    and re.search(r"sched", call.receiver, re.I)
                    and early
                    and call.guards == step.guards
                ):
                    yield Hit(path, call.line, f"the scheduler steps before the optimizer on line {step.line}")


@TRAINING("loss-kept-with-graph")
def loss_kept_with_graph(subject: Subject) -> Iterator[Hit]:
    """A loss is added to a running total as it is, after the step."""
    for path, facts in torch_files(subject):
        for _, step in training_loops(facts):
            loop = step.loops[-1]
            for node in ast.walk(loop):
                if (
                    not isinstance(node, ast.AugAssign)
                    or not isinstance(node.op, ast.Add)
                    or node.lineno <= step.node.lineno
                ):
                    continue
                if isinstance(node.value, ast.Name) and node.value.id == "loss" and "loss" in ast.unparse(node.target):
                    line = subject.project.modules[path].line(node.lineno)
                    yield Hit(path, line, "a loss with its graph is added to a total", "medium")


_FILLS = re.compile(
    r"(^|\.)(fill|uniform|normal|copy|zero|xavier|kaiming|orthogonal|constant|ones|zeros|eye|trunc_normal)\w*_$"
)


@TRAINING("uninitialized-memory")
def uninitialized_memory(subject: Subject) -> Iterator[Hit]:
    """Memory that was never written is read: weights or sums start from whatever was there."""
    for path, facts in subject.project.main_facts.items():
        filled = _filled(facts)
        for call in facts.calls:
            if call.name not in _EMPTY or "init" in ast.unparse(call.node):
                continue
            name = _assigned_to(facts, call)
            if name and name.rpartition(".")[2] not in filled:
                yield Hit(path, call.line, f"{name} is read before anything is written into it", "medium")


_EMPTY = {"numpy.empty", "numpy.ndarray", "torch.empty", "numpy.empty_like", "torch.empty_like"}
_KEEPS = re.compile(
    r"^(print|len|float|int|str|sum|abs|numpy\.(?!copyto|random\.shuffle|put)|torch\.(?!nn\.init|distributed))"
)
"""What reads its arguments and writes nothing into them."""


def _assigned_to(facts: Facts, call: Call) -> str:
    """The name or attribute that gets the memory itself, or a parameter made of it."""
    places = [(a.name, a.scope, a.value) for a in facts.assigned]
    for name, scope, value in (*places, *((s.raw, s.scope, s.value) for s in facts.settings)):
        made = (
            value.args[0] if isinstance(value, ast.Call) and value.args and _WRAPS.search(dotted(value.func)) else value
        )
        if scope == call.scope and made is call.node and re.fullmatch(r"(self\.)?\w+", name):
            return name
    return ""


_WRAPS = re.compile(r"(^|\.)Parameter$")


def _filled(facts: Facts) -> set[str]:
    """Last parts of names that something is written into: by items, in place, as an argument of some call."""
    found: set[str] = set()
    for setting in facts.settings:
        if "[]" in setting.raw:
            found.add(setting.raw.split("[]")[0].rpartition(".")[2])
    for call in facts.calls:
        if call.receiver:
            found |= {p.rstrip("[]()") for p in call.receiver.split(".")} if _FILLS.search(call.raw) else set()
        if _KEEPS.match(call.name) and call.keyword("out") is None:
            continue
        for given in (*call.node.args, *(k.value for k in call.node.keywords)):
            if isinstance(given, ast.Name | ast.Attribute | ast.Subscript):
                found.add(dotted(given).replace("[]", "").rpartition(".")[2])
        if re.search(r"reset_parameters|init_weights|_init_", call.raw):
            found |= {s.raw.rpartition(".")[2] for s in facts.settings if s.raw.startswith("self.")}
    return found


@TRAINING("checkpoint-drops-optimizer")
def checkpoint_drops_optimizer(subject: Subject) -> Iterator[Hit]:
    """Training can be resumed, and the checkpoint holds the weights alone."""
    project = subject.project
    words = " ".join(m.text for m in project.modules.values())
    if re.search(r"optim\w*\.state_dict|optimizer_state|save_checkpoint|save_state\(|Trainer\(", words):
        return
    if any(c.name == "torch.save" and re.search(r"optim", ast.unparse(c.node)) for _, c in project.calls()):
        return
    for path, facts in project.main_facts.items():
        resumes = any(d.kind == "flag" and "resume" in d.key for d in facts.defaults)
        if not resumes or not any(True for _ in training_loops(facts)):
            continue
        for call in facts.calls:
            if call.name == "torch.save" and _WEIGHTS.search(ast.unparse(call.node)):
                yield Hit(
                    path, call.line, "a resumed run starts with a new optimizer: its state is not saved", "medium"
                )


_WEIGHTS = re.compile(r"model|net\b|state|weight|checkpoint|ckpt", re.IGNORECASE)
