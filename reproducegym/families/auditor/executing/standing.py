"""What a fix must leave standing where runs show nothing: no finding is mended by taking away what it is about."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from posixpath import normpath

from ml_audit.code.project import Project
from ml_audit.repository import Repository
from ml_audit.texts.dependencies import Declared, environments
from reproducegym.families.auditor.executing.rules import all_found
from reproducegym.planting.edit import lines_of
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged

__all__ = ["fallen"]

_WORD = re.compile(r"[A-Za-z_][\w-]*")
_HASHED = re.compile(r"(^|(?<=\s))#.*$", re.MULTILINE)
_UNSEEN = re.compile(r"<!--.*?(-->|\Z)|^\s*#.*$", re.MULTILINE | re.DOTALL)
_BY_NAME = re.compile(
    r"\b(setattr|getattr|delattr|vars|globals|locals|exec|eval|compile|__\w+__|Namespace|putenv|import_module)\b"
)
"""What Python code does by names that are made while it runs, which no rule follows."""

_UNREAD = "setting-unread"

Files = Mapping[str, str]


def fallen(episode: Damaged, planted: Planted, damaged: Files, fixed: Files) -> str:
    """Why a fix takes away what the defect is about, or brings in another one; empty where it does not.

    `damaged` has this defect of the episode alone, `fixed` this fix in its place; all others are undone in both.
    """
    clean = episode.project.files
    more = all_found(fixed) - all_found(clean)
    if more:
        return f"{min(more)} finds more than in the clean project"
    hidden = _hidden(damaged, fixed)
    if hidden or planted.effect != "structural":
        return hidden
    told = (*_requirements(clean, damaged, fixed), *_commands(clean, fixed), _more_code(planted, clean, damaged, fixed))
    return next(filter(None, told), "") or _words(_kept(episode.files, planted), clean, damaged, fixed)


def _hidden(damaged: Files, fixed: Files) -> str:
    for path in sorted(fixed):
        if path.endswith((".py", ".ipynb")) and fixed[path] != damaged.get(path):
            found = Counter(_BY_NAME.findall(fixed[path])) - Counter(_BY_NAME.findall(damaged.get(path, "")))
            if found:
                return f"{path} goes by {min(found)}, which no rule can follow"
    return ""


def _requirements(clean: Files, damaged: Files, fixed: Files) -> Iterator[str]:
    """Names that a file of the clean project requires still stand there; a version that is new could be one."""
    wanted, stood, found = _declared(clean), _declared(damaged), _declared(fixed)
    for (path, name), ours in wanted.items():
        if path not in damaged:
            continue
        theirs = found.get((path, name))
        if theirs is None:
            yield f"{path} no longer requires {name}"
        elif stood.get((path, name)) != theirs and not _could_be(_release(theirs), _release(ours)):
            yield f"{path} requires a {name} that there is not: {theirs}"


def _declared(files: Files) -> dict[tuple[str, str], str]:
    def named(one: Declared) -> str:
        return re.sub(r"[-_.]+", "-", one.name.lower())

    found = environments({path: text.encode() for path, text in files.items()})
    return {(one.path, named(one)): one.specifier for told in found for one in told.declared}


def _release(specifier: str) -> tuple[int, ...]:
    """The digits of the one version that a specifier names; none where it names a commit or more than one."""
    shown = re.fullmatch(r"[=~^]{0,3}\s*v?(\d+(?:\.\d+)*)\S*", specifier.split(" --hash", maxsplit=1)[0].strip())
    return tuple(int(part) for part in shown[1].split(".")) if shown else ()


def _could_be(found: tuple[int, ...], ours: tuple[int, ...]) -> bool:
    """Of our version's series or the one before, and no later than ours, which is newer than most agents know."""
    if not found or not ours:
        return True
    return found <= ours and found[0] >= ours[0] - 1 and any(found)


def _commands(clean: Files, fixed: Files) -> Iterator[str]:
    """Each program that documents and scripts of the clean project start is started as often."""
    for name in sorted((_started(clean) - _started(fixed)).keys()):
        yield f"no command starts {name} where the clean project's does"


def _started(files: Files) -> Counter[str]:
    project = Project(Repository("", {path: text.encode() for path, text in files.items()}))
    names = (normpath(one.script) if one.script else one.module for one in project.commands)
    return Counter(name for name in names if name)


def _kept(files: Files, planted: Planted) -> dict[str, set[str]]:
    """By file, the words that the damaged lines have with the clean ones in common; none of Python's programs."""
    kept: dict[str, set[str]] = {}
    for edit in planted.fix:
        path = edit.file
        if path in files and not path.endswith(".py"):
            lines = "".join(lines_of(files[path])[edit.first_line - 1 : edit.last_line])
            kept.setdefault(path, set()).update(_words_of(path, lines).keys() & _words_of(path, edit.text).keys())
    return kept


def _more_code(planted: Planted, clean: Files, damaged: Files, fixed: Files) -> str:
    """Python code that is too much is mended by less of it: the same by other words is as much.

    An option that nothing reads may stay where something reads it, so there the damaged files are the measure.
    """
    if any(edit.text or not edit.file.endswith(".py") for edit in planted.fix):
        return ""
    most = sum(map(_statements, _programs(damaged if planted.rule == _UNREAD else clean)))
    count = sum(map(_statements, _programs(fixed)))
    return f"there are {count} statements, and {most} are enough" if count > most else ""


def _programs(files: Files) -> Iterator[str]:
    return (text for path, text in files.items() if path.endswith(".py"))


@lru_cache(maxsize=1024)
def _statements(program: str) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(program)))


def _words(kept: Mapping[str, set[str]], clean: Files, damaged: Files, fixed: Files) -> str:
    """These words stand in their file as often as before, outside of comments."""
    for path, words in kept.items():
        least = _words_of(path, clean.get(path, "")) & _words_of(path, damaged.get(path, ""))
        found = _words_of(path, fixed.get(path, ""))
        lost = sorted(word for word in words if found[word] < least[word])
        if lost:
            return f"{path} no longer says {lost[0]}"
    return ""


def _words_of(path: str, text: str) -> Counter[str]:
    """Words outside of comments."""
    if path.endswith((".json", ".ipynb", ".lock")):
        return Counter(_WORD.findall(text))
    comments = _UNSEEN if path.endswith((".md", ".rst")) else _HASHED
    return Counter(_WORD.findall(comments.sub("", text)))
