"""Scores a stored attempt again, from the runs that the verifier made then, with the contract as it is now."""

from dataclasses import dataclass

from reproducegym.errors import TamperedError
from reproducegym.pipeline.judging.examining import scored_table, submitted
from reproducegym.pipeline.judging.rerun import RunFiles
from reproducegym.pipeline.judging.verify import score_stored, submission_digest
from reproducegym.ports import Files
from reproducegym.schema.audit import Audit
from reproducegym.schema.base import digest
from reproducegym.schema.contract import Contract
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Draw, Result, verdict

__all__ = ["Regraded", "regrade"]

_DRAW = "verification/draw.json"
_RUNS = "verification/runs/"
_WORKSPACE = "workspace/"
_NEVER_JUDGED = ("refused", "infra")


@dataclass(frozen=True)
class Regraded:
    """The stored result and what it is today. `changed` compares reward, failure and the whole report."""

    before: Result
    after: Result
    changed: bool


def regrade(
    files: Files,
    contract: Contract,
    contract_json: bytes,
    contract_hash: str,
    samples: tuple[Contract, ...] = (),
    audit: Audit | None = None,
) -> Regraded:
    """Score the files of one attempt's directory again; no sandbox is needed and nothing is written.

    Of a task with `samples` the one that was drawn then counts; an `audit` says anew what findings are worth.

    An attempt that was never scored (the agent's files were refused, or the engine failed before) stays as it is.

    Raises:
        SchemaError: a stored record does not fit its schema, or `result.json` contradicts itself.
        TamperedError: something of the attempt is missing, or is not what was stored: the submission, a run's
            metrics.csv, or the record of the runs.
    """
    before = read_json(Result, files["result.json"], "result.json")
    _check_submission(files, before.submission_sha256, "result.json")
    judged = before.agent.outcome not in _NEVER_JUDGED
    if judged is not (_DRAW in files):
        raise TamperedError(
            f"the attempt is incomplete: it was verified, yet {_DRAW} is missing"
            if judged
            else f"{_DRAW} was added: by result.json nothing was verified ({before.agent.outcome})"
        )
    if not judged:
        return Regraded(before, before, changed=False)
    draw = read_json(Draw, files[_DRAW], _DRAW)
    _check_submission(files, draw.submission_sha256, _DRAW)
    _check_level(before, contract)
    _check_runs(files, draw, before)
    if samples:
        contract = _drawn(draw, samples)
        contract_json = contract.to_json().encode()
    _check_choices(draw, contract)
    workspace = {name.removeprefix(_WORKSPACE): data for name, data in files.items() if name.startswith(_WORKSPACE)}
    runs = tuple(_stored_run(files, index, draw) for index in range(len(draw.runs))) or (
        _stored_table(files, workspace, audit),
    )
    report, kind, detail = score_stored(draw, runs, contract, contract_json, workspace)
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


def _check_submission(files: Files, expected: str | None, record: str) -> None:
    """The stored workspace is the submission that a record names (None: none could be copied out)."""
    workspace = {name.removeprefix(_WORKSPACE): data for name, data in files.items() if name.startswith(_WORKSPACE)}
    found = None if expected is None and not workspace else submission_digest(workspace)
    if found != expected:
        raise TamperedError(f"{_WORKSPACE} is not what was submitted: its digest differs from that in {record}")


def _check_level(before: Result, contract: Contract) -> None:
    """The level that was reached is the contract's; only a replay may have fallen to artifact, and then it says why."""
    fallen = (contract.evidence_level, before.evidence_level) == ("replay", "artifact")
    if fallen is not bool(before.evidence_detail) or not (fallen or before.evidence_level == contract.evidence_level):
        raise TamperedError(
            f"result.json says level {before.evidence_level}, which a task at {contract.evidence_level} cannot reach so"
        )


def _check_runs(files: Files, draw: Draw, before: Result) -> None:
    """Every stored run is one that the record of the runs names, and there are some where runs were made."""
    if (before.evidence_level == "artifact") is bool(draw.runs):
        raise TamperedError(f"{_DRAW} names {len(draw.runs)} runs, which cannot be at level {before.evidence_level}")
    known = tuple(f"{_RUNS}{index}/" for index in range(max(1, len(draw.runs))))
    for name in files:
        if name.startswith(_RUNS) and not name.startswith(known):
            raise TamperedError(f"{name} was added: {_DRAW} names no such run")


def _check_choices(draw: Draw, contract: Contract) -> None:
    """Runs of a probe with several choices were made under the knobs of the one that is recorded."""
    choices = {str(probe.name): probe.choices for probe in contract.probes}
    for run in draw.runs:
        known = choices.get(run.purpose, ())
        if len(known) > 1 and not (run.choice < len(known) and contract.knobs | known[run.choice].knobs == run.knobs):
            raise TamperedError(
                f"{_DRAW}: {run.purpose} run {run.index} was made with the knobs {run.knobs}, which are not those of "
                f"the task's choice {run.choice}; verify the submission again"
            )


def _drawn(draw: Draw, samples: tuple[Contract, ...]) -> Contract:
    """The contract of the sample that a verification drew; its runs were given just the conditions of that."""
    if draw.sample is None or not 0 <= draw.sample < len(samples):
        raise TamperedError(f"{_DRAW}: sample {draw.sample} was drawn, and the task has {len(samples)}")
    found = samples[draw.sample]
    run_for = [found.conditions, *(probe.conditions for probe in found.probes)]
    known = [sorted(condition.label for condition in conditions) for conditions in run_for]
    for run in draw.runs:
        labels = sorted(run.labels.values())
        if labels not in known:
            raise TamperedError(f"{_DRAW}: {run.purpose} run {run.index} ran {labels}, not sample {draw.sample}")
    return found


def _stored_run(files: Files, index: int, draw: Draw) -> RunFiles:
    """One run's files, checked against the digest that was taken when it ended."""
    name = f"{_RUNS}{index}/metrics.csv"
    metrics = files.get(name)
    found = None if metrics is None else digest(metrics)
    if found != draw.runs[index].metrics_sha256:
        raise TamperedError(f"{name} is not what run {index} wrote: its digest differs from {_DRAW}")
    return RunFiles(metrics, files.get(f"{_RUNS}{index}/output.log", b""))


def _stored_table(files: Files, workspace: Files, audit: Audit | None) -> RunFiles:
    """What was scored where nothing was run: the submission's table, or what its findings are worth now."""
    name = f"{_RUNS}0/metrics.csv"
    metrics = scored_table(workspace, audit)
    if audit is None and files.get(name) != metrics:
        raise TamperedError(f"{name} is not the submitted {submitted(audit)}")
    return RunFiles(metrics, files.get(f"{_RUNS}0/output.log", b""))
