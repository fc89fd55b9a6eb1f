"""Whether a build has nothing to do: everything that it depends on is as it was, and so is every file that it left."""

import json
from collections.abc import Iterable, Mapping

from reproducegym import __version__
from reproducegym.errors import SchemaError
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.templates import template_digests
from reproducegym.resources import program_digest
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.base import Frozen, digest, short_digest
from reproducegym.schema.build_record import BuildRecord
from reproducegym.schema.config import (
    BuildConfig,
    Config,
    LlmConfig,
    SandboxConfig,
    TolerancePolicy,
    VerificationConfig,
)
from reproducegym.schema.refined import RefinedClaims
from reproducegym.schema.task import BuilderRecord, Manifest

__all__ = ["build_key", "builder_record", "is_final", "keep_record", "standing"]


class _Read(Frozen):
    """The part of the configuration that a build reads: `llm` where models are asked, `sandbox` where one is run."""

    build: BuildConfig
    verification: VerificationConfig
    tolerances: TolerancePolicy
    image: str
    llm: LlmConfig | None
    sandbox: SandboxConfig | None


def builder_record(
    config: Config, extractor: str, model: str | None, prompts: Mapping[str, str], host_model: str | None = None
) -> BuilderRecord:
    """What builds, as the manifest tells it; `prompts` are those that the extractor asks with."""
    read = _Read(
        build=config.build,
        verification=config.verification,
        tolerances=config.tolerances,
        image=config.sandbox.image,
        llm=None if model is None else config.llm,
        sandbox=None if host_model is None else config.sandbox,
    )
    return BuilderRecord(
        version=__version__,
        config=short_digest(read),
        extractor=extractor,
        model=model,
        prompts={**template_digests(), **prompts},
        host_model=host_model,
    )


def build_key(
    store: PaperStore,
    builder: BuilderRecord,
    claim_ids: tuple[str, ...],
    max_claims: int | None,
    assets: tuple[OfferedAsset, ...] = (),
) -> str:
    """sha256 of everything that a build depends on.

    Raises:
        NotFoundError: the paper is not parsed.
    """
    made_from = {
        "program": program_digest(),
        "parse": store.parse_digest(),
        "builder": builder.model_dump(mode="json"),
        "claim_ids": claim_ids,
        "max_claims": max_claims,
        "assets": [one.model_dump(mode="json") for one in assets],
    }
    return digest(json.dumps(made_from, sort_keys=True).encode())


def standing(store: PaperStore, key: str) -> Manifest | None:
    """The manifest of the last build, if it was this one and all its files and the parse stand as they were.

    Raises:
        BusyError: another process is building this paper.
        StorageError: something cannot be read.
    """
    with store.writing():
        try:
            record = store.build_record()
            if record is None or record.key != key:
                return None
            if not store.has_whole_parse() or store.built_files() != record.files:
                return None
            return store.manifest()
        except SchemaError:
            return None  # the build says what does not fit, and how to mend it


def keep_record(store: PaperStore, key: str) -> None:
    """Write down what a build has left. The caller owns the paper, and everything else is written.

    Raises:
        StorageError: it cannot be written.
    """
    files = store.built_files()
    store.write_build_record(BuildRecord(schema_version=1, paper_id=store.paper_id, key=key, files=files))


def is_final(records: Iterable[Frozen]) -> bool:
    """Whether no question to a model stayed without an answer; such a build is worth doing again."""
    return all(
        not one.unread and all(claim.answered for claim in one.claims)
        for one in records
        if isinstance(one, RefinedClaims)
    )
