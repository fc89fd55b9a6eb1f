"""Rules about what libraries do by default: fast and different each time, or the same."""

import re
from collections.abc import Iterator

from ml_audit.rules.rule import Edit, Hit, Subject, family
from ml_audit.signals.determinism import flag_settings, speed_settings
from ml_audit.signals.loaders import loaders
from ml_audit.signals.order import hazards

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
            text = _line(subject, path, line)
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


@DETERMINISM("loader-workers-unseeded")
def loader_workers_unseeded(subject: Subject) -> Iterator[Hit]:
    """A shuffling loader with workers has neither generator nor init function."""
    if subject.signals["dataloader_worker_seeding"].value == "yes":
        return
    for loader in loaders(subject.project):
        if loader.shuffles and loader.works and not loader.seeded:
            yield Hit(loader.path, loader.call.line, "shuffles with workers, without generator= or worker_init_fn=")


@DETERMINISM("labels-from-set")
def labels_from_set(subject: Subject) -> Iterator[Hit]:
    """A set's order becomes ids or a list of labels."""
    for hazard in hazards(subject.project):
        if hazard.kind == "set":
            text = _line(subject, hazard.path, hazard.line)
            after = re.sub(r"\b(list|tuple|enumerate)\(((?:list\()?)(set\([^()]*\))", r"\1(\2sorted(\3)", text)
            safe = after != text and hazard.path.endswith(".py") and text.count("set(") == 1
            edit = Edit(file=hazard.path, line=hazard.line, before=text, after=after) if safe else None
            yield Hit(hazard.path, hazard.line, f"the order of a set reaches {hazard.what}", edit=edit)


@DETERMINISM("unsorted-listing")
def unsorted_listing(subject: Subject) -> Iterator[Hit]:
    """An unsorted listing reaches data."""
    for hazard in hazards(subject.project):
        if hazard.kind == "listing":
            text = _line(subject, hazard.path, hazard.line)
            found = re.search(r"=\s*((?:os\.listdir|glob\.glob)\([^()]*(?:\([^()]*\)[^()]*)*\))\s*$", text)
            after = f"{text[: found.start(1)]}sorted({found.group(1)})" if found else ""
            edit = (
                Edit(file=hazard.path, line=hazard.line, before=text, after=after)
                if after and hazard.path.endswith(".py")
                else None
            )
            yield Hit(hazard.path, hazard.line, f"unsorted listing reaches {hazard.what}", "medium", edit)


@DETERMINISM("results-as-they-finish")
def results_as_they_finish(subject: Subject) -> Iterator[Hit]:
    """Parallel results are taken as they come and put into a list."""
    for path, call in subject.project.calls():
        if call.last == "imap_unordered" and call.used_as not in ("sorted", "sum", "set", "dict"):
            yield Hit(path, call.line, "results come in the order in which workers finish", "medium")


def _line(subject: Subject, path: str, line: int) -> str:
    module = subject.project.modules.get(path)
    lines = module.text.splitlines() if module is not None and module.raw_lines is None else []
    return lines[line - 1] if 0 < line <= len(lines) else ""
