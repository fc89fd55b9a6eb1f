"""Whether libraries are told to be deterministic, or told not to be."""

import ast

from ml_audit.code.facts import Call, Setting
from ml_audit.code.graph import Scope
from ml_audit.code.project import Project, once
from ml_audit.code.truth import Holds
from ml_audit.signals.answer import Place, Signal, answer
from ml_audit.signals.seeding import Seeding

__all__ = ["determinism_flags", "flag_settings", "nondeterminism_flags", "speed_settings"]

_CALLS = {
    "torch.use_deterministic_algorithms",
    "torch.set_deterministic",
    "tensorflow.config.experimental.enable_op_determinism",
}
_CALLS |= {"transformers.enable_full_determinism", "transformers.trainer_utils.enable_full_determinism"}
_ENVIRON = ("os.environ[]TF_DETERMINISTIC_OPS", "os.environ[]TF_CUDNN_DETERMINISTIC")
_LIGHTNING = ("pytorch_lightning", "lightning")
_FAST = ("cudnn.benchmark", "matmul.allow_tf32", "cudnn.allow_tf32", "allow_fp16_reduced_precision_reduction")

Flag = tuple[str, int, Scope, Holds]


def _truth(project: Project, path: str, scope: str, value: ast.expr | None) -> Holds:
    found = {
        "unknown"
        if v.kind in ("unknown", "drawn")
        else "yes"
        if v.kind == "fixed" or v.constant not in (False, None, 0, "0")
        else "no"
        for v in project.values.of(value, (path, scope))
    }
    if isinstance(value, ast.UnaryOp):
        return "unknown"
    return "some" if {"yes", "no"} <= found else "yes" if "yes" in found else "no" if found == {"no"} else "unknown"


def _guarded(project: Project, path: str, found: Call | Setting, told: Holds) -> Holds:
    held = [project.values.holds(g, (path, found.scope)) for g in found.guards]
    if "no" in held:
        return "no"
    return "some" if "some" in held and told != "no" else told


@once
def flag_settings(project: Project) -> list[Flag]:
    """Every place that asks for determinism: file, line, scope, and whether it does so by default."""
    found: list[Flag] = []
    for path, facts in project.main_facts.items():
        for setting in facts.settings:
            if setting.name.endswith("cudnn.deterministic") or setting.name in _ENVIRON:
                told = _truth(project, path, setting.scope, setting.value)
                if told == "no" and isinstance(setting.value, ast.Constant):
                    continue
                found.append((path, setting.line, (path, setting.scope), _guarded(project, path, setting, told)))
        for call in facts.calls:
            asked: ast.expr | None = None
            if call.name in _CALLS:
                asked = call.argument(0, "mode", "d") or ast.Constant(value=True)
            elif call.last == "Trainer" and call.name.startswith("pytorch_lightning"):
                asked = call.keyword("deterministic")
            elif call.last.endswith("TrainingArguments"):
                asked = call.keyword("full_determinism")
            elif call.name.endswith("cudnn.flags"):
                asked = call.keyword("deterministic")
            if asked is not None:
                told = _truth(project, path, call.scope, asked)
                if told != "no" or not isinstance(asked, ast.Constant):
                    found.append((path, call.line, (path, call.scope), _guarded(project, path, call, told)))
    return found


def determinism_flags(seeding: Seeding, *, applies: bool) -> Signal:
    """`yes` if active by default where the training passes, `partial` if off by default or on some paths only."""
    project = seeding.project
    found = flag_settings(project)
    if not applies:
        return answer("na")
    places = [Place(path, line) for path, line, _, _ in found]
    if not found and any(i.module.startswith(_LIGHTNING) for f in project.main_facts.values() for i in f.imports):
        told = [t for t in project.settings.places("deterministic") if project.role(t.path) == "main"]
        if told:
            value = "yes" if all(t.value not in (False, None) for t in told) else "partial"
            return answer(value, [Place(t.path, t.line) for t in told], "as the trainer's settings say")
    if not found:
        return answer("no")
    on = {scope for _, _, scope, told in found if told in ("yes", "unknown")}
    pool = seeding.pool("torch") or project.main_entries
    active = sum(not on.isdisjoint(e.surely) for e in pool)
    value = "yes" if (active and active * 2 >= len(pool)) or (on and not pool) else "partial"
    return answer(value, places, "" if value == "yes" else "off by default or on some paths only")


@once
def speed_settings(project: Project) -> list[tuple[str, int, str]]:
    """Every place that turns a nondeterministic or less precise mode on: file, line, what."""
    found = []
    for path, facts in project.main_facts.items():
        for setting in facts.settings:
            if setting.name.endswith(_FAST) and _truth(project, path, setting.scope, setting.value) != "no":
                found.append((path, setting.line, setting.name))
        for call in facts.calls:
            if call.name == "torch.set_float32_matmul_precision":
                first = call.argument(0, "precision")
                if isinstance(first, ast.Constant) and first.value in ("high", "medium"):
                    found.append((path, call.line, call.name))
            elif call.last == "Trainer" and getattr(call.keyword("benchmark"), "value", None) is True:
                found.append((path, call.line, "Trainer(benchmark=True)"))
            elif call.last.endswith("TrainingArguments") and getattr(call.keyword("tf32"), "value", None) is True:
                found.append((path, call.line, "TrainingArguments(tf32=True)"))
    return found


def nondeterminism_flags(project: Project) -> Signal:
    """Whether `cudnn.benchmark`, TF32 and the like are turned on."""
    found = speed_settings(project)
    return answer("yes", [Place(path, line) for path, line, _ in found]) if found else answer("no")
