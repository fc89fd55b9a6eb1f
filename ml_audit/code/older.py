"""Python of other days, made readable, so that the rest of a file with print statements is still understood."""

import re

__all__ = ["without_line", "younger"]

_CHANGES = (
    (re.compile(r"^(\s*(?:.*:\s+)?)print\s+>>\s*[\w.]+\s*,\s*(.+?),?\s*$"), r"\1print(\2)"),
    (
        re.compile(r"^(\s*(?:(?:if|else|elif|for|while|try|with)\b.*:\s+)?)print[ \t]+(?![=(])(.+?),?\s*$"),
        r"\1print(\2)",
    ),
    (re.compile(r"^(\s*)print\s*$"), r"\1print()"),
    (re.compile(r"^(\s*except\s+(?:[\w.]+|\([^)]*\)))\s*,\s*(\w+)\s*:"), r"\1 as \2:"),
    (re.compile(r"^(\s*raise\s+[\w.]+)\s*,\s*(.+)$"), r"\1(\2)"),
    (re.compile(r"^(\s*)exec\s+(.+?)\s+in\s+(.+)$"), r"\1exec(\2, \3)"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"(?<![\w.])0(\d+)(?![\w.])"), r"0o\1"),
    (re.compile(r"(?<![\w.])(\d+)[lL]\b"), r"\1"),
    (re.compile(r"(?<![\w])ur(?=[\"'])"), "r"),
    (re.compile(r"\basync(?=\s*[=,)])"), "async_"),
    (re.compile(r"\.async\b"), ".async_"),
)


def younger(text: str) -> str:
    """The text with what newer versions of Python refuse written their way, line by line, none added or removed."""
    lines = []
    for line in text.expandtabs(8).split("\n"):
        for old, new in _CHANGES:
            line = old.sub(new, line)  # noqa: PLW2901  # each change works on what the one before it made
        lines.append(line)
    return "\n".join(lines)


def without_line(text: str, number: int) -> str:
    """The text with one line replaced by a statement that does nothing, as deep as it."""
    lines = text.split("\n")
    if 0 < number <= len(lines):
        line = lines[number - 1]
        deep = line[: len(line) - len(line.lstrip())]
        ahead = re.match(r"\s*(if|elif|else|for|while|try|except|finally|with|def|class)\b.*:\s*(#.*)?$", line)
        lines[number - 1] = "" if line.strip() == "pass" else f"{deep}if 1:" if ahead else f"{deep}pass"
    return "\n".join(lines)
