"""Rules about the environment: what is declared, how tightly, and whether it can be installed."""

import re
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

from ml_audit.rules.rule import Edit, Hit, Subject, family

__all__ = ["ENVIRONMENT"]

ENVIRONMENT = family("environment")


WRONG_NAMES = {
    "yaml": "PyYAML", "cv2": "opencv-python", "pil": "Pillow", "skimage": "scikit-image", "bs4": "beautifulsoup4",
    "dotenv": "python-dotenv", "dateutil": "python-dateutil", "sklearn": "scikit-learn", "attr": "attrs",
    "usb": "pyusb", "serial": "pyserial", "crypto": "pycryptodome", "git": "GitPython", "magic": "python-magic",
    "jwt": "PyJWT"
}  # fmt: skip
"""Import names that are no distribution, or not the one that is meant."""

_PYTHON = re.compile(
    r"requires-python|python_requires|python[-_]version|\bpython\W{0,6}3(\.\d+)?|\bpy3\d+\b|Python :: 3", re.IGNORECASE
)
_OF_PYTHON = re.compile(r"^FROM\s+(\S*/)?python\b", re.IGNORECASE | re.MULTILINE)
"""An image of Python: that its version floats is said by another rule."""

_DESCRIBES = {"setup.cfg", "pipfile", "tox.ini", "makefile", "dockerfile", "meta.yaml"}
_CONDA = re.compile(r"^=[^=]+=[^=]+$")


STANDARD = frozenset(sys.stdlib_module_names) - {"dataclasses", "enum", "typing", "test"}


BIG = {
    "torch": ("torch", "pytorch"),
    "tensorflow": ("tensorflow",),
    "jax": ("jax",),
    "sklearn": ("scikit-learn",),
    "transformers": ("transformers",),
}


@ENVIRONMENT("dependencies-undeclared")
def dependencies_undeclared(subject: Subject) -> Iterator[Hit]:
    """No file declares dependencies."""
    if subject.signals["dependencies_pinned"].value == "absent":
        yield Hit(".", 0, "no file declares dependencies")


@ENVIRONMENT("dependency-floats")
def dependency_floats(subject: Subject) -> Iterator[Hit]:
    """A dependency of the main file is open at the top."""
    if subject.signals["dependencies_pinned"].value not in ("none", "some"):
        return
    main = next(e for e in subject.project.environments if subject.project.role(e.path) != "aside")
    for told in main.declared:
        if told.pin != "exact":
            yield Hit(main.path, told.line, f"{told.name} {told.specifier or 'has no version'}".strip())


@ENVIRONMENT("git-dependency-floats")
def git_dependency_floats(subject: Subject) -> Iterator[Hit]:
    """A dependency from a repository names no commit."""
    for environment in subject.project.environments:
        for told in environment.declared:
            if "git+" in told.specifier and not re.search(r"@[0-9a-f]{7,40}\b|@v?\d", told.specifier):
                yield Hit(environment.path, told.line, f"{told.name} follows a branch")


@ENVIRONMENT("requirement-not-installable")
def requirement_not_installable(subject: Subject) -> Iterator[Hit]:
    """A requirement has the name of an import, or of a module of the standard library."""
    for environment in subject.project.environments:
        if environment.path.endswith((".yml", ".yaml")) or any(_CONDA.match(d.specifier) for d in environment.declared):
            continue
        for told in environment.declared:
            low = told.name.lower()
            if low in WRONG_NAMES and "git+" not in told.specifier:
                right = WRONG_NAMES[low]
                text = subject.project.texts.get(environment.path, "").splitlines()
                line = text[told.line - 1] if told.line <= len(text) else ""
                plain = environment.path.endswith(".txt") and line.lower().startswith(low)
                edit = (
                    Edit(file=environment.path, line=told.line, before=line, after=right + line[len(low) :])
                    if plain
                    else None
                )
                yield Hit(
                    environment.path,
                    told.line,
                    f"no index serves {told.name!r} as what is meant: it is called {right}",
                    edit=edit,
                )
            elif low in STANDARD and environment.path.endswith(".txt"):
                yield Hit(environment.path, told.line, f"{told.name!r} is part of Python's standard library")


@ENVIRONMENT("import-undeclared")
def import_undeclared(subject: Subject) -> Iterator[Hit]:
    """A framework is imported by the main code and declared by no environment file."""
    project = subject.project
    own = [e for e in project.environments if project.role(e.path) != "aside"]
    if not own:
        return
    declared = {re.sub(r"[._]", "-", d.name.lower()) for e in own for d in e.declared}
    for package, names in BIG.items():
        if any(n in d for n in names for d in declared):
            continue
        for path, facts in project.main_facts.items():
            line = next((i.line for i in facts.imports if i.module.split(".")[0] == package and not i.tried), None)
            if line is not None:
                yield Hit(path, line, f"{package} is imported, and {own[0].path} does not declare it")
                break


@ENVIRONMENT("lock-file-missing")
def lock_file_missing(subject: Subject) -> Iterator[Hit]:
    """No lock file of packages."""
    if subject.signals["has_lockfile"].value == "no":
        told = (
            "dvc.lock locks data, no packages"
            if "dvc.lock" in subject.project.sizes
            else "what the dependencies depend on is open"
        )
        yield Hit(".", 0, told)


_OF_A_PYTHON = rb"(?<![\d.])(2\.7|3)(?!\d)"
_PYTHON_FILES = {
    ".python-version": re.compile(rb"^[^#\n]*" + _OF_A_PYTHON, re.MULTILINE),
    "runtime.txt": re.compile(rb"^[^#\n]*" + _OF_A_PYTHON, re.MULTILINE),
    ".tool-versions": re.compile(rb"^\s*python\s+\S*" + _OF_A_PYTHON, re.MULTILINE),
}
"""Files that name a Python, and what shows that they do: a version that there is."""


def _names_python(path: str, content: bytes | None) -> bool:
    """Whether a file says which Python; what was too large to be read is believed."""
    shown = _PYTHON_FILES.get(PurePosixPath(path).name.lower())
    return shown is not None and (content is None or bool(shown.search(content)))


@ENVIRONMENT("python-version-unstated")
def python_version_unstated(subject: Subject) -> Iterator[Hit]:
    """No file and no document says which Python."""
    project = subject.project
    if not any(path.endswith(".py") for path in project.modules):
        return
    if any(_names_python(path, project.repository.files.get(path)) for path in project.sizes):
        return
    told = False
    for path, text in project.texts.items():
        name = PurePosixPath(path).name.lower()
        if name in _DESCRIBES or name.endswith((".md", ".rst", ".yml", ".yaml", ".toml")) or "docker" in name:
            told = told or bool(_PYTHON.search(text)) or bool(_OF_PYTHON.search(text))
    if told:
        return
    setups = [m.text for p, m in project.modules.items() if PurePosixPath(p).name == "setup.py"]
    if not any(re.search(r"python_requires|Python :: \d", text) for text in setups):
        yield Hit(project.environments[0].path if project.environments else ".", 0, "nothing says which Python")
