"""`reproducegym build`: claims of parsed papers become contracts and sealed tasks."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.building import BuildOrder, Built
from reproducegym.cli.options import (
    AsJson,
    ConfigFile,
    ExecutorChoice,
    ExecutorName,
    Exposure,
    RayAddress,
    SandboxChoice,
    SandboxName,
)
from reproducegym.cli.planted import PAPER_CLAIMS, PlantedOrder
from reproducegym.cli.voice import answer, counted, say, told
from reproducegym.errors import MisuseError

__all__ = ["build"]


def build(
    paper: Annotated[
        list[Path] | None,
        typer.Option(
            "--paper", help="A paper's directory, runs/<paper_id>; may be repeated.", readable=False, show_default=False
        ),
    ] = None,
    family: Annotated[
        str, typer.Option("--family", help="Where tasks come from: paper-claims, repo-audit or auditor.")
    ] = PAPER_CLAIMS,
    n: Annotated[int, typer.Option("--n", min=1, help="How many tasks, of a family that plants defects.")] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="What decides which defects are where.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="Where planted tasks are kept.", readable=False)] = Path("runs"),
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
    executor: ExecutorName = ExecutorChoice.LOCAL,
    parallel: Annotated[int, typer.Option("--parallel", min=1, help="With ray: how many papers at once.")] = 1,
    ray_address: RayAddress = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Extract claims, ground their numbers, compile contracts, and render tasks that prove themselves.

    Several papers are built apart: one that fails leaves the others as they are, and what stands is not built again.

    With --family tasks are planted in place of taken from papers: --n of them, which --seed decides.

    Example: reproducegym build --paper runs/optimism-small-budgets --max-claims 5
    """
    if family != PAPER_CLAIMS:
        if paper or claim_id or max_claims is not None or asset or host_model is not None:
            raise MisuseError(
                f"--family {family} plants its tasks: give --n and --seed, and nothing that is of a paper"
            )
        built = PlantedOrder(family, n, seed, out, refresh=refresh, config=config).build(say)
        if as_json:
            answer(built)
        return 0
    if not paper:
        raise MisuseError("name a parsed paper with --paper, or plant tasks with --family repo-audit")
    if max_claims is not None and claim_id:
        raise MisuseError("give --claim-id or --max-claims, not both: named claims are all built")
    order = BuildOrder(
        extractor=extractor,
        max_claims=max_claims,
        named=tuple(claim_id or ()),
        exposure=exposure,
        assets=tuple(asset or ()),
        host_model=host_model,
        sandbox=sandbox,
        refresh=refresh,
        config=config,
    )
    pool = wiring.executor(executor, parallel, wiring.config(config), ray_address)
    if len(paper) == 1 and executor is ExecutorChoice.LOCAL:
        built = order.build(paper[0], say)
        if as_json:
            answer(built)
        return 0
    if claim_id or host_model is not None:
        raise MisuseError("--claim-id and --host-model are of one paper; build it apart")
    if executor is ExecutorChoice.LOCAL and parallel > 1:
        raise MisuseError("papers are built one after another here; --parallel is for --executor ray")
    ended: list[Built] = []
    for one in pool.as_done(order, dict.fromkeys(paper)):
        for line in one.lines:
            say(f"{one.paper.name}: {line}")
        ended.append(one)
    return _told(ended, as_json=as_json)


def _told(ended: list[Built], *, as_json: bool) -> int:
    """Say how many papers were built; the exit code is that of the first that failed."""
    rows: list[JsonValue] = []
    codes = []
    for one in ended:
        if one.failure is None:
            rows.append(one.answer)
        else:
            codes.append(one.failure.exit_code)
            rows.append({"paper": str(one.paper), "error": told(one.failure)})
    say(f"{len(ended) - len(codes)} of {counted(len(ended), 'paper')} built")
    if as_json:
        answer({"papers": rows})
    return codes[0] if codes else 0
