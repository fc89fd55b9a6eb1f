"""Comments that silence a finding: `# ml-audit: ignore[RULE] reason`; those that silence nothing are reported."""

import io
import re
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ml_audit.code.project import Project
from ml_audit.rules.rule import Finding, Hit

__all__ = ["Suppression", "suppressed", "suppressions_of"]

_COMMENT = re.compile(r"#\s*ml-audit:\s*ignore\[(?P<rules>[\w\-, ]+)\]\s*(?P<reason>.*)$")
_FILE = re.compile(r"#\s*ml-audit:\s*ignore-file\[(?P<rules>[\w\-, ]+)\]\s*(?P<reason>.*)$")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: where, for which rules, why; line 0 holds for the whole file."""

    file: str
    line: int
    covers: int
    rules: tuple[str, ...]
    reason: str


def suppressions_of(project: Project) -> list[Suppression]:
    """All such comments of Python files, notebooks and settings; one on a line of its own covers the next line."""
    found: list[Suppression] = []
    for path, module in project.modules.items():
        if "ml-audit:" in module.text:
            comments = _comments(module.text)
            found += [s for number, text, alone in comments for s in _read(path, module.line(number), text, alone)]
    for path, text in project.texts.items():
        if "ml-audit:" in text and not path.lower().endswith((".md", ".rst")):
            for number, line in enumerate(text.splitlines(), 1):
                found += _read(path, number, line, line.lstrip().startswith("#"))
    return found


def _comments(text: str) -> Iterable[tuple[int, str, bool]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string, token.line.lstrip().startswith("#")
    except (tokenize.TokenError, SyntaxError):
        return


def _read(path: str, line: int, text: str, alone: bool) -> Iterable[Suppression]:
    whole = _FILE.search(text)
    found = whole or _COMMENT.search(text)
    if found:
        rules = tuple(r.strip() for r in found["rules"].split(",") if r.strip())
        covers = 0 if whole else line + 1 if alone else line
        yield Suppression(path, line, covers, rules, found["reason"].strip())


def suppressed(
    findings: Iterable[Finding], told: Iterable[Suppression], known: Mapping[str, object]
) -> tuple[list[Finding], list[Finding], list[tuple[Hit, str]]]:
    """Findings that stay, findings that are silenced, and what is wrong with the comments themselves."""
    kept: list[Finding] = []
    silent: list[Finding] = []
    used: set[tuple[Suppression, str]] = set()
    every = list(told)
    for finding in findings:
        covering = [
            s for s in every if s.file == finding.file and finding.rule in s.rules and s.covers in (0, finding.line)
        ]
        used |= {(s, finding.rule) for s in covering}
        (silent if covering else kept).append(finding)
    wrong: list[tuple[Hit, str]] = []
    for one in every:
        for rule in one.rules:
            if rule not in known:
                wrong.append((Hit(one.file, one.line, f"there is no rule {rule}"), "see `ml-audit rules`"))
            elif (one, rule) not in used:
                wrong.append((Hit(one.file, one.line, f"ignore[{rule}] silences nothing"), "remove the comment"))
    return kept, silent, wrong
