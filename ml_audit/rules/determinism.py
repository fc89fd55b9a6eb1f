"""Rules about what libraries do by default: fast and different each time, or the same."""

import ast
import re
from collections.abc import Iterator

from ml_audit.rules.rule import Edit, Hit, Subject, family
from ml_audit.signals.determinism import flag_settings, speed_settings

__all__ = ["DETERMINISM"]

DETERMINISM = family("determinism")


@DETERMINISM("determinism-flags-missing")
def determinism_flags_missing(subject: Subject) -> Iterator[Hit]:
    """GPU code without any such flag."""
    if subject.signals["determinism_flags"].value == "no":
        entries = subject.project.main_entries
        yield Hit(entries[0].path if entries else ".", 0, "nothing asks for deterministic algorithms")
    elif subject.signals["determinism_flags"].value == "partial":
        for told in subject.signals["determinism_flags"].evidence:
            yield Hit(
                told.file, told.line or 0, "deterministic algorithms are off by default, or on for some paths only"
            )


@DETERMINISM("cudnn-benchmark-on")
def cudnn_benchmark_on(subject: Subject) -> Iterator[Hit]:
    """cudnn.benchmark is turned on."""
    seeded = bool(subject.seeding.places("torch"))
    for path, line, name in speed_settings(subject.project):
        if name.endswith(("benchmark", "benchmark=True)")):
            text = subject.plain_line(path, line)
            after = re.sub(r"=\s*True\b", "= False", text)
            edit = (
                Edit(file=path, line=line, before=text, after=after) if path.endswith(".py") and after != text else None
            )
            yield Hit(path, line, "cudnn.benchmark is on" + (" beside a seed" if seeded else ""), edit=edit)


@DETERMINISM("reduced-precision-on")
def reduced_precision_on(subject: Subject) -> Iterator[Hit]:
    """TF32 or a like mode is turned on."""
    for path, line, name in speed_settings(subject.project):
        if not name.endswith(("benchmark", "benchmark=True)")):
            yield Hit(path, line, f"{name.rpartition('.')[2]} is on")


@DETERMINISM("scatter-under-determinism")
def scatter_under_determinism(subject: Subject) -> Iterator[Hit]:
    """Such a call in a project that asks for deterministic algorithms."""
    if not any(told in ("yes", "unknown", "some") for _, _, _, told in flag_settings(subject.project)):
        return
    for path, call in subject.project.calls():
        if call.last in ("scatter_add", "scatter_add_", "index_add_", "index_add", "scatter_reduce", "scatter_reduce_"):
            yield Hit(path, call.line, f"{call.last} while deterministic algorithms are asked for", "medium")


@DETERMINISM("cublas-workspace-unset")
def cublas_workspace_unset(subject: Subject) -> Iterator[Hit]:
    """Deterministic algorithms are asked for on a GPU, and nothing sets cuBLAS's workspace."""
    project = subject.project
    name = "CUBLAS_WORKSPACE_CONFIG"
    if any(name in text for text in project.texts.values()) or any(name in m.text for m in project.modules.values()):
        return
    on_gpu = any(c.last == "cuda" or "torch.cuda" in c.name for _, c in project.calls())
    for path, call in project.calls():
        soft = call.keyword("warn_only")
        if call.name == "torch.use_deterministic_algorithms" and on_gpu and soft is None:
            mode = call.argument(0, "mode")
            if not isinstance(mode, ast.Constant) or mode.value is True:
                yield Hit(path, call.line, f"{name} is not set: matrix products on a GPU will raise", "medium")
