"""`reproducegym build`: claims of a parsed paper become contracts and sealed tasks."""

import time
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson, ConfigFile, Exposure, ExposureChoice, SandboxChoice, SandboxName
from reproducegym.cli.voice import answer, counted, say
from reproducegym.errors import MisuseError
from reproducegym.pipeline.assets.card import offered_assets, read_places
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.store import PaperStore, open_paper
from reproducegym.pipeline.unchanged import build_key, standing
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.config import Config
from reproducegym.schema.task import Manifest
from reproducegym.schema.usage import UsageSummary

__all__ = ["build"]


def build(
    paper: Annotated[
        Path,
        typer.Option("--paper", help="The paper's directory, runs/<paper_id>.", readable=False, show_default=False),
    ],
    extractor: Annotated[str, typer.Option("--extractor", help="rules (no model), llm, or both.")] = "rules",
    max_claims: Annotated[
        int | None, typer.Option("--max-claims", min=1, help="At most this many tasks.", show_default=False)
    ] = None,
    claim_id: Annotated[
        list[str] | None, typer.Option("--claim-id", help="Only this claim; may be repeated.", show_default=False)
    ] = None,
    exposure: Exposure = None,
    asset: Annotated[
        list[str] | None,
        typer.Option(
            "--asset",
            metavar="NAME=PATH",
            help="A data set or model that claims may use, with its card (docs/assets.md); may be repeated.",
            show_default=False,
        ),
    ] = None,
    host_model: Annotated[
        Path | None,
        typer.Option(
            "--host-model",
            help="A directory with your own simulation of the paper (docs/host-models.md): probes ask its numbers.",
            readable=False,
            show_default=False,
        ),
    ] = None,
    sandbox: SandboxName = SandboxChoice.AUTO,
    refresh: Annotated[bool, typer.Option("--refresh", help="Build again what is already built.")] = False,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Extract claims, ground their numbers, compile contracts, and render tasks that prove themselves.

    Example: reproducegym build --paper runs/optimism-small-budgets --max-claims 5
    """
    if max_claims is not None and claim_id:
        raise MisuseError("give --claim-id or --max-claims, not both: named claims are all built")
    named = tuple(claim_id or ())
    laps = Laps(time.perf_counter)
    store = open_paper(paper)
    settings = _exposing(wiring.config(config), exposure)
    places = read_places(tuple(asset or ()))
    with laps.step("read"):
        offered = offered_assets(places)
    host = None if host_model is None else wiring.host_model(host_model, sandbox, settings, store)
    proposing = wiring.proposing(extractor, settings, store, laps, offered, host)
    manifest = None
    if not refresh:
        with laps.step("check"):
            manifest = standing(store, build_key(store, proposing.builder, named, max_claims, offered))
    if manifest is None:
        manifest = _built(store, proposing, settings, named, max_claims, laps, places, offered, refresh=refresh)
    else:
        say("nothing changed since the last build; every file is as it was left (--refresh builds again)")
    if as_json:
        answer(
            {
                "paper_id": store.paper_id,
                "manifest": str(store.root / "task_manifest.json"),
                "claims": str(store.root / "CLAIMS.md"),
                "tasks": [task.model_dump(mode="json") for task in manifest.tasks],
                "excluded": dict(manifest.excluded),
            }
        )
    say(_summary(manifest, named, store.root / "CLAIMS.md"))
    unused = [one.asset.name for one in offered if not any(one.asset in task.assets for task in manifest.tasks)]
    if unused:
        say(f"no task uses the asset {', '.join(unused)}: the paper names it by no name or alias on its card")
    say(_spent(laps, proposing.usage()))
    if manifest.tasks:
        shown = next((task for task in manifest.tasks if task.claim_id in named), manifest.tasks[0])
        say(f"next: reproducegym run --paper {store.root} --claim-id {shown.claim_id} --agent noop")


def _exposing(settings: Config, exposure: ExposureChoice | None) -> Config:
    if exposure is None:
        return settings
    return settings.model_copy(
        update={"build": settings.build.model_copy(update={"exposure": exposure.value})},
    )


def _built(
    store: PaperStore,
    proposing: wiring.Proposing,
    settings: Config,
    named: tuple[str, ...],
    max_claims: int | None,
    laps: Laps,
    places: dict[str, Path],
    offered: tuple[OfferedAsset, ...],
    *,
    refresh: bool,
) -> Manifest:
    from reproducegym.pipeline.build import build as build_tasks

    return build_tasks(
        store,
        proposing.family(),
        settings,
        claim_ids=named,
        max_claims=max_claims,
        refresh=refresh,
        progress=say,
        laps=laps,
        places=places,
        offered=offered,
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
