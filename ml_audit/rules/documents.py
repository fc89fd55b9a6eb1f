"""Rules about what people read and run first: README, licence, tests, continuous integration, paths, notebooks."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.experiments import machine_paths
from ml_audit.signals.files import has_tests

__all__ = ["DOCUMENTS"]

DOCUMENTS = family("documents")


@DOCUMENTS("readme-missing")
def readme_missing(subject: Subject) -> Iterator[Hit]:
    """No README."""
    if subject.signals["has_readme"].value == "no":
        yield Hit(".", 0, "there is no README")


@DOCUMENTS("license-missing")
def license_missing(subject: Subject) -> Iterator[Hit]:
    """No licence file at the root."""
    if subject.signals["has_license"].value != "no":
        return
    for path in subject.project.readmes[:1]:
        for number, line in enumerate(subject.project.texts.get(path, "").splitlines(), 1):
            if re.search(r"\blicen[cs]ed?\b", line, re.I) and re.search(r"MIT|Apache|BSD|GPL|CC[- ]BY", line):
                yield Hit(path, number, "the licence is named only here; there is no licence file")
                return
    yield Hit(".", 0, "there is no licence file")


@DOCUMENTS("ci-missing")
def ci_missing(subject: Subject) -> Iterator[Hit]:
    """No continuous integration that runs anything."""
    if subject.signals["has_ci"].value != "no":
        return
    flows = [p for p in subject.project.sizes if p.startswith(".github/workflows/")]
    told = f"{flows[0]} builds, lints, tests and runs nothing on changes" if flows else "nothing runs on changes"
    yield Hit(flows[0] if flows else ".", 0, told)


@DOCUMENTS("tests-missing")
def tests_missing(subject: Subject) -> Iterator[Hit]:
    """No automated tests."""
    if has_tests(subject.project).value == "no":
        named = [p for p in subject.project.facts if p.endswith("_test.py")]
        told = f"{named[0]} is named like a test and is an experiment" if named else "there are no tests"
        yield Hit(named[0] if named else ".", 0, told)


@DOCUMENTS("absolute-path")
def absolute_path(subject: Subject) -> Iterator[Hit]:
    """A path of somebody's machine, or a placeholder that must be edited."""
    real, placeholders = machine_paths(subject.project)
    for place in dict.fromkeys(real):
        yield Hit(place.path, place.line, "path of one machine")
    for place in dict.fromkeys(placeholders):
        yield Hit(place.path, place.line, "placeholder that every reader must edit", "medium")


@DOCUMENTS("commands-missing")
def commands_missing(subject: Subject) -> Iterator[Hit]:
    """The documents hold no exact commands."""
    value = subject.signals["reproduce_commands"].value
    if value in ("no", "partial"):
        where = subject.project.readmes[0] if subject.project.readmes else "."
        told = (
            "no command that trains or evaluates"
            if value == "no"
            else "only generic usage, not the commands behind the numbers"
        )
        yield Hit(where, 0, told, "medium")


@DOCUMENTS("command-names-no-file")
def command_names_no_file(subject: Subject) -> Iterator[Hit]:
    """A command of the README runs a script that is not there."""
    project = subject.project
    names = {PurePosixPath(p).name for p in project.sizes}
    for command in project.commands:
        if command.path not in project.readmes[:1] or not command.script or project.named_by_command(command):
            continue
        name = PurePosixPath(command.script).name
        if "$" in command.script or "{" in command.script or "<" in command.text or name == "setup.py":
            continue
        outside = re.search(r"\bcd\s+\S|git clone|\.\./|/(opt|usr|path)/", command.text)
        if not outside and not re.search(r"your|example|my_|xxx|foo|script\.py", name) and name not in names:
            yield Hit(command.path, command.line, f"runs {command.script}, which is not in the repository")


@DOCUMENTS("hardware-unstated")
def hardware_unstated(subject: Subject) -> Iterator[Hit]:
    """No document names the machine."""
    told = subject.signals["hardware_stated"]
    if told.value == "no":
        yield Hit(subject.project.readmes[0] if subject.project.readmes else ".", 0, "no document names the hardware")
    elif told.value == "partial":
        yield Hit(told.evidence[0].file, told.evidence[0].line or 0, "says how much memory or how many, not which")


@DOCUMENTS("results-missing")
def results_missing(subject: Subject) -> Iterator[Hit]:
    """The README has no table of results."""
    if subject.signals["results_table_in_readme"].value == "no":
        yield Hit(subject.project.readmes[0] if subject.project.readmes else ".", 0, "no table of results")


@DOCUMENTS("broken-syntax")
def broken_syntax(subject: Subject) -> Iterator[Hit]:
    """A file or a notebook's cell does not parse."""
    for path, module in subject.project.modules.items():
        for line, problem in module.broken:
            python2 = re.search(r"Missing parentheses|multiple exception types|leading zeros", problem)
            yield Hit(path, line, f"{'Python 2' if python2 else 'broken'} syntax: {problem}")


@DOCUMENTS("notebook-out-of-order")
def notebook_out_of_order(subject: Subject) -> Iterator[Hit]:
    """Execution counts of a notebook go backwards."""
    for path, module in subject.project.modules.items():
        if subject.project.role(path) != "main":
            continue
        last = 0
        for cell in module.cells:
            if cell.run_as is not None:
                if cell.run_as < last:
                    yield Hit(path, module.line(cell.line), f"run as [{cell.run_as}] after [{last}]")
                    break
                last = cell.run_as


@DOCUMENTS("one-seed-only")
def one_seed_only(subject: Subject) -> Iterator[Hit]:
    """Neither scripts nor code run several seeds."""
    if subject.signals["multi_seed_eval"].value in ("no", "partial"):
        yield Hit(".", 0, "nothing runs two seeds or more by default")


@DOCUMENTS("checkpoints-unlinked")
def checkpoints_unlinked(subject: Subject) -> Iterator[Hit]:
    """No trained weights can be fetched."""
    if subject.signals["checkpoints_linked"].value == "no":
        yield Hit(subject.project.readmes[0] if subject.project.readmes else ".", 0, "no trained weights are linked")


@DOCUMENTS("constants-in-code")
def constants_in_code(subject: Subject) -> Iterator[Hit]:
    """No configuration, or only a little of it."""
    value = subject.signals["config_driven"].value
    entries = subject.project.main_entries
    if value in ("no", "partial"):
        told = (
            "settings are constants in the code" if value == "no" else "only a few settings can be changed from outside"
        )
        yield Hit(entries[0].path if entries else ".", 0, told, "medium")
