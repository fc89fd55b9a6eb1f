"""Every golden case gives the same report in the package and in the one file that travels with a task."""

import json
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_program import answers_of_program

from reproducegym.schema.contract import Contract as SchemaContract
from reproducegym.schema.run import Report as SchemaReport
from reproducegym.verifier import bundle, score
from reproducegym.verifier import contract as contracts

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
CONTRACTS = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))
ARTIFACTS = json.loads((GOLDEN / "artifact.json").read_text("utf-8"))
RUNS = json.loads((GOLDEN / "runs.json").read_text("utf-8"))

HONEST = {
    "main 1": ["condition,regret,pulls", "a1,20,1", "b1,30,1"],
    "main 2": ["condition,regret,pulls", "b2,31,1", "a2,21,1"],
    "null 1": ["condition,regret,pulls", "n1,30.5,1", "n2,31,1"],
    "budget 1": ["condition,regret,pulls", "k1,1,1", "k2,1.5,1"],
}
LABELS = {
    "main 1": {"a1": "ucb", "b1": "eps"},
    "main 2": {"a2": "ucb", "b2": "eps"},
    "null 1": {"n1": "ucb", "n2": "eps"},
    "budget 1": {"k1": "ucb", "k2": "eps"},
}


def story(case: dict) -> str:
    return case["story"]


def file_of(case: dict) -> bytes | None:
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "repeat" in case:
        head, unit, times = case["repeat"]
        return (head + unit * times).encode()
    return None if case["file"] is None else "\n".join(case["file"]).encode()


@pytest.fixture(scope="module")
def bundled() -> types.ModuleType:
    """The one file, loaded as a module of its own."""
    module = types.ModuleType("bundled_check")
    sys.modules["bundled_check"] = module
    exec(compile(bundle.check_py(), "check.py", "exec"), module.__dict__)
    return module


def agree(report: score.Report, case: dict) -> None:
    assert list(report.problems) == case["problems"]
    assert report.reward == pytest.approx(case["reward"], abs=1e-12)
    assert report.implausible == case.get("implausible", False)
    wanted = case.get("failure_kind", "agent" if case["problems"] else None)
    assert report.failure_kind == wanted
    assert json.loads(SchemaReport.from_json(report.to_json()).to_json()) == json.loads(report.to_json())


@pytest.mark.parametrize("case", ARTIFACTS, ids=story)
def test_an_artifact_earns_what_it_is_worth(case: dict):
    contract = contracts.load_contract(json.dumps(CONTRACTS[case["contract"]]).encode())
    agree(score.score_artifact(contract, file_of(case)), case)


def test_the_program_says_the_same_of_every_artifact(tmp_path: Path):
    """One isolated interpreter for all cases; each is a call of the program on files."""
    check = tmp_path / "check.py"
    check.write_bytes(bundle.check_py())
    files = []
    for number, case in enumerate(ARTIFACTS):
        contract, metrics = tmp_path / f"{number}.json", tmp_path / f"{number}.csv"
        contract.write_text(json.dumps(CONTRACTS[case["contract"]]))
        data = file_of(case)
        if data is not None:
            metrics.write_bytes(data)
        files.append((str(contract), str(metrics)))
    for case, (contract, _), answer in zip(ARTIFACTS, files, answers_of_program(check, files), strict=True):
        report = score.score_artifact(contracts.load_contract(Path(contract).read_bytes()), file_of(case))
        assert answer == f"{report.to_json()}{report.reward}\n", case["story"]


def runs_of(case: dict, make: Callable[..., score.Run]) -> list[score.Run]:
    runs = []
    for number, (name, labels) in enumerate(LABELS.items()):
        change = case["change"].get(name, HONEST[name])
        outcome = change if isinstance(change, str) else "ok"
        data = "\n".join(change).encode() if isinstance(change, list) else None
        purpose, index = name.split()
        runs.append(make(purpose, int(index), 1000 + number, labels, outcome, "", data))
    return runs


@pytest.mark.parametrize("case", RUNS, ids=story)
def test_runs_earn_what_they_are_worth(case: dict, bundled: types.ModuleType):
    data = json.dumps(CONTRACTS["gap"]).encode()
    report = score.score_runs(contracts.load_contract(data), runs_of(case, score.Run))
    agree(report, case)
    again = bundled.score_runs(bundled.load_contract(data), runs_of(case, bundled.Run))
    assert again.to_json() == report.to_json()


def test_the_one_file_is_always_the_same_bytes():
    code = "import runpy, sys; sys.stdout.buffer.write(runpy.run_path(sys.argv[1])['check_py']())"
    for seed in ("1", "2"):
        argv = [sys.executable, "-c", code, bundle.__file__]
        answer = subprocess.run(argv, capture_output=True, check=True, env={"PYTHONHASHSEED": seed})
        assert answer.stdout == bundle.check_py()


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_judge_reads_what_the_schema_writes(name: str):
    written = SchemaContract.from_json(json.dumps(CONTRACTS[name])).to_json()
    assert contracts.load_contract(written.encode()) == contracts.load_contract(json.dumps(CONTRACTS[name]).encode())


def test_all_evidence_is_kept_in_the_report():
    contract = contracts.load_contract(json.dumps(CONTRACTS["gap"]).encode())
    report = score.score_runs(contract, runs_of(RUNS[0], score.Run))
    gap, ratio = report.metrics
    assert (gap.value, gap.reward, gap.per_seed) == (10.0, 1.0, (10.0, 10.0))
    assert (ratio.value, ratio.reward) == (1.0, None)
    assert [(probe.probe, probe.held) for probe in report.probes] == [("null", True), ("budget", True)]
