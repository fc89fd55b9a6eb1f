"""From a paper's manifest to rows: what a trainer reads of each task, and of its paper."""

from collections.abc import Mapping

from reproducegym.schema.listed import ROW_VERSION, ListedAsset, ListedTask
from reproducegym.schema.task import Manifest, ManifestTask, PaperRecord

__all__ = ["listed"]


def listed(manifest: Manifest, quarantine: Mapping[tuple[str, str], str]) -> list[ListedTask]:
    """The tasks of a manifest; `quarantine` says by claim and version why one is kept out."""
    return [_row(manifest.paper, task, quarantine.get((task.claim_id, task.spec_hash))) for task in manifest.tasks]


def _row(paper: PaperRecord, task: ManifestTask, quarantine: str | None) -> ListedTask:
    report = task.report
    return ListedTask(
        schema_version=ROW_VERSION,
        task_id=task.task_id,
        paper_id=paper.paper_id,
        paper_title=paper.title,
        paper_sha256=paper.sha256,
        licence=paper.licence,
        family=task.family,
        claim_id=task.claim_id,
        claim_uid=task.claim_uid,
        title=task.title,
        statement=task.statement,
        claim_type=task.claim_type,
        spec_hash=task.spec_hash,
        contract_hash=task.contract_hash,
        task_digest=task.task_digest,
        task_dir=f"{paper.paper_id}/03-task/{task.claim_id}/{task.spec_hash}",
        metrics=task.metrics,
        n_targets=task.n_targets,
        evidence_level=task.evidence_level,
        exposure_policy=task.exposure_policy,
        paper_text=task.paper_text,
        probes=task.probes,
        memory_resistant=task.memory_resistant,
        seeds=task.seeds,
        assets=tuple(
            ListedAsset(name=one.name, sha256=one.sha256, licence=one.licence, about=one.about, size=one.size)
            for one in task.assets
        ),
        requires_training=task.requires_training,
        requires_gpu=task.requires_gpu,
        cost=task.cost,
        difficulty=task.difficulty,
        timeout_s=task.timeout_s,
        image=task.image,
        oracle=None if report.oracle == "none" else report.oracle,
        noop=None if report.noop == "none" else report.noop,
        gameability=None if report.gameability == "none" else report.gameability,
        remembered=report.remembered,
        quarantine=quarantine,
        prompt=None,
    )
