"""The judge as a program: which files it opens, what it prints, and when it refuses to answer."""

import ast
import json
import os
import runpy
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reproducegym.verifier import bundle
from reproducegym.verifier.__main__ import main

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
HONEST = "condition,seed,regret,pulls\nucb,1,20,1\nucb,2,21,1\neps,1,30,1\neps,2,31,1\n"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    contract = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))["gap"]
    (tmp_path / "contract.json").write_text(json.dumps(contract))
    (tmp_path / "check.py").write_bytes(bundle.check_py())
    (tmp_path / "output").mkdir()
    return tmp_path


def judge(task: Path, metrics: str = "output/metrics.csv") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", "-S", "check.py", "--contract", "contract.json", "--metrics", metrics]
    return subprocess.run(argv, cwd=task, capture_output=True, text=True, check=False, env={}, timeout=20)


def rewarded(task: Path, metrics: str = "output/metrics.csv") -> float:
    answer = judge(task, metrics)
    assert (answer.returncode, answer.stderr) == (0, "")
    return float(answer.stdout.splitlines()[-1])


def test_an_honest_file_earns_its_reward(task: Path):
    (task / "output/metrics.csv").write_text(HONEST)
    assert rewarded(task) == 1
    (task / "bare.csv").write_text(HONEST)
    assert rewarded(task, "bare.csv") == 1


def test_a_link_a_directory_a_pipe_and_a_second_name_earn_nothing(task: Path):
    real, metrics = task / "real.csv", task / "output/metrics.csv"
    real.write_text(HONEST)
    assert rewarded(task) == 0
    metrics.symlink_to(real)
    assert rewarded(task) == 0
    metrics.unlink()
    metrics.hardlink_to(real)
    assert rewarded(task) == 0
    metrics.unlink()
    os.mkfifo(metrics)
    assert rewarded(task) == 0
    metrics.unlink()
    metrics.mkdir()
    assert rewarded(task) == 0


def test_a_linked_directory_earns_nothing(task: Path):
    (task / "elsewhere").mkdir()
    (task / "elsewhere/metrics.csv").write_text(HONEST)
    (task / "output").rmdir()
    (task / "output").symlink_to(task / "elsewhere")
    assert rewarded(task) == 0


def test_a_file_larger_than_memory_is_not_read(task: Path):
    with (task / "output/metrics.csv").open("wb") as file:
        file.truncate(1 << 36)
    assert rewarded(task) == 0


def test_a_name_that_no_file_can_have_earns_nothing(task: Path):
    assert rewarded(task, "") == 0
    assert rewarded(task, "x" * 5000) == 0


def test_a_broken_contract_gives_no_reward_at_all(task: Path):
    for break_it in (lambda path: path.write_text("{}"), Path.unlink):
        break_it(task / "contract.json")
        answer = judge(task)
        assert answer.returncode == 1
        assert answer.stdout == ""
        assert answer.stderr.startswith("the contract cannot be used: ")


def test_planted_modules_and_variables_are_not_looked_at(task: Path):
    (task / "output/metrics.csv").write_text(HONEST)
    for name in ("json.py", "re.py", "sitecustomize.py", "usercustomize.py"):
        (task / name).write_text("raise SystemExit('planted')")
    assert rewarded(task) == 1


def test_it_bounds_its_own_memory_time_and_core_files(task: Path):
    asked = "resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE"
    code = "import resource, runpy\ntry:\n    runpy.run_path('check.py', run_name='__main__')\nexcept SystemExit:\n"
    code += f"    print([resource.getrlimit(kind) for kind in ({asked})])"
    argv = [sys.executable, "-I", "-S", "-c", code, "--contract", "contract.json", "--metrics", "none.csv"]
    answer = subprocess.run(argv, cwd=task, capture_output=True, text=True, check=True, env={}, timeout=20)
    gigabytes, minute, core = ast.literal_eval(answer.stdout.splitlines()[-1])
    assert (gigabytes, minute, core) == ((2 << 30, 2 << 30), (60, 60), (0, 0))


def test_it_starts_fast(task: Path):
    seconds = []
    for _ in range(5):
        began = time.monotonic()
        rewarded(task)
        seconds.append(time.monotonic() - began)
    assert min(seconds) < 0.5  # 0.08 s on an idle core; the bound is for a busy one


def test_the_package_does_the_same_as_the_one_file(
    task: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    (task / "output/metrics.csv").write_text(HONEST)
    options = ["--contract", str(task / "contract.json"), "--metrics", str(task / "output/metrics.csv")]
    assert main([*options, "--report"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1] == "1.0"
    assert json.loads(shown.rpartition("}\n")[0] + "}")["reward"] == 1
    assert main([*options[:2], "--metrics", str(task / "none.csv")]) == 0
    assert main([*options[:2], "--metrics", str(task / "none/none.csv")]) == 0
    assert capsys.readouterr().out == "0.0\n0.0\n"
    monkeypatch.setattr("sys.argv", ["verifier", *options])
    monkeypatch.delitem(sys.modules, "reproducegym.verifier.__main__")
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("reproducegym.verifier.__main__", run_name="__main__")
    (task / "contract.json").unlink()
    assert main(options) == 1


def test_the_one_file_needs_nothing_of_this_package(task: Path):
    text = (task / "check.py").read_text("utf-8")
    assert "import reproducegym" not in text
    assert "from reproducegym" not in text


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        ("curve.py", "\nfrom reproducegym.verifier.table import Problem\n", "curve.py uses Problem before its module"),
        (
            "table.py",
            "\nfrom reproducegym.verifier.curve import Curve as Other\n",
            "table.py uses Curve before its module",
        ),
        ("table.py", "\n_NAME: int = 1\n", "_NAME is defined in contract.py and in table.py"),
        ("table.py", "\ndef curve_fault(): ...\n", "curve_fault is defined in curve.py and in table.py"),
    ],
)
def test_modules_that_cannot_share_one_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, text: str, fault: str
):
    copy = tmp_path / "verifier"
    shutil.copytree(Path(bundle.__file__).parent, copy)
    with (copy / module).open("a") as file:
        file.write(text)
    monkeypatch.setattr(bundle, "__file__", str(copy / "bundle.py"))
    with pytest.raises(ValueError, match=fault):
        bundle.check_py()


def test_the_judge_stays_small_enough_to_read():
    """Under 1,000 lines of code in all: without blank lines, comments and docstrings."""
    lines = 0
    for path in Path(bundle.__file__).parent.glob("*.py"):
        source = path.read_text("utf-8")
        words: set[int] = set()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                words |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        code = {n for n, line in enumerate(source.splitlines(), 1) if line.strip() and not line.strip().startswith("#")}
        lines += len(code - words)
    assert lines < 1000
