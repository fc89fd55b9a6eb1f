"""Scalar settings of configuration files (YAML, TOML, INI, JSON, gin), with their lines."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ml_audit.texts.keys import plain_key

__all__ = ["FileSettings", "Told", "is_settings_file", "settings_of"]

Constant = str | int | float | bool | None
_LINE = re.compile(r"""^\s*(?:-\s+)?["']?([\w.\-/]+)["']?\s*[:=]\s*(.*?)\s*,?\s*$""")
_WORDS: dict[str, Constant] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "none": None,
    "yes": True,
    "no": False,
}
LONGEST = 400_000
_NOT = (
    "package-lock",
    "poetry.lock",
    "uv.lock",
    "dvc.lock",
    ".pre-commit",
    "mkdocs",
    ".github/",
    "pipfile.lock",
    ".gitlab",
)


@dataclass(frozen=True, slots=True)
class Told:
    """One setting of a file."""

    path: str
    line: int
    key: str
    value: Constant


class FileSettings:
    """All settings of all configuration files, by name."""

    def __init__(self, told: Iterable[Told]) -> None:
        self._by_key: dict[str, list[Told]] = {}
        for one in told:
            self._by_key.setdefault(one.key, []).append(one)

    def named(self, key: str) -> tuple[Constant, ...]:
        """All values under a name, each once."""
        return tuple(dict.fromkeys(t.value for t in self._by_key.get(plain_key(key), ())))

    def all(self) -> list[Told]:
        """Every setting."""
        return [told for group in self._by_key.values() for told in group]

    def places(self, key: str) -> list[Told]:
        """All places under a name."""
        return self._by_key.get(plain_key(key), [])


def is_settings_file(path: str) -> bool:
    """Whether a file holds settings of experiments by its name."""
    low = path.lower()
    return low.endswith((".yaml", ".yml", ".toml", ".ini", ".gin", ".json", ".cfg")) and not any(n in low for n in _NOT)


def settings_of(path: str, text: str) -> Iterator[Told]:
    """The scalar settings of one file; nested keys keep their last part."""
    if len(text) > LONGEST:
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.match(line)
        if found is None or line.lstrip().startswith(("#", ";", "//")):
            continue
        written = re.sub(r"\s+#.*$", "", found.group(2)).strip()
        if not written or written[0] in "{[&*|>":
            continue
        yield Told(path, number, plain_key(re.split(r"[./]", found.group(1))[-1]), _scalar(written))


def _scalar(written: str) -> Constant:
    if written[0] in "\"'":
        return written.strip("\"'")
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    try:
        return int(written)
    except ValueError:
        pass
    try:
        return float(written)
    except ValueError:
        return written
