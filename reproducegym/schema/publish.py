"""Publishes the JSON Schema of everything that is kept on disk: `python -m reproducegym.schema.publish`."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from reproducegym.schema.artifact import ArtifactUnit
from reproducegym.schema.asset import AssetPlaces
from reproducegym.schema.audit import Audit
from reproducegym.schema.base import Frozen
from reproducegym.schema.batch import AttemptLine, Batch, InProgress, Origin
from reproducegym.schema.build_record import BuildRecord
from reproducegym.schema.chart import Charts
from reproducegym.schema.contract import Contract
from reproducegym.schema.evidence import ClaimEvidence, EvidenceIndex, FigureIndex
from reproducegym.schema.host_model import HostRecord
from reproducegym.schema.node import Inventory
from reproducegym.schema.paper import Document, ParseRecord
from reproducegym.schema.quarantine import Quarantine
from reproducegym.schema.refined import RefinedClaims
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import Draw, Result
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import BuildValidation, ClaimReport, DataEntry, Manifest
from reproducegym.schema.triage import Candidates, SelectedClaims, TargetPoints, TriagedClaims
from reproducegym.schema.usage import KeptReply, UsageSummary

__all__ = ["PUBLISHED", "name_of", "publish", "schema_bytes", "schema_of"]

SCHEMA_DIRECTORY = Path(__file__).resolve().parent.parent / "schemas"

PUBLISHED: Mapping[str, type[Frozen]] = MappingProxyType(
    {
        "artifact_unit": ArtifactUnit,
        "asset_places": AssetPlaces,
        "attempt_line": AttemptLine,
        "audit": Audit,
        "batch": Batch,
        "build_record": BuildRecord,
        "build_validation": BuildValidation,
        "charts": Charts,
        "claim_candidates": Candidates,
        "claim_evidence": ClaimEvidence,
        "claim_verification_report": ClaimReport,
        "contract": Contract,
        "data_entry": DataEntry,
        "document": Document,
        "draw": Draw,
        "figures_index": FigureIndex,
        "host_model": HostRecord,
        "in_progress": InProgress,
        "manifest": Manifest,
        "model_reply": KeptReply,
        "nodes": Inventory,
        "origin": Origin,
        "paper_evidence_index": EvidenceIndex,
        "parse": ParseRecord,
        "quarantine": Quarantine,
        "refined_claims": RefinedClaims,
        "replay_plan": ReplayPlan,
        "result": Result,
        "selected_claims": SelectedClaims,
        "spec": ClaimSpec,
        "target_points": TargetPoints,
        "token_usage_summary": UsageSummary,
        "triaged_claims": TriagedClaims,
    }
)
"""Schema name → model, for every file that is read back."""


def schema_bytes(name: str) -> bytes:
    """The JSON Schema (draft 2020-12) of a published model, made from the model, as the file holds it."""
    schema = PUBLISHED[name].model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = f"urn:reproducegym:schema:{name}:1"
    return (json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


@cache
def name_of(model: type[Frozen]) -> str:
    """The name under which a model is published.

    Raises:
        KeyError: the model is not published, so it must not be read from disk.
    """
    for name, published in PUBLISHED.items():
        if published is model:
            return name
    raise KeyError(f"{model.__name__} is not a published model")


@cache
def schema_of(model: type[Frozen]) -> Mapping[str, object]:
    """The shipped JSON Schema of a model."""
    loaded: dict[str, object] = json.loads((SCHEMA_DIRECTORY / f"{name_of(model)}.json").read_bytes())
    return loaded


def publish(directory: Path = SCHEMA_DIRECTORY) -> None:
    """Write every schema into a directory, and remove schemas of models that are no longer published."""
    directory.mkdir(parents=True, exist_ok=True)
    for stale in set(directory.glob("*.json")) - {directory / f"{name}.json" for name in PUBLISHED}:
        stale.unlink()
    for name in PUBLISHED:
        (directory / f"{name}.json").write_bytes(schema_bytes(name))


if __name__ == "__main__":
    publish()
