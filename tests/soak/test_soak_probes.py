"""Long counts of probes: how often each kind fails an honest reproduction, and how often it tells a remembered one."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from sample_paper import PAPER_ID, SAMPLE

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.compiling.spec import compile_claim, contract_of
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.judging.draw import PlannedRun, plan_runs
from reproducegym.pipeline.probing.probes import memory_resistant
from reproducegym.pipeline.task import brief
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import canonical_json
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Report, Run, score_runs

pytestmark = pytest.mark.soak

CONFIG = load_config(None)
HONEST_DRAWS = 5
FAKE_DRAWS = 5
PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True)
class Verification:
    """One submission judged once."""

    spec: ClaimSpec
    report: Report


@pytest.fixture(scope="module")
def paper() -> ReadPaper:
    content = (SAMPLE / "paper.pdf").read_bytes()
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=content), PAPER_ID)
    return ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)


@pytest.fixture(scope="module")
def specs(paper: ReadPaper) -> list[ClaimSpec]:
    outcomes = [compile_claim(paper, one, CONFIG) for one in RulesExtractor().extract(paper)]
    return [one for one in outcomes if isinstance(one, ClaimSpec)]


def verifications(paper: ReadPaper, specs: list[ClaimSpec], agent: str, draws: int, root: Path) -> list[Verification]:
    """What an agent's submission gets for every claim, under as many draws of seeds, labels and orders."""
    orders = [(spec, draw) for spec in specs for draw in range(draws)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda order: judged(paper, order[0], agent, order[1], root), orders))


def judged(paper: ReadPaper, spec: ClaimSpec, agent: str, draw: int, root: Path) -> Verification:
    workspace = root / f"{spec.claim_uid}.{draw}"
    shutil.copytree(SAMPLE / agent, workspace, ignore=shutil.ignore_patterns("__pycache__"))
    for name, content in brief(spec, paper, "none", 8.0).items():
        (workspace / "input_files").mkdir(exist_ok=True)
        (workspace / "input_files" / name).write_bytes(content)
    contract = contract_of(spec)
    plans = plan_runs(contract, Random(f"{spec.claim_uid} {draw}").randrange)
    runs = [started(plan, workspace) for plan in plans]
    shutil.rmtree(workspace)
    return Verification(spec, score_runs(load_contract(canonical_json(contract)), runs))


def started(plan: PlannedRun, workspace: Path) -> Run:
    """One run as the verifier starts it, without a sandbox: these are programs of our own."""
    out = workspace / f"out.{plan.purpose}.{plan.index}"
    out.mkdir()
    shown = [{"label": one.label, "switches": one.switches} for one in plan.conditions]
    (out / "conditions.json").write_text(json.dumps({"conditions": shown}))
    (out / "knobs.json").write_text(json.dumps({"knobs": plan.knobs}))
    environment = {
        **PLAIN,
        "REPRODUCEGYM_SEED": str(plan.seed),
        "REPRODUCEGYM_OUT": str(out),
        "REPRODUCEGYM_CONDITIONS": str(out / "conditions.json"),
        "REPRODUCEGYM_KNOBS": str(out / "knobs.json"),
    }
    script = "reproduce.py" if (workspace / "reproduce.py").exists() else "recite.py"
    subprocess.run([sys.executable, script], cwd=workspace, env=environment, check=True)
    written = (out / "metrics.csv").read_bytes()
    return Run(plan.purpose, plan.index, plan.seed, plan.labels, "ok", "", written, plan.choice)


def test_each_kind_of_probe_holds_for_honest_work(paper: ReadPaper, specs: list[ClaimSpec], tmp_path, record_property):
    done = verifications(paper, specs, "solution", HONEST_DRAWS, tmp_path)
    asked, failed = Counter(), Counter()
    for one in done:
        asked.update(probe.probe for probe in one.report.probes)
        failed.update(probe.probe for probe in one.report.probes if not probe.held)
    for kind, times in sorted(asked.items()):
        record_property(f"{kind}_failed", f"{failed[kind]}/{times}")
    record_property("paid", f"{sum(one.report.reward >= 0.9 for one in done)}/{len(done)}")
    assert all(failed[kind] <= 0.01 * times + 1 for kind, times in asked.items())


@pytest.mark.parametrize(("cheat", "earning"), [("typed_numbers", 0.0), ("constant_noise", 0.05), ("knob_keyed", 1.0)])
def test_remembered_values_are_told_from_work(
    paper: ReadPaper, specs: list[ClaimSpec], cheat: str, earning: float, tmp_path, record_property
):
    done = verifications(paper, specs, f"cheats/{cheat}", FAKE_DRAWS, tmp_path)
    asked, caught = Counter(), Counter()
    for one in done:
        asked.update(probe.probe for probe in one.report.probes)
        caught.update(probe.probe for probe in one.report.probes if not probe.held)
    for kind, times in sorted(asked.items()):
        record_property(f"{kind}_caught", f"{caught[kind]}/{times}")
    resistant = [one for one in done if memory_resistant(one.spec.probes.used)]
    curved = [one for one in done if "curve" in one.spec.probes.used]
    for name, group in (("resistant", resistant), ("with_curve", curved)):
        record_property(f"{name}_earning", f"{sum(one.report.reward > 0 for one in group)}/{len(group)}")
    assert sum(one.report.reward > 0 for one in resistant) <= earning * len(resistant)
    assert not [one for one in curved if one.report.reward > 0]
