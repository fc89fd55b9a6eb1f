"""A claim whose whole runs are too long to be made again: honest checkpoints are paid, cheats are not."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from sample_paper import ROOT
from small_task import fixed_randbelow, small_order

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.attacking.replays import replay_attacks
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.judging.replay import REPLAY
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order, Verified, verify
from reproducegym.pipeline.redteam import red_team
from reproducegym.pipeline.task import brief
from reproducegym.ports import Files, ReadPaper
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

PAPER = ROOT / "examples" / "papers" / "memory-in-short-runs"
HOURS = 1.0
PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def order() -> Order:
    """Momentum against Plain SGD on the regression task, where all re-runs together may take an hour."""
    source = Source(kind="pdf", origin="paper.pdf", content=(PAPER / "paper.pdf").read_bytes())
    parsed = PymupdfParser().parse(source, PAPER.name)
    paper = ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)
    config = load_config(None)
    hours = {"verification": config.verification.model_copy(update={"max_hours": HOURS})}
    claim = next(one for one in RulesExtractor().extract(paper) if "82% as the paper prints it" in one.statement)
    spec = compile_claim(paper, claim, config.model_copy(update=hours))
    assert isinstance(spec, ClaimSpec), spec
    contract = contract_of(spec)
    files = brief(spec, paper, "none", HOURS)
    return replace(
        small_order(), spec=spec, contract=contract, contract_json=contract.to_json().encode(), input_files=files
    )


def handed_in(order: Order, *agents: str) -> dict[str, bytes]:
    """What the last of these agents leaves in a workspace, with the files of all of them beside its script."""
    with tempfile.TemporaryDirectory() as place:
        there, workspace = Path(place) / "agent", Path(place) / "workspace"
        for agent in agents:
            shutil.copytree(PAPER / agent, there, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        (workspace / "input_files").mkdir(parents=True)
        for name, content in order.input_files.items():
            (workspace / "input_files" / name).write_bytes(content)
        subprocess.run(["bash", there / "solve.sh"], cwd=workspace, env=PLAIN, check=True)
        left = (path for path in workspace.rglob("*") if path.is_file())
        return {str(path.relative_to(workspace)): path.read_bytes() for path in left}


@pytest.fixture(scope="module")
def honest(order: Order) -> dict[str, bytes]:
    return handed_in(order, "solution")


def swapped(files: Files) -> dict[str, bytes]:
    """One whole run, handed in as that of both seeds."""
    kept = {name: data for name, data in files.items() if not name.startswith("checkpoints/2/")}
    copies = {name.replace("checkpoints/1/", "checkpoints/2/"): data for name, data in kept.items()}
    return kept | copies


def outcome(verified: Verified) -> tuple[float, str]:
    assert verified.report is not None, verified.failure_detail
    return verified.report.reward, verified.failure_detail


def test_the_task_is_replayed_with_probes_that_are_cheap(order: Order):
    assert order.spec.evidence_level == "replay"
    assert order.spec.probes.used == ("budget", "curve")
    assert order.spec.probes.missing["null"] == "over_verification_budget"
    assert order.spec.probes.missing["data"] == "no_asset"
    for plan in order.contract.probes:
        assert all(choice.knobs["steps"] <= 120 / 4 for choice in plan.choices)
    instructions = order.input_files["task.md"].decode()
    assert "a segment from a checkpoint of **another seed**" in instructions
    assert REPLAY in order.input_files


def test_the_reference_solution_is_paid_from_its_checkpoints(order: Order, honest: dict[str, bytes], judge: Judge):
    verified = verify(honest, order, judge)
    reward, why = outcome(verified)
    assert (reward >= 0.9, verified.level) == (True, "replay"), why
    assert verified.report is not None
    assert [(one.probe, one.held) for one in verified.report.probes] == [("budget", True), ("curve", True)]
    purposes = {run.purpose for run in verified.draw.runs}
    assert purposes == {"segment", "final", "crossed", "fresh", "budget", "curve"}


def test_an_honest_beginning_with_a_typed_end_earns_nothing(order: Order, judge: Judge):
    reward, why = outcome(verify(handed_in(order, "solution", "cheats/typed_tail"), order, judge))
    assert reward == 0.0
    assert "checkpoint_ignored:seed" in why


def test_one_run_under_two_names_earns_nothing(order: Order, honest: dict[str, bytes], judge: Judge):
    reward, why = outcome(verify(swapped(honest), order, judge))
    assert reward == 0.0
    assert "segment_differs:seed 2" in why


def test_tables_typed_by_seed_or_by_checkpoint_earn_nothing_even_if_they_know_of_the_budget_probe(
    order: Order, judge: Judge
):
    table = red_team(order, tuple(replay_attacks(order.spec, order.contract)), judge, None, lambda outcome: None)
    assert {one.name: one.reward for one in table.attacks} == {
        "typed_by_seed": 0.0,
        "typed_by_checkpoint": 0.0,
        "typed_checkpoints": 0.0,
    }
    why = {one.name: one.why for one in table.attacks}
    assert "checkpoint_ignored" in why["typed_by_seed"]
    assert "probe_failed:curve" in why["typed_by_checkpoint"]


@pytest.fixture
def docker(judge: Judge, docker_image: str) -> Judge:
    return replace(judge, sandbox=DockerSandbox(), image=docker_image, randbelow=fixed_randbelow(2))


@pytest.mark.docker
def test_docker_pays_as_namespaces_do(order: Order, honest: dict[str, bytes], docker: Judge):
    assert outcome(verify(honest, order, docker))[0] >= 0.9


@pytest.mark.docker
@pytest.mark.soak
def test_docker_refuses_as_namespaces_do(order: Order, docker: Judge):
    assert outcome(verify(handed_in(order, "solution", "cheats/typed_tail"), order, docker))[0] == 0.0
