"""Judges what an agent left: re-runs it under hidden seeds where that is asked, scores, and writes `reward.json`.

It runs as root in a container without network, in which no agent ever was. Where it cannot judge it ends with an error
and writes no reward: nobody's 0.
"""

import json
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reproducegym.adapters.exporters.harbor.inside.ground import WORKSPACE, close_doors, emptied, networks
from reproducegym.adapters.exporters.harbor.inside.running import Ended, Terms, run
from reproducegym.adapters.exporters.harbor.inside.submission import Limits, RefusedError, read_submission
from reproducegym.examiner import findings
from reproducegym.pipeline.judging.drawing import PlannedRun, plan_runs, starting_order
from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.score import Report, Run, score_artifact, score_runs

__all__ = ["main"]

_TESTS = "/tests"
_LOGS = "/logs"
_REWARD = f"{_LOGS}/verifier"
_FIRST_USER = 20_000
_USERS = 40_000


@dataclass(frozen=True)
class _Case:
    """A submission's files, the contract that was drawn for it, and how it is judged."""

    files: Mapping[str, bytes]
    contract: Contract
    terms: Terms
    level: str


def main() -> int:
    """Judge the files in /workspace by what stands in /tests; 1 where that cannot be done as it was promised."""
    settings = json.loads(Path(_TESTS, "judge.json").read_bytes())
    level = str(settings["level"])
    for fault in _faults(level):
        sys.stderr.write(f"no reward: {fault}\n")
        return 1
    close_doors({_TESTS: 0o700, _LOGS: 0o700})
    limits = Limits(settings["submission"]["files"], settings["submission"]["bytes"])
    try:
        left = read_submission(WORKSPACE, limits)
    except RefusedError as error:
        _write(0.0, {"level": level, "failure_kind": "agent", "failure_detail": f"the submission was refused: {error}"})
        return 0
    emptied(WORKSPACE)
    contracts = sorted(Path(_TESTS, "contracts").iterdir())
    contract = load_contract(contracts[secrets.randbelow(len(contracts))].read_bytes())
    terms = Terms(**settings["run"], metrics_bytes=contract.limits.max_bytes)
    case = _Case(left, contract, terms, level)
    report, runs = (_by_runs if level == "reexecute" else _by_table)(case)
    told = {"level": level, "failure_kind": report.failure_kind, "report": asdict(report), "runs": runs}
    _write(report.reward, told)
    return 0


def _faults(level: str) -> list[str]:
    """What of the promised isolation is missing here."""
    if level != "reexecute":
        return []
    found = [f"interface {name} is up; runs have no network: use network_mode none" for name in networks()]
    return found if os.geteuid() == 0 else [*found, "this is not root, so runs would not be apart from the judge"]


def _by_table(case: _Case) -> tuple[Report, list[dict[str, object]]]:
    """Score what the agent wrote itself: its table, or its findings."""
    audit = Path(_TESTS, "audit.json")
    if not audit.exists():
        return score_artifact(case.contract, case.files.get("output/metrics.csv")), []
    data, told = case.files.get(findings.FINDINGS), json.loads(audit.read_bytes())
    sides = ([_defect(one) for one in told[side]] for side in ("defects", "excused"))
    table = None if data is None else findings.measured(data, told["near"], *sides)
    return score_artifact(case.contract, table), []


def _defect(told: Mapping[str, list[dict[str, int | str]]]) -> findings.Defect:
    places = (findings.Place(str(at["file"]), int(at["first_line"]), int(at["last_line"])) for at in told["places"])
    return findings.Defect(str(told["rule"]), tuple(places))


def _by_runs(case: _Case) -> tuple[Report, list[dict[str, object]]]:
    """Run the submission again under every planned seed, in a drawn order, and score what these runs wrote."""
    given = Path(_TESTS, "input_files")
    pristine = {
        f"input_files/{path.relative_to(given)}": path.read_bytes() for path in given.rglob("*") if path.is_file()
    }
    own = {name: data for name, data in case.files.items() if name.split("/")[0] != "input_files"}
    plans = plan_runs(case.contract, secrets.randbelow)
    ended: dict[int, Ended] = {}
    users: set[int] = set()
    for place in starting_order(len(plans), secrets.randbelow):
        if "reproduce.sh" not in own:
            ended[place] = Ended("no_output", None, "the submission has no reproduce.sh", 0.0, None, b"")
            continue
        while (uid := _FIRST_USER + secrets.randbelow(_USERS)) in users:
            continue
        users.add(uid)
        ended[place] = run(plans[place], own | pristine, case.terms, uid)
    done = [(plan, ended[place]) for place, plan in enumerate(plans)]
    return score_runs(case.contract, [_scored(plan, one) for plan, one in done]), [
        _told(plan, one) for plan, one in done
    ]


def _scored(plan: PlannedRun, ended: Ended) -> Run:
    return Run(
        purpose=plan.purpose,
        index=plan.index,
        seed=plan.seed,
        labels=plan.labels,
        outcome=ended.outcome,
        detail=ended.detail,
        metrics_csv=ended.metrics_csv,
        choice=plan.choice,
    )


def _told(plan: PlannedRun, ended: Ended) -> dict[str, object]:
    return {
        "purpose": plan.purpose,
        "index": plan.index,
        "seed": plan.seed,
        "labels": plan.labels,
        "knobs": plan.knobs,
        "choice": plan.choice,
        "outcome": ended.outcome,
        "exit_code": ended.exit_code,
        "detail": ended.detail,
        "seconds": round(ended.seconds, 3),
        "output_end": ended.output[-2000:].decode("utf-8", "replace"),
    }


def _write(reward: float, told: Mapping[str, object]) -> None:
    """The whole report first, then the one number that the harness reads."""
    contents: Sequence[tuple[str, object]] = (("report.json", told), ("reward.json", {"reward": reward}))
    for name, value in contents:
        path = Path(_REWARD, name)
        path.unlink(missing_ok=True)
        path.with_suffix(".part").write_text(json.dumps(value, indent=2, allow_nan=False) + "\n", "utf-8")
        path.with_suffix(".part").rename(path)
