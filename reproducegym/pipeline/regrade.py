"""Scores a stored attempt again, from the runs that the verifier made then, with the contract as it is now."""

from dataclasses import dataclass

from reproducegym.errors import TamperedError
from reproducegym.pipeline.run import verdict
from reproducegym.pipeline.verify import RunFiles, score_stored
from reproducegym.ports import Files
from reproducegym.schema.base import digest
from reproducegym.schema.contract import Contract
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Draw, Result

__all__ = ["Regraded", "regrade"]


@dataclass(frozen=True)
class Regraded:
    """The stored result and what it is today. `changed` compares reward, failure and the whole report."""

    before: Result
    after: Result
    changed: bool


def regrade(files: Files, contract: Contract, contract_json: bytes, contract_hash: str) -> Regraded:
    """Score the files of one attempt's directory again; no sandbox is needed and nothing is written.

    An attempt that was never scored (the agent's files were refused, or the engine failed before) stays as it is.

    Raises:
        SchemaError: a stored record does not fit its schema.
        TamperedError: a stored metrics.csv is not the one that its run wrote, or is missing.
    """
    before = read_json(Result, files["result.json"], "result.json")
    if "verification/draw.json" not in files:
        return Regraded(before, before, changed=False)
    draw = read_json(Draw, files["verification/draw.json"], "verification/draw.json")
    runs = tuple(_stored_run(files, index, draw) for index in range(max(1, len(draw.runs))))
    report, kind, detail = score_stored(draw, runs, contract, contract_json)
    reward = None if report is None else report.reward
    after = before.model_copy(
        update={
            "contract_hash": contract_hash,
            "reward": reward,
            "reward_valid": reward is not None,
            "failure_kind": kind,
            "failure_detail": detail,
            "verdict": verdict(reward),
            "report": report,
        }
    )
    changed = (before.reward, before.failure_kind, before.report) != (after.reward, after.failure_kind, after.report)
    return Regraded(before, after, changed=changed)


def _stored_run(files: Files, index: int, draw: Draw) -> RunFiles:
    """One run's files, checked against the digest that was taken when it ended."""
    name = f"verification/runs/{index}/metrics.csv"
    metrics = files.get(name)
    if draw.runs:
        found = None if metrics is None else digest(metrics)
        if found != draw.runs[index].metrics_sha256:
            raise TamperedError(f"{name} is not what run {index} wrote: its digest differs from verification/draw.json")
    return RunFiles(metrics, files.get(f"verification/runs/{index}/output.log", b""))
