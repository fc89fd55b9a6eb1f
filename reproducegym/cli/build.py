"""`reproducegym build`: claims of a parsed paper become contracts and sealed tasks."""

from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson, ConfigFile
from reproducegym.cli.voice import answer, counted, say
from reproducegym.errors import MisuseError
from reproducegym.pipeline.store import open_paper
from reproducegym.schema.task import Manifest

__all__ = ["build"]


def build(
    paper: Annotated[
        Path,
        typer.Option("--paper", help="The paper's directory, runs/<paper_id>.", readable=False, show_default=False),
    ],
    extractor: Annotated[str, typer.Option("--extractor", help="rules (no model), or llm.")] = "rules",
    max_claims: Annotated[
        int | None, typer.Option("--max-claims", min=1, help="At most this many tasks.", show_default=False)
    ] = None,
    claim_id: Annotated[
        list[str] | None, typer.Option("--claim-id", help="Only this claim; may be repeated.", show_default=False)
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Build again what is already built.")] = False,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Extract claims, ground their numbers, compile contracts, and render tasks that prove themselves.

    Example: reproducegym build --paper runs/optimism-small-budgets --max-claims 5
    """
    from reproducegym.pipeline.build import build as build_tasks

    if max_claims is not None and claim_id:
        raise MisuseError("give --claim-id or --max-claims, not both: named claims are all built")
    store = open_paper(paper)
    settings = wiring.config(config)
    family = wiring.family(extractor, settings)
    manifest = build_tasks(
        store,
        family,
        settings,
        claim_ids=tuple(claim_id or ()),
        max_claims=max_claims,
        refresh=refresh,
        progress=say,
    )
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
    say(_summary(manifest, tuple(claim_id or ()), store.root / "CLAIMS.md"))
    if manifest.tasks:
        shown = next((task for task in manifest.tasks if task.claim_id in (claim_id or ())), manifest.tasks[0])
        say(f"next: reproducegym run --paper {store.root} --claim-id {shown.claim_id} --agent noop")


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
