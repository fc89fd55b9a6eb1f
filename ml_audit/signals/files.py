"""What files a repository has: licence, tests, continuous integration, images, pinned dependencies, notebooks."""

import ast
import re
from pathlib import PurePosixPath

from ml_audit.code.project import Project, once
from ml_audit.signals.answer import Place, Signal, answer
from ml_audit.texts.locks import lock_files

__all__ = ["dependencies_pinned", "docker_base_pinned", "docker_bases", "dockerfiles", "has_ci", "has_dockerfile"]
__all__ += ["has_license", "has_lockfile", "has_readme", "has_tests", "notebooks"]

_LICENCE = re.compile(r"^(licen[cs]es?|copying|unlicense)([.-].*)?$", re.IGNORECASE)
_CI_FILES: tuple[str, ...] = (
    ".travis.yml",
    ".gitlab-ci.yml",
    "azure-pipelines.yml",
    "jenkinsfile",
    "appveyor.yml",
    ".appveyor.yml",
    "circle.yml",
)
_CI_FILES += (
    ".circleci/config.yml",
    ".drone.yml",
    "bitbucket-pipelines.yml",
    ".cirrus.yml",
    "tox.yml",
    ".buildkite/pipeline.yml",
)
_KEEPING = re.compile(
    r"actions/stale|release-drafter|actions/labeler|first-interaction|lock-threads|greetings|dependabot", re.I
)
_WORK = re.compile(
    r"^\s*-?\s*run\s*:|uses:\s*\S*(pre-commit|super-linter|docker/build-push|black|ruff|flake8|pytest|codecov)", re.M
)
_ON_CHANGE = re.compile(r"^\W{0,1}(on|true)['\"]?\s*:\s*(.*(?:\n(?:[ \t]+.*|[ \t]*-.*|\s*))*)", re.M)


def has_readme(project: Project) -> Signal:
    """A README at the root, or in its `.github` or `docs` directory."""
    found = [p for p in project.readmes if "/" not in p or p.lower().startswith((".github/", "docs/readme"))]
    return answer("yes", [Place(found[0])]) if found else answer("no")


def has_license(project: Project) -> Signal:
    """A licence file at the root; a badge or a field of a setup file is not enough."""
    found = [p for p in project.sizes if "/" not in p and _LICENCE.match(p)]
    return answer("yes", [Place(p) for p in found]) if found else answer("no")


def has_ci(project: Project) -> Signal:
    """A configuration that builds, lints, tests or runs something on pushes or pull requests."""
    found = []
    for path in project.sizes:
        low = path.lower()
        text = project.texts.get(path, "")
        if low in _CI_FILES:
            found.append(Place(path, 0))
        elif low.startswith(".github/workflows/") and low.endswith((".yml", ".yaml")) and text:
            on = _ON_CHANGE.search(text)
            told = on.group(2) if on else ""
            if (
                on
                and re.search(r"push|pull_request|merge_group", told)
                and _WORK.search(text)
                and not _only_keeping(text)
            ):
                found.append(Place(path, text.count("\n", 0, on.start()) + 1))
                found += [Place(path, text.count("\n", 0, m.end()) + 1) for m in _WORK.finditer(text)][:12]
    return answer("yes", found) if found else answer("no")


def _only_keeping(text: str) -> bool:
    return bool(_KEEPING.search(text)) and not re.search(r"^\s*-?\s*run\s*:", text, re.M)


@once
def has_tests(project: Project) -> Signal:
    """Test functions or cases in files that test runners collect; a training script named `x_test.py` is none."""
    found = []
    for path, facts in project.facts.items():
        name = PurePosixPath(path).name.lower()
        suspect = (
            name.startswith("test_")
            or name.endswith("_test.py")
            or name == "tests.py"
            or "/tests/" in f"/{path.lower()}"
        )
        if not path.endswith(".py") or not suspect or project.role(path) == "aside":
            continue
        functions = [f for f in facts.functions.values() if f.node.name.startswith("test") and _is_test(f.node)]
        cases = [c for c in facts.classes.values() if any(b.endswith("TestCase") for b in c.bases)]
        program = any(c.last == "ArgumentParser" and not c.scope for c in facts.calls)
        if cases or (functions and not program):
            found.append(Place(path, functions[0].line if functions else cases[0].line))
    return answer("yes", found) if found else answer("no")


def _is_test(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A test has a name of its own: training scripts define and call a function that is named just `test`."""
    return node.name != "test"


@once
def dockerfiles(project: Project) -> list[str]:
    """All files that build an image."""
    found = []
    for path in project.sizes:
        name = PurePosixPath(path).name.lower()
        if name == "dockerfile" or name.startswith("dockerfile.") or name.endswith(".dockerfile"):
            found.append(path)
    return sorted(found, key=lambda p: (p.count("/"), not PurePosixPath(p).name.lower().startswith("dockerfile"), p))


def docker_bases(project: Project, path: str) -> list[tuple[int, str]]:
    """Lines and base images of an image's file, arguments filled in, stages of its own left out."""
    stages: set[str] = set()
    told: dict[str, str] = {}
    bases = []
    for number, line in enumerate(project.texts.get(path, "").splitlines(), 1):
        if found := re.match(r"\s*ARG\s+(\w+)=[\"']?([^\s\"']+)", line, re.I):
            told[found.group(1)] = found.group(2)
        elif found := re.match(r"\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", line, re.I):
            base = re.sub(
                r"\$\{?(\w+)(?::-([^}]*))?\}?", lambda m: told.get(m.group(1), m.group(2) or ""), found.group(1)
            )
            if base.lower() not in stages and base != "scratch":
                bases.append((number, base))
            stages.add((found.group(2) or "").lower())
    return bases


def has_dockerfile(project: Project) -> Signal:
    """A Dockerfile anywhere; a development container with a ready image is none."""
    found = dockerfiles(project)
    return answer("yes", [Place(p) for p in found]) if found else answer("no")


def docker_base_pinned(project: Project) -> Signal:
    """Whether the base images are named by digest, by a version, or by nothing that stays."""
    found = dockerfiles(project)
    if not found:
        return answer("na")
    bases = [(path, line, base) for path in found[:1] for line, base in docker_bases(project, path)]
    grades = [
        2 if "@sha256:" in b else 1 if ":" in b.split("/")[-1] and not b.endswith(":latest") else 0 for _, _, b in bases
    ]
    worst = min(grades, default=0)
    return answer(("no", "partial", "yes")[worst], [Place(path, line) for path, line, _ in bases])


def has_lockfile(project: Project) -> Signal:
    """A lock file of packages, or requirements that are resolved whole."""
    found = [p for p in _locks(project) if project.role(p) != "aside"]
    found += [e.path for e in project.environments if e.resolved and project.role(e.path) != "aside"]
    return answer("yes", [Place(p) for p in found]) if found else answer("no")


def dependencies_pinned(project: Project) -> Signal:
    """How many direct dependencies of the main environment file are fixed."""
    own = [e for e in project.environments if project.role(e.path) != "aside"]
    locks = [p for p in _locks(project) if p.count("/") == 0]
    if locks:
        return answer(
            "all", [Place(locks[0]), *(Place(e.path, e.declared[0].line) for e in own[:1])], "fixed by the lock file"
        )
    if not own:
        return answer("absent")
    main = own[0]
    pins = [d.pin for d in main.declared]
    exact = [d for d in main.declared if d.pin == "exact"]
    value = "all" if len(exact) == len(pins) else "some" if any(p != "open" for p in pins) else "none"
    return answer(value, [Place(main.path, d.line) for d in main.declared])


def notebooks(project: Project) -> Signal:
    """How many notebooks there are, checkpoints not counted."""
    found = [p for p in project.sizes if p.endswith(".ipynb") and ".ipynb_checkpoints" not in p]
    return answer(str(len(found)), [Place(p) for p in found])


def _locks(project: Project) -> list[str]:
    return lock_files(project.repository.files, project.sizes, project.environments)
