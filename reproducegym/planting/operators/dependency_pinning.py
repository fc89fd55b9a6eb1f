"""Dependencies: versions that float, names that no index serves, locks that are gone."""

import re
from collections.abc import Iterator

from reproducegym.planting.edit import Edit, Place, Texts, lines_of
from reproducegym.planting.operator import Site, operators

__all__ = ["DEPENDENCY_PINNING"]

DEPENDENCY_PINNING = operators("dependency_pinning")

_LOCKS = ("uv.lock", "poetry.lock", "pylock.toml", "pdm.lock", "Pipfile.lock", "conda-lock.yml", "pixi.lock")
_PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==(\d[\w.]*)(.*)$", re.DOTALL)
_WRONG = {"scikit-learn": "sklearn", "pyyaml": "yaml", "pillow": "PIL", "opencv-python": "cv2"}
_BIG = ("torch", "scikit-learn", "tensorflow", "jax", "transformers")
_WHOLE = Place(file=".", first_line=0, last_line=0)


def _pinned(files: Texts) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Pinned lines of requirements.txt: first and last line (hashes and comments below go with them), and the pin."""
    lines = lines_of(files.get("requirements.txt", ""))
    for number, line in enumerate(lines, 1):
        if found := _PINNED.match(line):
            last = number
            while last < len(lines) and lines[last].startswith((" ", "\t")):
                last += 1
            yield number, last, found


def _rest(found: re.Match[str], first: int, last: int) -> str:
    """What stands behind a pin, without the hashes that fit that version alone."""
    return found.group(3) if first == last or "\\" not in found.group(3) else "\n"


def _is_locked(files: Texts) -> bool:
    return any(path in files for path in _LOCKS)


@DEPENDENCY_PINNING(
    "requirement-floats",
    rule="dependency-floats",
    effect="structural",
    implies=("lock-file-missing",),
    summary="a pin of the requirements file is loosened, and no lock file fixes it",
)
def requirement_floats(files: Texts, operator: str) -> Iterator[Site]:
    """`name==version` becomes a bound from below, or a name alone."""
    for first, last, found in _pinned(files) if not _is_locked(files) else ():
        name, version, _ = found.groups()
        major, _, rest = version.partition(".")
        for loose in (f"{name}>={version}", name, f"{name}>={major}.{rest.split('.')[0] or 0}", f"{name}>{version}"):
            yield _line(files, operator, first, last, f"{loose}{_rest(found, first, last)}")


@DEPENDENCY_PINNING(
    "requirement-of-one-series",
    rule="dependency-floats",
    effect="structural",
    implies=("lock-file-missing",),
    summary="a pin of the requirements file becomes a range or a wildcard",
)
def requirement_of_one_series(files: Texts, operator: str) -> Iterator[Site]:
    """`name==version` becomes `~=`, `==x.*` or a range."""
    for first, last, found in _pinned(files) if not _is_locked(files) else ():
        name, version, _ = found.groups()
        major = version.split(".")[0]
        for loose in (f"{name}~={version}", f"{name}=={major}.*", f"{name}>={version},<{int(major) + 1}"):
            yield _line(files, operator, first, last, f"{loose}{_rest(found, first, last)}")


@DEPENDENCY_PINNING(
    "requirement-follows-branch",
    rule="git-dependency-floats",
    effect="structural",
    implies=("lock-file-missing", "dependency-floats"),
    summary="a requirement comes from a branch of a repository",
)
def requirement_follows_branch(files: Texts, operator: str) -> Iterator[Site]:
    """`name==version` becomes `git+https://…`, with a branch or none."""
    for first, last, found in _pinned(files):
        name = found.group(1)
        for at in ("", "@main"):
            text = f"git+https://github.com/{name}/{name}.git{at}#egg={name}\n"
            yield _line(files, operator, first, last, text)


@DEPENDENCY_PINNING(
    "requirement-misnamed",
    rule="requirement-not-installable",
    effect="structural",
    implies=("import-undeclared",),
    summary="a requirement has the name of its import, which no index serves as what is meant",
)
def requirement_misnamed(files: Texts, operator: str) -> Iterator[Site]:
    """`scikit-learn==…` becomes `sklearn==…`."""
    for first, last, found in _pinned(files):
        if wrong := _WRONG.get(found.group(1).lower()):
            yield _line(files, operator, first, last, f"{wrong}=={found.group(2)}{_rest(found, first, last)}")


@DEPENDENCY_PINNING(
    "requirement-of-standard-library",
    rule="requirement-not-installable",
    effect="structural",
    implies=("lock-file-missing", "dependency-floats"),
    summary="a module of the standard library is listed as a requirement",
)
def requirement_of_standard_library(files: Texts, operator: str) -> Iterator[Site]:
    """A line of its own below the last pin."""
    pins = list(_pinned(files))
    for name, version in (("argparse", "1.4.0"), ("pathlib", "1.0.1")):
        if pins:
            at = pins[-1][1] + 1
            edit = Edit(file="requirements.txt", first_line=at, last_line=at - 1, text=f"{name}=={version}\n")
            yield Site(operator=operator, edits=(edit,), subject="requirements:stdlib")


@DEPENDENCY_PINNING(
    "requirement-removed",
    rule="import-undeclared",
    effect="structural",
    implies=("dependencies-undeclared", "lock-file-missing"),
    summary="a framework that the code imports is no longer declared",
)
def requirement_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The line of a framework, where no other file declares it."""
    others = [p for p in files if p.endswith(("pyproject.toml", "setup.py", "setup.cfg", ".yml", ".in")) and "env" in p]
    for first, last, found in _pinned(files):
        name = found.group(1).lower()
        listed = [p for p in (*others, "pyproject.toml", "requirements.in") if name in files.get(p, "").lower()]
        also = tuple(
            Place(file=path, first_line=number, last_line=number)
            for path, text in files.items()
            if path.endswith(".py")
            for number, line in enumerate(text.split("\n"), 1)
            if re.match(rf"\s*(import|from)\s+{'sklearn' if name == 'scikit-learn' else re.escape(name)}\b", line)
        )
        if name in _BIG and not listed and also and len(list(_pinned(files))) > 1:
            site = _line(files, operator, first, last, "")
            yield site.model_copy(update={"also": also})


@DEPENDENCY_PINNING(
    "lock-removed",
    rule="lock-file-missing",
    effect="structural",
    implies=("dependency-floats", "python-version-unstated"),
    summary="the lock file is removed",
)
def lock_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The one lock file of the project."""
    locks = [path for path in files if path.rpartition("/")[2] in _LOCKS]
    resolved = re.search(r"autogenerated by pip-compile|generated by uv|--hash=", files.get("requirements.txt", ""))
    if len(locks) == 1 and not resolved:
        edit = Edit(file=locks[0], first_line=1, last_line=len(lines_of(files[locks[0]])), text="")
        yield Site(operator=operator, edits=(edit,), subject="lock", also=(_WHOLE,))


@DEPENDENCY_PINNING(
    "conda-floats",
    rule="dependency-floats",
    effect="structural",
    implies=("lock-file-missing",),
    summary="a pin of the conda environment is loosened, where that is what people install",
)
def conda_floats(files: Texts, operator: str) -> Iterator[Site]:
    """`- numpy=2.4.6` of environment.yml, in a project without requirements.txt and lock file."""
    if _is_locked(files) or "requirements.txt" in files:
        return
    for number, line in enumerate(lines_of(files.get("environment.yml", "")), 1):
        if found := re.match(r"^(\s*- )(?!python=|pip=)([a-z][\w-]*)=+(\d[\w.]*)(\s*)$", line):
            head, name, version, tail = found.groups()
            for loose in (name, f"{name}>={version}"):
                edit = Edit(file="environment.yml", first_line=number, last_line=number, text=f"{head}{loose}{tail}")
                yield Site(operator=operator, edits=(edit,), subject=f"conda:{number}")


def _line(files: Texts, operator: str, first: int, last: int, text: str) -> Site:
    """A site that changes one requirement of requirements.txt."""
    edit = Edit(file="requirements.txt", first_line=first, last_line=last, text=text)
    return Site(operator=operator, edits=(edit,), subject=f"requirements:{first}")
