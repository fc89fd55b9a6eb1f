"""Rules about what people read first: README, licence, commands, numbers, hardware."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ml_audit.code.project import Project
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.texts.keys import plain_key

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


@DOCUMENTS("checkpoints-unlinked")
def checkpoints_unlinked(subject: Subject) -> Iterator[Hit]:
    """No trained weights can be fetched."""
    if subject.signals["checkpoints_linked"].value == "no":
        yield Hit(subject.project.readmes[0] if subject.project.readmes else ".", 0, "no trained weights are linked")


@DOCUMENTS("command-flag-unknown")
def command_flag_unknown(subject: Subject) -> Iterator[Hit]:
    """A command of the README gives its script a flag that no parser of the project knows."""
    project = subject.project
    declared = {d.key for f in project.facts.values() for d in f.defaults}
    for command in project.commands:
        path = project.named_by_command(command)
        if command.path not in project.readmes[:1] or path is None or not _parses_strictly(project, path):
            continue
        rest = command.text.partition(PurePosixPath(path).name if command.script else command.module)[2]
        for flag in re.findall(r"(?<=\s)--([A-Za-z][\w-]*)", re.split(r"[|;&>]", rest)[0]):
            key = plain_key(flag)
            known = key in declared or any(d.startswith(key) for d in declared) or key == "help"
            if not known and key.removeprefix("no_") not in declared:
                yield Hit(command.path, command.line, f"{path} knows no flag --{flag}")


def _parses_strictly(project: Project, path: str) -> bool:
    """Whether a script and what it runs parse flags by argparse alone, and all of them."""
    entry = next((e for e in project.entries if e.path == path), None)
    files = {scope[0] for scope in entry.maybe} if entry is not None else {path}
    calls = [c for p in files for c in project.facts[p].calls]
    strict = any(c.last == "parse_args" and c.name.startswith("argparse.") for c in calls)
    loose = any(c.last in _LOOSE for c in calls)
    dynamic = any(c.last == "add_argument" and not isinstance(c.argument(0), ast.Constant) for c in calls)
    return strict and not loose and not dynamic


_LOOSE = {"parse_known_args", "LightningCLI", "parse_args_into_dataclasses", "add_argparse_args"}
