"""Rules about evaluation: over several seeds, in evaluation mode, without gradients."""

import re
from collections.abc import Iterator, Mapping

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import MAIN, Call, Facts
from ml_audit.code.graph import Scope
from ml_audit.code.project import Project
from ml_audit.rules.loops import torch_files, training_loops
from ml_audit.rules.rule import Hit, Subject, family

__all__ = ["EVALUATION"]

EVALUATION = family("evaluation")


@EVALUATION("one-seed-only")
def one_seed_only(subject: Subject) -> Iterator[Hit]:
    """Neither scripts nor code run several seeds."""
    if subject.signals["multi_seed_eval"].value in ("no", "partial"):
        yield Hit(".", 0, "nothing runs two seeds or more by default")


@EVALUATION("evaluation-in-training-mode")
def evaluation_in_training_mode(subject: Subject) -> Iterator[Hit]:
    """The project has dropout or batch normalization, evaluates without gradients, and never calls eval()."""
    calls = [c for _, c in subject.project.calls()]
    if any(c.last == "eval" and c.receiver for c in calls) or any(c.last == "train" and c.node.args for c in calls):
        return
    if not any(re.match(r"torch\.nn\.(Dropout|BatchNorm)", c.name) for c in calls):
        return
    for path, facts in torch_files(subject):
        for call in facts.calls:
            if call.name == "torch.no_grad" and re.search(r"eval|test|valid|infer|predict", call.scope, re.I):
                yield Hit(path, call.line, "evaluates, and nothing calls model.eval()", "medium")


@EVALUATION("gradients-in-evaluation")
def gradients_in_evaluation(subject: Subject) -> Iterator[Hit]:
    """A project calls eval() and never turns gradients off."""
    quiet = {"no_grad", "inference_mode", "set_grad_enabled"}
    everywhere = [c for _, c in subject.project.calls()]
    told = {r.raw.rpartition(".")[2] for f in subject.project.main_facts.values() for r in f.references}
    volatile = any(c.keyword("volatile") is not None for c in everywhere)
    if any(c.last in quiet for c in everywhere) or told & quiet or volatile:
        return
    for path, facts in torch_files(subject):
        for call in facts.calls:
            if call.last == "eval" and re.search(r"model|net\b", call.receiver) and not call.node.args:
                yield Hit(path, call.line, "evaluates with gradients on", "medium")
                break


_CLAIMS = re.compile(
    r"\b(averag\w*|mean|std|standard deviation)\b[^.\n|]{0,40}\b(over|of|across)\s+(the\s+)?"
    r"(\d+|two|three|four|five|ten|several|multiple)\s+(\w+\s+)?(seeds|runs|trials|splits|repetitions|initiali[sz]ations)\b",
    re.IGNORECASE,
)


_ELSEWHERE = re.compile(r"paper|reported|original|literature|published", re.IGNORECASE)
"""Heads of columns that hold what others measured."""


def _column(lines: list[str], number: int, at: int) -> str:
    """The head of the column of a table in which a place of a line stands; empty outside of tables."""
    if not lines[number].lstrip().startswith("|"):
        return ""
    first = number
    while first and lines[first - 1].lstrip().startswith("|"):
        first -= 1
    heads = lines[first].split("|")
    column = lines[number][:at].count("|")
    return heads[column] if column < len(heads) else ""


@EVALUATION("repetitions-unbacked")
def repetitions_unbacked(subject: Subject) -> Iterator[Hit]:
    """The README reports a mean over several runs, and neither code nor commands make several."""
    if subject.signals["multi_seed_eval"].value != "no":
        return
    for path in subject.project.readmes[:1]:
        lines = subject.project.texts.get(path, "").splitlines()
        for number, line in enumerate(lines, 1):
            found = _CLAIMS.search(line)
            if found is not None and not _ELSEWHERE.search(_column(lines, number - 1, found.start())):
                yield Hit(path, number, f"nothing here makes the {found.group(4)} {found.group(6)}", "medium")


@EVALUATION("training-mode-not-restored")
def training_mode_not_restored(subject: Subject) -> Iterator[Hit]:
    """A model is set to evaluate inside the loop that trains it, and never set to train again."""
    project = subject.project
    if any(c.last == "train" and not c.node.args and not c.node.keywords for _, c in project.calls()):
        return
    evaluating = {
        (p, c.scope): c
        for p, c in project.calls()
        if c.last == "eval" and c.receiver and not c.node.args and not _is_local(project.facts[p], c)
    }
    for path, facts in torch_files(subject):
        for _, step in training_loops(facts):
            outer = [c for c in facts.calls if c.scope == step.scope and step.loops[0] in c.loops]
            for call in outer:
                target = project.graph.target(facts, call.raw, call.scope)
                if call in evaluating.values() and _is_trained(facts, call):
                    yield Hit(path, call.line, "evaluation mode stays on: nothing calls train() again")
                elif target in evaluating and _is_trained(facts, call, _given_as(project, target, evaluating, call)):
                    yield Hit(target[0], evaluating[target].line, f"evaluation mode stays on for the loop in {path}")


def _is_local(facts: Facts, call: Call) -> bool:
    """Whether a function sets a model to evaluate that it has made or loaded itself."""
    return bool(call.scope) and call.scope != MAIN and (call.scope, call.receiver) in facts.types


def _given_as(project: Project, target: Scope, evaluating: Mapping[Scope, Call], call: Call) -> str:
    """What a call gives for the parameter that the called function sets to evaluate; empty if it is none."""
    names = project.facts[target[0]].functions[target[1]].parameters() if target[1] else []
    receiver = evaluating[target].receiver
    given = call.argument(names.index(receiver), receiver) if receiver in names else None
    return dotted(given) if given is not None else ""


def _is_trained(facts: Facts, call: Call, model: str = "") -> bool:
    """Whether a file gives the parameters of this model to something, if it does so of any: else it only follows."""
    given = {c.receiver.rpartition(".")[2] for c in facts.calls if c.last == "parameters"}
    told = model or ("" if call.last != "eval" else call.receiver)
    return not given or not told or told.rpartition(".")[2] in given
