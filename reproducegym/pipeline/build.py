"""Stages 01 to 03: claims of a parsed paper become contracts and sealed tasks that have proved themselves.

The same paper, configuration and program give the same bytes; nothing that belongs to runs is touched; the manifest
is written last, so that it never lists what is not there.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import NotFoundError, SchemaError, TamperedError
from reproducegym.pipeline.claims.page import claims_page
from reproducegym.pipeline.claims.report import claim_report, excluded, no_claims, working_papers
from reproducegym.pipeline.entry import check_entry, entry_of
from reproducegym.pipeline.exposure.asset_leak import scan_assets
from reproducegym.pipeline.exposure.audit_leak import scan_audit
from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.proving.proof import prove
from reproducegym.pipeline.seal import task_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.task import render_task, secretive, visible
from reproducegym.pipeline.unchanged import build_key, builder_record, is_final, keep_record
from reproducegym.ports import Files, Proposal, ReadPaper, TaskFamily
from reproducegym.schema.asset import AssetPlaces, OfferedAsset
from reproducegym.schema.claim import Reason
from reproducegym.schema.config import Config
from reproducegym.schema.paper import ParseRecord
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import (
    BuildValidation,
    CheckResult,
    LeakFinding,
    Manifest,
    ManifestTask,
    PaperRecord,
    TaskReport,
    TaskValidation,
)

__all__ = ["build"]

_AGENT_RUNS = 3
"""An agent is given the time to run its own script whole so many times."""
_LEAK_LIMIT = 3


@dataclass(frozen=True)
class _Tried:
    """A rendered task with what it proved; `files` is None for one that stands on disk already."""

    spec: ClaimSpec
    files: Files | None
    entry: ManifestTask | None
    validation: TaskValidation
    reasons: tuple[Reason, ...]


def build(
    store: PaperStore,
    family: TaskFamily,
    config: Config,
    *,
    claim_ids: tuple[str, ...],
    max_claims: int | None,
    refresh: bool,
    progress: Callable[[str], None],
    laps: Laps | None = None,
    places: Mapping[str, Path] | None = None,
    offered: tuple[OfferedAsset, ...] = (),
) -> Manifest:
    """Propose, compile, render and prove the tasks of a paper, and write everything down.

    `claim_ids` names the claims to build (those that are already built stay in the manifest); without it, the most
    important ones up to `max_claims` (None: the configuration's). What is built and unchanged is not rendered again
    unless `refresh` says so. Versions that an earlier build made and this one does not stay in the manifest as
    `earlier`. What `laps` counts goes to `timings.jsonl`. `offered` are the assets that the family's claims may use;
    `places` says where they stand, and is kept for later runs.

    Raises:
        NotFoundError: the paper is not parsed, or a named claim is not among the accepted ones.
        BusyError: another process is building this paper.
        TamperedError: a file of the parse is not the one that was parsed.
        SchemaError: a file that is read back does not fit (with `refresh`: of the parse only).
        StorageError: something cannot be written.
    """
    counted = Laps() if laps is None else laps
    with store.writing():
        with counted.step("read"):
            work = _Build(store, family, config, progress, counted, places or {}, offered, refresh=refresh)
        manifest = work.run(claim_ids, max_claims)
        for step, seconds in counted.seconds().items():
            store.add_timing({"stage": "build", "step": step, "seconds": seconds})
    return manifest


class _Build:
    """One build of one paper."""

    def __init__(
        self,
        store: PaperStore,
        family: TaskFamily,
        config: Config,
        progress: Callable[[str], None],
        laps: Laps,
        places: Mapping[str, Path],
        offered: tuple[OfferedAsset, ...],
        *,
        refresh: bool,
    ) -> None:
        self.places, self.offered = places, offered
        self.store, self.family, self.config, self.progress, self.laps = store, family, config, progress, laps
        self.record = store.parse_record()
        self.paper = store.read_paper()
        self.builder = builder_record(config, family.extractor_name, family.model, family.prompts, family.host_model)
        self.manifest = self._last_manifest(refresh=refresh)
        self.earlier = {} if refresh or self.manifest is None else self._earlier(self.manifest)

    def run(self, claim_ids: tuple[str, ...], max_claims: int | None) -> Manifest:
        proposals = tuple(self.family.propose(self.paper))
        specs = [one.outcome for one in proposals if isinstance(one.outcome, ClaimSpec)]
        found = "1 claim" if len(proposals) == 1 else f"{len(proposals)} claims"
        self.progress(f"{found} found, {len(specs)} compile to a contract" if proposals else no_claims(self.paper))
        tried = self._tried(specs, claim_ids, max_claims)
        with self.laps.step("write"):
            self.store.remove_build_record()
            for one in tried:
                if one.entry is not None:
                    self.store.write_spec(one.spec)
                    if one.files is not None:
                        self.store.write_task(one.spec.claim_id, one.spec.spec_hash, one.files)
            manifest = self._write_down(proposals, tried)
            if is_final(self.family.records().values()):
                keep_record(self.store, build_key(self.store, self.builder, claim_ids, max_claims, self.offered))
            if self.places:
                kept = {name: str(place.resolve()) for name, place in self.places.items()}
                places = {**self.store.asset_places().places, **kept}
                self.store.write_asset_places(AssetPlaces(schema_version=1, places=places))
        return manifest

    def _last_manifest(self, *, refresh: bool) -> Manifest | None:
        """What the last build left; with `refresh` one that cannot be read is replaced, and that is said."""
        if not self.store.has_manifest():
            return None
        try:
            return self.store.manifest()
        except SchemaError as error:
            if not refresh:
                raise
            self.progress(f"a new manifest replaces a broken one, which no longer lists earlier versions: {error}")
            return None

    def _earlier(self, manifest: Manifest) -> dict[str, _Tried]:
        """By spec hash: tasks of the last build that stand as they were built, by this same program."""
        if manifest.builder != self.builder or manifest.paper != _paper(self.record, self.paper):
            return {}
        validations = {(one.claim_id, one.spec_hash): one for one in self.store.validation().tasks}
        found: dict[str, _Tried] = {}
        for entry in manifest.tasks:
            key = (entry.claim_id, entry.spec_hash)
            if key not in validations or not self.store.has_task(*key):
                continue
            if task_digest(self.store.read_task(*key)) != entry.task_digest:
                continue
            try:
                spec = self.store.read_spec(*key)
                check_entry(entry, spec, str(self.store.root / "task_manifest.json"))
            except TamperedError as error:
                self.progress(str(error))  # it is built again right away
                continue
            found[entry.spec_hash] = _Tried(spec, None, entry, validations[key], ())
        return found

    def _tried(self, specs: list[ClaimSpec], claim_ids: tuple[str, ...], max_claims: int | None) -> tuple[_Tried, ...]:
        """The wanted claims, rendered and proved, in order of importance."""
        if claim_ids:
            return tuple(self._try(spec) for spec in self._named(specs, claim_ids))
        limit = self.config.build.max_claims if max_claims is None else max_claims
        tried: list[_Tried] = []
        for spec in specs:
            if sum(1 for one in tried if one.entry is not None) == limit:
                break
            tried.append(self._try(spec))
        return tuple(tried)

    def _named(self, specs: list[ClaimSpec], claim_ids: tuple[str, ...]) -> Iterable[ClaimSpec]:
        known = [spec.claim_id for spec in specs]
        for wanted in claim_ids:
            if wanted not in known:
                there = ", ".join(known) or "none"
                raise NotFoundError(f"{self.store.paper_id} has no accepted claim {wanted!r}; it has: {there}")
        built = set() if self.manifest is None else {entry.spec_hash for entry in self.manifest.tasks}
        return [spec for spec in specs if spec.claim_id in claim_ids or spec.spec_hash in built]

    def _try(self, spec: ClaimSpec) -> _Tried:
        if spec.spec_hash in self.earlier:
            return self.earlier[spec.spec_hash]
        with self.laps.step("render"):
            files = render_task(
                spec,
                self.family.brief(spec, self.paper),
                self.family.contract(spec),
                self.config.verification.max_hours,
            )
        with self.laps.step("prove"):
            checks = prove(spec)
            leaks = self._leaks(spec, files)
        reasons = _reasons(checks, leaks)
        validation = TaskValidation(
            claim_id=spec.claim_id,
            spec_hash=spec.spec_hash,
            accepted=not reasons,
            checks=checks,
            coincidences=leaks,
        )
        if reasons:
            self.progress(f"{spec.claim_id}: {', '.join(str(reason) for reason in reasons)}")
            return _Tried(spec, None, None, validation, reasons)
        self.progress(f"{spec.claim_id}: {len(checks)} self-tests passed")
        return _Tried(spec, files, self._entry(spec, files), validation, ())

    def _leaks(self, spec: ClaimSpec, files: Files) -> tuple[LeakFinding, ...]:
        """What the agent's files give away; an audit's hold the repository, in which the defects are to be found."""
        if spec.audit is not None:
            return scan_audit(visible(files), spec, spec.audit)
        return scan(secretive(files, spec), spec) + scan_assets(spec, self.places)

    def _entry(self, spec: ClaimSpec, files: Files) -> ManifestTask:
        return entry_of(
            spec,
            task_dir=self.store.task_place(spec.claim_id, spec.spec_hash),
            task_digest=task_digest(files),
            timeout_s=max(self.config.build.agent_timeout_s, _AGENT_RUNS * spec.run_budget_s),
            image=self.config.sandbox.image,
            report=TaskReport(oracle="none", noop="none", gameability="none"),
        )

    def _superseded(self, tried: tuple[_Tried, ...]) -> tuple[ManifestTask, ...]:
        """Tasks of earlier builds that still stand and that this build neither makes nor refuses."""
        if self.manifest is None:
            return ()
        decided = {(one.spec.claim_id, one.spec.spec_hash) for one in tried}
        return tuple(
            entry
            for entry in (*self.manifest.tasks, *self.manifest.earlier)
            if (entry.claim_id, entry.spec_hash) not in decided and self.store.has_task(entry.claim_id, entry.spec_hash)
        )

    def _write_down(self, proposals: tuple[Proposal, ...], tried: tuple[_Tried, ...]) -> Manifest:
        """Working papers, report, validation and the page for people; the manifest last."""
        store, extractor = self.store, self.builder.extractor
        accepted = [one for one in tried if one.entry is not None]
        refused = {one.spec.claim_id: one.reasons for one in tried if one.reasons}
        report = claim_report(self.paper, extractor, proposals, refused)
        characters = self.config.build.evidence_characters
        written = dict(working_papers(self.paper, extractor, proposals, [one.spec for one in accepted], characters))
        written.update({"claim_verification_report.json": report, **self.family.records()})
        for name, value in written.items():
            store.write_extract(name, value)
        for name in {"refined_claims.json", "host_model.json"} - set(written):
            store.remove_extract(name)
        for folder in ("claim_evidence", "target_points"):
            kept = frozenset(name.partition("/")[2] for name in written if name.startswith(f"{folder}/"))
            store.prune_extract(folder, kept)
        store.write_validation(
            BuildValidation(schema_version=1, paper_id=store.paper_id, tasks=tuple(one.validation for one in tried))
        )
        store.write_claims_page(claims_page(self.paper.document.title, report, no_claims(self.paper)))
        manifest = Manifest(
            schema_version=1,
            paper=_paper(self.record, self.paper),
            builder=self.builder,
            tasks=tuple(one.entry for one in accepted if one.entry is not None),
            earlier=self._superseded(tried),
            excluded=excluded(report),
        )
        store.write_manifest(manifest)
        return manifest


def _paper(record: ParseRecord, paper: ReadPaper) -> PaperRecord:
    return PaperRecord(
        paper_id=record.paper_id,
        title=" ".join(paper.document.title.split()),
        sha256=record.sha256,
        licence=record.licence,
    )


def _reasons(checks: tuple[CheckResult, ...], leaks: tuple[LeakFinding, ...]) -> tuple[Reason, ...]:
    failed = tuple(
        Reason(code="selftest_failed", argument=check.name, detail=check.detail) for check in checks if not check.passed
    )
    blocking = [leak for leak in leaks if leak.blocking]
    if not blocking:
        return failed
    shown = "; ".join(f"{leak.spelling or 'unreadable'} in {leak.file}" for leak in blocking[:_LEAK_LIMIT])
    detail = f"{len(blocking)} hidden numbers would stay visible: {shown}"
    return (*failed, Reason(code="leak_unmaskable", argument=None, detail=detail))
