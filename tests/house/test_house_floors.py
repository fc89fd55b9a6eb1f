"""The house stands: floors, pure rooms, the judge's independence, and vendors behind their doors."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reproducegym"
TRACES = ROOT / "agent_trace"
AUDITOR = ROOT / "ml_audit"
EXPERIMENTS = PACKAGE / "planting" / "projects"

PURE_EXCEPTIONS = {
    "directories.py",
    "files.py",
    "lines.py",
    "locks.py",
    "run.py",
    "rerun.py",
    "verify.py",
    "regrade.py",
    "build.py",
    "parse.py",
    "config_file.py",
}
WORLD = {"os", "time", "random", "subprocess", "socket", "secrets", "shutil", "tempfile", "threading"}
VENDORS = {
    "docker": {"sandbox"},
    "pymupdf": {"parsing"},
    "markdown_it": {"parsing"},
    "sentencex": {"parsing"},
    "py3langid": {"parsing"},
    "h11": {"adapters"},
    "httpx": {"parsing", "adapters"},
    "tenacity": {"parsing", "adapters"},
    "openai": {"adapters"},
    "httpx2": {"adapters"},
    "dotenv": {"cli"},
    "marker": {"parsing"},
    "surya": {"parsing"},
    "subprocess": {"sandbox", "adapters", "cli", "nodes"},
    "sympy": {"pipeline"},
    "scipy": {"pipeline", "families"},
    "gymnasium": {"families", "gymnasium_ids.py"},
    "openenv": {"adapters"},
    "fastapi": {"adapters", "cli"},
    "uvicorn": {"cli"},
    "typer": {"cli"},
    "rich": {"cli"},
    "ray": {"adapters"},
    "libcst": {"planting"},
    "prometheus_client": {"adapters"},
    "pyarrow": {"dataset"},
}


def modules(below: Path = PACKAGE) -> list[Path]:
    """Every module; the experiments that planting damages are data, not modules of ours."""
    return sorted(p for p in below.rglob("*.py") if not p.is_relative_to(EXPERIMENTS))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module; each is read once for all tests here."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> tuple[tuple[str, int], ...]:
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, node.lineno))
    return tuple(found)


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def test_imports_go_down_only_without_circles():
    linter = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run([str(linter), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout


def test_the_contracts_ignore_no_import():
    assert "ignore_imports" not in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("room", ["verifier", "examiner"])
def test_what_travels_with_tasks_imports_the_standard_library_and_itself_only(room: str):
    strangers = [
        f"{where(path, line)} imports {name}"
        for path in modules(PACKAGE / room)
        for name, line in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith(f"reproducegym.{room}")
    ]
    assert strangers == []


def test_pure_rooms_do_not_touch_the_world():
    touched = [
        f"{where(path, line)} imports {name}"
        for path in modules(PACKAGE / "pipeline")
        if path.name not in PURE_EXCEPTIONS
        for name, line in imports(path)
        if name.split(".")[0] in WORLD
    ]
    assert touched == []


def test_planting_draws_from_seeds_alone():
    touched = [
        f"{where(path, line)} imports {name}"
        for path in modules(PACKAGE / "planting")
        for name, line in imports(path)
        if name.split(".")[0] in WORLD - {"random"}
    ]
    assert touched == []


@pytest.mark.parametrize("vendor", sorted(VENDORS))
def test_vendors_live_behind_their_ports(vendor: str):
    outside = [
        where(path, line)
        for path in modules()
        if path.relative_to(PACKAGE).parts[0] not in VENDORS[vendor]
        for name, line in imports(path)
        if name.split(".")[0] == vendor
    ]
    assert outside == []


def test_only_the_cli_prints_and_reads_the_environment():
    found = []
    for path in (*modules(), *modules(TRACES), *modules(AUDITOR)):
        if path.is_relative_to(PACKAGE / "cli") or path.name == "__main__.py":
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                found.append(f"{where(path, node.lineno)} prints")
            if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}:
                found.append(f"{where(path, node.lineno)} reads the environment")
    assert found == []


def test_every_module_says_what_it_is_for_and_what_is_public():
    silent = []
    for path in (*modules(), *modules(TRACES), *modules(AUDITOR)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not ast.get_docstring(tree):
            silent.append(f"{path.relative_to(ROOT)}: no docstring")
        names = {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
        defines = any(isinstance(n, ast.FunctionDef | ast.ClassDef) for n in tree.body)
        if defines and "__all__" not in names and path.name != "__main__.py":
            silent.append(f"{path.relative_to(ROOT)}: no __all__")
    assert silent == []


def test_no_room_is_a_drawer_for_odds_and_ends():
    drawers = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [p for p in (*modules(), *modules(TRACES), *modules(AUDITOR)) if p.stem in drawers] == []


def test_nothing_is_typed_any_or_ignored():
    loose = []
    for path in (*modules(), *modules(TRACES), *modules(AUDITOR)):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if (isinstance(node, ast.Name) and node.id == "Any") or (
                isinstance(node, ast.Attribute) and node.attr in {"Any", "deepcopy"}
            ):
                loose.append(where(path, node.lineno))
        loose += [where(path, n) for n, line in enumerate(text.splitlines(), 1) if "type: ignore" in line]
    assert loose == []
