"""A task's line in the manifest: made from its spec, and checked against it when it is read back."""

from reproducegym.errors import TamperedError
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.proving.rehearsal import earnings, gameability, is_resistant, weakest_paid
from reproducegym.pipeline.task import difficulty, task_id
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ManifestTask, TaskReport

__all__ = ["check_entry", "entry_of"]


def entry_of(
    spec: ClaimSpec, *, task_dir: str, task_digest: str, timeout_s: int, image: str, report: TaskReport
) -> ManifestTask:
    """The line; everything but what is given here follows from the spec, what remembered numbers earn too."""
    earned = earnings(spec, contract_of(spec))
    return ManifestTask(
        task_id=task_id(spec),
        family=spec.family,
        claim_id=spec.claim_id,
        claim_uid=spec.claim_uid,
        title=spec.title,
        statement=spec.agent_statement,
        claim_type=spec.claim_type,
        spec_hash=spec.spec_hash,
        contract_hash=spec.contract_hash,
        task_digest=task_digest,
        task_dir=task_dir,
        metrics=tuple(metric.name for metric in spec.metrics),
        n_targets=len(spec.targets),
        evidence_level=spec.evidence_level,
        exposure_policy=spec.exposure_policy,
        paper_text=spec.paper_text,
        probes=spec.probes.used,
        memory_resistant=is_resistant(spec, earned),
        seeds=spec.seeds.count,
        assets=spec.assets,
        requires_training=spec.requires_training,
        requires_gpu=spec.requires_gpu,
        cost=spec.cost,
        difficulty=difficulty(spec),
        timeout_s=timeout_s,
        image=image,
        report=report.model_copy(
            update={"gameability": gameability(earned), "remembered": weakest_paid(earned)},
        ),
    )


def check_entry(entry: ManifestTask, spec: ClaimSpec, file: str) -> None:
    """Nothing, when the line says of the task what its spec says.

    Raises:
        TamperedError: a field differs; the message names the first.
    """
    meant = entry_of(
        spec,
        task_dir=entry.task_dir,
        task_digest=entry.task_digest,
        timeout_s=entry.timeout_s,
        image=entry.image,
        report=entry.report,
    )
    for field in ManifestTask.model_fields:
        found, wanted = getattr(entry, field), getattr(meant, field)
        if found != wanted:
            raise TamperedError(
                f"{file}: {field} of {entry.task_id} is {found!r}, by its spec it is {wanted!r}; "
                "build again with --refresh"
            )
