"""Where code runs: images that follow a tag, paths of one machine, variables that come too late, an unsaid Python."""

import re
from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Edit, Place, Texts, lines_of
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import PythonFile, python_files

__all__ = ["ENVIRONMENT_CONFIG"]

ENVIRONMENT_CONFIG = operators("environment_config")

_HOMES = ("/ho" + "me/mira/", "/scratch/kofi/", "/mnt/nas2/", "/Use" + "rs/lena/")
_DIGEST = re.compile(r"^(\s*FROM\s+(?:--\S+\s+)*)([^\s:@]+)(:[\w.-]+)?@sha256:[0-9a-f]{64}(.*)$", re.DOTALL)
_INSTALLS = re.compile(r"^(.*\bpip3? install\b)[^&|\n]*?-r\s+\S+(.*)$", re.DOTALL)
_SETTING = re.compile(
    r"""^(?P<head>\s*[{]?\s*["']?\w+["']?\s*[:=]\s*["']?)(?P<path>[A-Za-z][\w./-]*)(?P<tail>["']?[,}]?\s*)$"""
)


def _dockerfiles(files: Texts) -> Iterator[tuple[str, list[str]]]:
    for path in sorted(files, key=lambda p: (p.count("/"), p)):
        if path.rpartition("/")[2].lower().startswith("dockerfile"):
            yield path, lines_of(files[path])


@ENVIRONMENT_CONFIG(
    "docker-base-floats",
    rule="docker-base-floats",
    effect="structural",
    summary="the base image loses its digest, and perhaps its version",
)
def docker_base_floats(files: Texts, operator: str) -> Iterator[Site]:
    """`FROM image:version@sha256:…` of the first Dockerfile."""
    for path, lines in list(_dockerfiles(files))[:1]:
        for number, line in enumerate(lines, 1):
            if found := _DIGEST.match(line):
                head, image, tag, rest = found.groups()
                for loose in dict.fromkeys((f"{image}{tag or ''}", f"{image}:latest", image)):
                    edit = Edit(file=path, first_line=number, last_line=number, text=f"{head}{loose}{rest}")
                    yield Site(operator=operator, edits=(edit,), subject=f"image:{path}")


@ENVIRONMENT_CONFIG(
    "docker-pip-floats",
    rule="docker-pip-floats",
    effect="structural",
    summary="the image installs names without versions in place of the pinned file",
)
def docker_pip_floats(files: Texts, operator: str) -> Iterator[Site]:
    """`pip install -r requirements.txt`."""
    names = re.findall(r"^([A-Za-z][\w-]*)==", files.get("requirements.txt", ""), re.MULTILINE)
    for path, lines in _dockerfiles(files):
        for number, line in enumerate(lines, 1):
            if names and (found := _INSTALLS.match(line)):
                tail = found.group(2) or "\n"
                text = f"{found.group(1)} {' '.join(names[:3])}{tail if tail.endswith(chr(10)) else tail + chr(10)}"
                edit = Edit(file=path, first_line=number, last_line=number, text=text)
                yield Site(operator=operator, edits=(edit,), subject=f"image-pip:{path}")


@ENVIRONMENT_CONFIG(
    "path-of-one-machine",
    rule="absolute-path",
    effect="structural",
    summary="a relative path in the code becomes one of somebody's home",
)
def path_of_one_machine(files: Texts, operator: str) -> Iterator[Site]:
    """A text in the code that names a directory or file of data of the project."""
    known = _read_paths(files)
    for one in python_files(files):
        for value in one.nodes(cst.SimpleString):
            told = value.evaluated_value
            if not isinstance(told, str) or told not in known or value.prefix or len(value.quote) > 1:
                continue
            if _names_an_argument(one, value):
                continue
            for home in _HOMES:
                new = cst.SimpleString(f"{value.quote}{home}{told}{value.quote}")
                line = one.place(value).first_line
                yield Site(operator=operator, edits=one.replaced(value, new), subject=f"path:{one.path}:{line}")


def _names_an_argument(one: PythonFile, value: cst.SimpleString) -> bool:
    """Whether a text is the name of a command's argument, not a path: `add_argument("records")`."""
    given = one.parent(value)
    call = one.parent(given) if isinstance(given, cst.Arg) and given.keyword is None else None
    return isinstance(call, cst.Call) and one.code(call.func).strip().endswith("add_argument")


def _read_paths(files: Texts) -> set[str]:
    """Directories and files of a project that hold data or settings."""
    told = [path for path in files if not path.endswith((".py", ".md", ".rst")) and "/" in path]
    return {path.split("/")[0] for path in told if not path.startswith(".")} | set(told)


@ENVIRONMENT_CONFIG(
    "setting-of-one-machine",
    rule="absolute-path",
    effect="structural",
    summary="a relative path in a settings file becomes one of somebody's home",
)
def setting_of_one_machine(files: Texts, operator: str) -> Iterator[Site]:
    """A line `data: records` of YAML, or the same of TOML or JSON."""
    known = _read_paths(files)
    for path, text in files.items():
        name = path.rpartition("/")[2]
        if not path.endswith((".yaml", ".yml", ".toml", ".json")) or name in ("pyproject.toml", "pylock.toml"):
            continue
        if path.startswith(".github/") or re.search(r"compose|environment|lock", name):
            continue
        for number, line in enumerate(lines_of(text), 1):
            found = _SETTING.match(line)
            if found is None or found["path"] not in known:
                continue
            for home in _HOMES:
                changed = f"{found['head']}{home}{found['path']}{found['tail']}"
                edit = Edit(file=path, first_line=number, last_line=number, text=changed)
                yield Site(operator=operator, edits=(edit,), subject=f"path:{path}:{number}")


@ENVIRONMENT_CONFIG(
    "hash-seed-at-run-time",
    rule="hash-seed-at-run-time",
    effect="state",
    summary="PYTHONHASHSEED is set from inside the process, where it changes nothing",
)
def hash_seed_at_run_time(files: Texts, operator: str) -> Iterator[Site]:
    """Below a call that seeds a global generator, in a file that imports os, or can."""
    for one in python_files(files):
        for call in one.calls:
            statement = one.statement(call.node)
            seeds = call.name in ("numpy.random.seed", "random.seed", "torch.manual_seed") and one.is_expression(call)
            if not seeds or statement is None or not call.node.args or not one.can_import("os"):
                continue
            given = one.code(call.node.args[0].value).strip()
            edits = one.beside(statement, f'os.environ["PYTHONHASHSEED"] = str({given})', below=True)
            subject = f"hash-seed:{one.path}"
            yield Site(operator=operator, edits=(*edits, *one.importing("os")), subject=subject)


@ENVIRONMENT_CONFIG(
    "python-unsaid",
    rule="python-version-unstated",
    effect="structural",
    summary="the one file that says which Python is removed",
)
def python_unsaid(files: Texts, operator: str) -> Iterator[Site]:
    """`.python-version`, where no other file names a version of Python."""
    told = files.get(".python-version")
    others = [
        t for p, t in files.items() if p.endswith((".md", ".rst", ".toml", ".yml", ".yaml")) or "docker" in p.lower()
    ]
    named = r"(?i)\bpython[-_ :=]*(version|requires)?[\"' :=<>~^]*\d\.\d+|requires-python|py3\d\d"
    if told is None or any(re.search(named, text) for text in others):
        return
    edit = Edit(file=".python-version", first_line=1, last_line=len(lines_of(told)), text="")
    where = tuple(
        Place(file=p, first_line=0, last_line=0) for p in (".", "requirements.txt", "environment.yml", "Pipfile")
    )
    yield Site(operator=operator, edits=(edit,), subject="python", also=where)
