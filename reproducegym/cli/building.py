"""Builds one paper as it was ordered, in this process or in any other that sees it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.options import ExposureChoice, SandboxChoice
from reproducegym.cli.voice import counted
from reproducegym.errors import ReproduceGymError
from reproducegym.pipeline.assets.card import offered_assets, read_places
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.store import PaperStore, open_paper
from reproducegym.pipeline.unchanged import build_key, standing
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.config import Config
from reproducegym.schema.task import Manifest
from reproducegym.schema.usage import UsageSummary

__all__ = ["BuildOrder", "Built"]


@dataclass(frozen=True)
class Built:
    """What became of one paper: the lines for people, and the answer for machines or the failure."""

    paper: Path
    lines: tuple[str, ...]
    answer: dict[str, JsonValue]
    failure: ReproduceGymError | None


@dataclass(frozen=True)
class BuildOrder:
    """How papers are built; a call builds one of them. Building again what stands takes no time and changes nothing."""

    extractor: str
    max_claims: int | None
    named: tuple[str, ...]
    exposure: ExposureChoice | None
    assets: tuple[str, ...]
    host_model: Path | None
    sandbox: SandboxChoice
    refresh: bool
    config: Path | None

    def __call__(self, paper: Path) -> Built:
        """Build a paper; a failure is a value, so that other papers go on."""
        lines: list[str] = []
        try:
            answer = self.build(paper, lines.append)
        except ReproduceGymError as error:
            return Built(paper, tuple(lines), {}, error)
        return Built(paper, tuple(lines), answer, None)

    def build(self, paper: Path, say: Callable[[str], None]) -> dict[str, JsonValue]:
        """Build a paper and give the answer for machines.

        Raises:
            ReproduceGymError: it cannot be built.
        """
        laps = Laps(time.perf_counter)
        store = open_paper(paper)
        settings = _exposing(wiring.config(self.config), self.exposure)
        places = read_places(self.assets)
        with laps.step("read"):
            offered = offered_assets(places)
        host = None if self.host_model is None else wiring.host_model(self.host_model, self.sandbox, settings, store)
        proposing = wiring.proposing(self.extractor, settings, store, laps, offered, host)
        manifest = None
        if not self.refresh:
            with laps.step("check"):
                manifest = standing(store, build_key(store, proposing.builder, self.named, self.max_claims, offered))
        if manifest is None:
            manifest = self._made(store, proposing, settings, laps, places, offered, say)
        else:
            say("nothing changed since the last build; every file is as it was left (--refresh builds again)")
        self._tell(store, manifest, offered, say)
        say(_spent(laps, proposing.usage()))
        if manifest.tasks:
            shown = next((task for task in manifest.tasks if task.claim_id in self.named), manifest.tasks[0])
            say(f"next: reproducegym run --paper {store.root} --claim-id {shown.claim_id} --agent noop")
        return {
            "paper_id": store.paper_id,
            "manifest": str(store.root / "task_manifest.json"),
            "claims": str(store.root / "CLAIMS.md"),
            "tasks": [task.model_dump(mode="json") for task in manifest.tasks],
            "excluded": dict(manifest.excluded),
        }

    def _tell(
        self, store: PaperStore, manifest: Manifest, offered: tuple[OfferedAsset, ...], say: Callable[[str], None]
    ) -> None:
        say(_summary(manifest, self.named, store.root / "CLAIMS.md"))
        unused = [one.asset.name for one in offered if not any(one.asset in task.assets for task in manifest.tasks)]
        if unused:
            say(f"no task uses the asset {', '.join(unused)}: the paper names it by no name or alias on its card")

    def _made(
        self,
        store: PaperStore,
        proposing: wiring.Proposing,
        settings: Config,
        laps: Laps,
        places: dict[str, Path],
        offered: tuple[OfferedAsset, ...],
        say: Callable[[str], None],
    ) -> Manifest:
        from reproducegym.pipeline.build import build as build_tasks

        return build_tasks(
            store,
            proposing.family(),
            settings,
            claim_ids=self.named,
            max_claims=self.max_claims,
            refresh=self.refresh,
            progress=say,
            laps=laps,
            places=places,
            offered=offered,
        )


def _exposing(settings: Config, exposure: ExposureChoice | None) -> Config:
    if exposure is None:
        return settings
    return settings.model_copy(
        update={"build": settings.build.model_copy(update={"exposure": exposure.value})},
    )


def _spent(laps: Laps, usage: UsageSummary | None) -> str:
    """Where time and tokens went, in a line."""
    steps = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in laps.seconds().items())
    if usage is None or usage.calls + usage.cached == 0:
        return f"time: {steps}"
    tokens = f"{usage.prompt_tokens:,} tokens in, {usage.completion_tokens:,} out"
    cost = "price unknown" if usage.dollars is None else f"${usage.dollars:.4f}"
    calls = f"{counted(usage.calls, 'call')}, {usage.cached} from the cache"
    return f"time: {steps}; models: {tokens}, {calls}, {cost} (see token_usage.summary.json)"


def _summary(manifest: Manifest, named: tuple[str, ...], page: Path) -> str:
    """What became of the claims, in a line; of named ones apart from those that were built before."""
    kept = f"{counted(sum(manifest.excluded.values()), 'claim')} kept for people; read {page}"
    if not named:
        return f"{counted(len(manifest.tasks), 'task')} accepted, {kept}"
    accepted = [task.claim_id for task in manifest.tasks if task.claim_id in named]
    refused = [name for name in dict.fromkeys(named) if name not in accepted]
    said = [f"{', '.join(accepted)} accepted"] if accepted else []
    said += [f"{', '.join(refused)} refused"] if refused else []
    return f"{', '.join(said)}; {counted(len(manifest.tasks), 'task')} in the manifest, {kept}"
