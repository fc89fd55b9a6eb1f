"""Rules about the environment: what is declared, how tightly, and whether it can be installed."""

import re
import sys
from collections.abc import Iterator

from ml_audit.rules.rule import Edit, Hit, Subject, family
from ml_audit.signals.files import docker_bases, dockerfiles

__all__ = ["ENVIRONMENT"]

ENVIRONMENT = family("environment")

WRONG_NAMES = {
    "yaml": "PyYAML",
    "cv2": "opencv-python",
    "pil": "Pillow",
    "skimage": "scikit-image",
    "bs4": "beautifulsoup4",
}
WRONG_NAMES |= {
    "dotenv": "python-dotenv",
    "dateutil": "python-dateutil",
    "sklearn": "scikit-learn",
    "attr": "attrs",
    "usb": "pyusb",
}
WRONG_NAMES |= {
    "serial": "pyserial",
    "crypto": "pycryptodome",
    "git": "GitPython",
    "magic": "python-magic",
    "jwt": "PyJWT",
}
"""Import names that are no distribution, or not the one that is meant."""

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


@ENVIRONMENT("dockerfile-missing")
def dockerfile_missing(subject: Subject) -> Iterator[Hit]:
    """No Dockerfile."""
    if subject.signals["has_dockerfile"].value == "no":
        yield Hit(".", 0, "nothing builds an image")


@ENVIRONMENT("docker-base-floats")
def docker_base_floats(subject: Subject) -> Iterator[Hit]:
    """A base image without a digest."""
    for path in dockerfiles(subject.project)[:1]:
        for line, base in docker_bases(subject.project, path):
            if "@sha256:" not in base:
                version = ":" in base.rsplit("/", maxsplit=1)[-1] and not base.endswith(":latest")
                yield Hit(
                    path, line, f"{base} " + ("has a version, and no digest" if version else "is whatever is newest")
                )


@ENVIRONMENT("docker-pip-floats")
def docker_pip_floats(subject: Subject) -> Iterator[Hit]:
    """An image installs names without versions."""
    for path in dockerfiles(subject.project):
        for number, line in enumerate(subject.project.texts.get(path, "").splitlines(), 1):
            found = re.search(r"\bpip3?\s+install\s+(.*)", line)
            if found is None or re.search(r"(^|\s)(-r|-e|--requirement|\.)", found.group(1)):
                continue
            names = [w for w in re.split(r"[\s;&|\\]+", found.group(1)) if re.match(r"^[A-Za-z][\w.\[\]-]*$", w)]
            names = [n for n in names if n not in ("pip", "setuptools", "wheel")]
            if names:
                yield Hit(path, number, f"installs {', '.join(names[:4])} without a version")


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
