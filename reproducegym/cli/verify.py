"""`reproducegym verify`: scores a directory of files as a submission to a task, without an agent."""

import io
import tarfile
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.assets import places_of, with_assets
from reproducegym.cli.options import (
    AsJson,
    Assets,
    ClaimId,
    ConfigFile,
    PaperDirectory,
    Runs,
    SandboxChoice,
    SandboxName,
    SpecHash,
    TaskDirectory,
)
from reproducegym.cli.places import find_task
from reproducegym.cli.voice import answer, say
from reproducegym.errors import InfrastructureError, NotFoundError, ReproduceGymError, StorageError
from reproducegym.pipeline.judging.flags import flags_of
from reproducegym.pipeline.judging.transfer import RefusedFileError, read_archive
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.judging.verify import verify as verify_submission
from reproducegym.pipeline.run import read_order
from reproducegym.ports import CopyLimits, Files
from reproducegym.schema.config import SandboxConfig
from reproducegym.schema.run import verdict

__all__ = ["verify"]


def verify(
    submission: Annotated[
        Path, typer.Argument(help="Directory with reproduce.sh and what it needs.", readable=False, show_default=False)
    ],
    claim_id: ClaimId = None,
    spec_hash: SpecHash = None,
    task_dir: TaskDirectory = None,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    asset: Assets = None,
    sandbox: SandboxName = SandboxChoice.AUTO,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Run a submission's reproduce.sh under hidden seeds and probes, and score it; nothing is stored.

    Example: reproducegym verify examples/papers/optimism-small-budgets/solution --claim-id c003_ucb1_return
    """
    place = find_task(claim_id=claim_id, spec_hash=spec_hash, task_dir=task_dir, paper=paper, runs=runs)
    settings = wiring.config(config)
    order = read_order(place.store, place.claim_id, place.spec_hash)
    places = places_of(asset, place.store, order)
    try:
        files = _read_directory(submission, settings.sandbox)
    except RefusedFileError as error:
        _answer_refused(order, f"the submission was refused: {error}", as_json=as_json)
        return
    judged = verify_submission(files, order, with_assets(wiring.judge(sandbox, settings), places))
    if judged.report is None:
        failure = InfrastructureError if judged.failure_kind == "infra" else ReproduceGymError
        raise failure(f"not scored ({judged.failure_kind}): {judged.failure_detail}")
    flags = flags_of(files, judged.draw, order.spec) + judged.flags
    if as_json:
        answer(
            {
                "task_id": order.entry.task_id,
                "reward": judged.report.reward,
                "verdict": verdict(judged.report.reward),
                "failure_kind": judged.failure_kind,
                "failure_detail": judged.failure_detail,
                "evidence_level": judged.level,
                "evidence_detail": judged.level_detail,
                "report": judged.report.model_dump(mode="json"),
                "runs": [record.model_dump(mode="json") for record in judged.draw.runs],
                "flags": [flag.model_dump(mode="json") for flag in flags],
            }
        )
    why = f": {judged.failure_detail}" if judged.failure_detail else ""
    say(f"reward {judged.report.reward:.3f}, {verdict(judged.report.reward)}{why}")
    if judged.level_detail:
        say(f"level {judged.level}, not {order.contract.evidence_level}: {judged.level_detail}")
    for probe in judged.report.probes:
        say(f"probe {probe.probe}: {'held' if probe.held else 'failed'}" + (f": {probe.note}" if probe.note else ""))
    for flag in flags:
        say(f"look at {flag.flag}: {flag.note}")


def _answer_refused(order: Order, why: str, *, as_json: bool) -> None:
    """What may not leave a sandbox scores nothing here, as it does in a run."""
    if as_json:
        answer(
            {
                "task_id": order.entry.task_id,
                "reward": 0.0,
                "verdict": verdict(0.0),
                "failure_kind": "agent",
                "failure_detail": why,
                "evidence_level": order.contract.evidence_level,
                "evidence_detail": "",
                "report": None,
                "runs": [],
                "flags": [],
            }
        )
    say(f"reward {0.0:.3f}, {verdict(0.0)} (agent: {why})")


def _read_directory(directory: Path, settings: SandboxConfig) -> Files:
    """The files of a host directory, under the rules for everything that leaves a sandbox.

    Raises:
        NotFoundError: it is not a directory.
        RefusedFileError: it holds a link, a device, or too much.
        StorageError: something in it cannot be read.
    """
    size = settings.submission_mib * 2**20
    limits = CopyLimits(max_files=settings.submission_files, max_bytes=size, max_file_bytes=size)
    left = size

    def counted(member: tarfile.TarInfo) -> tarfile.TarInfo:
        nonlocal left
        left -= member.size
        if left < 0:  # refused before it fills our memory
            raise RefusedFileError("size", member.name, f"all files together exceed {size} bytes")
        return member

    archive = io.BytesIO()
    try:
        if not directory.is_dir():
            raise NotFoundError(f"{directory} is not a directory; name the one that holds reproduce.sh")
        with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
            tar.add(directory.resolve(), arcname="submission", filter=counted)
    except OSError as error:
        what = error.strerror or error
        raise StorageError(f"{error.filename or directory} cannot be read: {what}; change its permissions") from error
    archive.seek(0)
    return read_archive(archive, limits, root="submission")
