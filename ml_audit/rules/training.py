"""Rules about training loops: what is forgotten in them, and what makes them slow or different on several machines."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.facts import Call, Facts
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.loaders import loaders

__all__ = ["TRAINING"]

TRAINING = family("training")


def _loops(facts: Facts) -> Iterator[tuple[list[Call], Call]]:
    """For each step of an optimizer in a loop: all calls of its innermost loop, and the step."""
    for call in facts.calls:
        if call.last == "step" and call.loops and re.search(r"optim|\bopt\b", call.receiver, re.I):
            if "sched" in call.receiver:
                continue
            yield [c for c in facts.calls if c.scope == call.scope and call.loops[-1] in c.loops], call


def _torch_files(subject: Subject) -> Iterator[tuple[str, Facts]]:
    for path, facts in subject.project.main_facts.items():
        if any(i.module.split(".")[0] == "torch" for i in facts.imports):
            yield path, facts


@TRAINING("zero-grad-missing")
def zero_grad_missing(subject: Subject) -> Iterator[Hit]:
    """A loop goes backward and steps, and nothing in its scope clears gradients."""
    for path, facts in _torch_files(subject):
        clears = {c.scope for c in facts.calls if c.last == "zero_grad"}
        helpers = {s for s in clears if s}
        by_hand = {s.scope for s in facts.settings if s.raw.endswith(".grad")}
        for inside, step in _loops(facts):
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
    for path, facts in _torch_files(subject):
        for inside, step in _loops(facts):
            for call in inside:
                early = call.node.lineno < step.node.lineno and call.loops == step.loops
                if (
                    call.last == "step"
                    and re.search(r"sched", call.receiver, re.I)
                    and early
                    and call.guards == step.guards
                ):
                    yield Hit(path, call.line, f"the scheduler steps before the optimizer on line {step.line}")


@TRAINING("evaluation-in-training-mode")
def evaluation_in_training_mode(subject: Subject) -> Iterator[Hit]:
    """The project has dropout or batch normalization, evaluates without gradients, and never calls eval()."""
    calls = [c for _, c in subject.project.calls()]
    if any(c.last == "eval" and c.receiver for c in calls) or any(c.last == "train" and c.node.args for c in calls):
        return
    if not any(re.match(r"torch\.nn\.(Dropout|BatchNorm)", c.name) for c in calls):
        return
    for path, facts in _torch_files(subject):
        for call in facts.calls:
            if call.name == "torch.no_grad" and re.search(r"eval|test|valid|infer|predict", call.scope, re.I):
                yield Hit(path, call.line, "evaluates, and nothing calls model.eval()", "medium")


@TRAINING("gradients-in-evaluation")
def gradients_in_evaluation(subject: Subject) -> Iterator[Hit]:
    """A project calls eval() and never turns gradients off."""
    quiet = {"no_grad", "inference_mode", "set_grad_enabled"}
    everywhere = [c for _, c in subject.project.calls()]
    told = {r.raw.rpartition(".")[2] for f in subject.project.main_facts.values() for r in f.references}
    if any(c.last in quiet for c in everywhere) or told & quiet:
        return
    for path, facts in _torch_files(subject):
        for call in facts.calls:
            if call.last == "eval" and re.search(r"model|net\b", call.receiver) and not call.node.args:
                yield Hit(path, call.line, "evaluates with gradients on", "medium")
                break


@TRAINING("item-in-training-loop")
def item_in_training_loop(subject: Subject) -> Iterator[Hit]:
    """A value is read back in the same loop as the optimizer's step, in each turn."""
    for path, facts in _torch_files(subject):
        for inside, step in _loops(facts):
            for call in inside:
                if (
                    call.last == "item"
                    and not call.node.args
                    and call.loops == step.loops
                    and len(call.guards) <= len(step.guards)
                ):
                    yield Hit(path, call.line, f"{call.raw}() waits for the GPU in each step", "medium")
                    break


@TRAINING("memory-not-pinned")
def memory_not_pinned(subject: Subject) -> Iterator[Hit]:
    """A shuffling loader with workers feeds a GPU from pageable memory."""
    moves = {p for p, c in subject.project.calls() if c.last == "cuda" or (c.last == "to" and c.node.args)}
    for loader in loaders(subject.project):
        told = loader.call.keyword("pin_memory") is not None or loader.call.unpacks()
        if loader.works and loader.shuffles and loader.path in moves and not told:
            yield Hit(loader.path, loader.call.line, "no pin_memory=True", "medium")


@TRAINING("sampler-epoch-unset")
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
        if not (isinstance(shuffle, ast.Constant) and shuffle.value is False):
            yield Hit(path, call.line, "nothing calls set_epoch on this sampler")


@TRAINING("loss-kept-with-graph")
def loss_kept_with_graph(subject: Subject) -> Iterator[Hit]:
    """A loss is added to a running total as it is, after the step."""
    for path, facts in _torch_files(subject):
        for _, step in _loops(facts):
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
