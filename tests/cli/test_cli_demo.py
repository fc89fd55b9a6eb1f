"""The demo does not take an unlucky draw of seeds for a broken promise, nor a broken promise for bad luck."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from sample_paper import CHEAP_CLAIM, PAPER_ID, SAMPLE, manifest

from reproducegym.adapters.agents import script_agent
from reproducegym.cli import wiring
from reproducegym.cli.demo import Row, tried
from reproducegym.cli.options import SandboxChoice
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Agent, AgentTask, SandboxBox
from reproducegym.schema.run import AgentRecord

HONEST = script_agent(SAMPLE / "solution" / "solve.sh")
NOTHING = script_agent(SAMPLE / "cheats" / "nothing" / "solve.sh")


class Late:
    """Leaves nothing as often as it is told to, and then the reference."""

    name, door = "late", ()

    def __init__(self, late: int) -> None:
        self._late, self.calls = late, 0

    @property
    def mounts(self) -> Mapping[str, Path]:
        return self._now.mounts

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        record = self._now.run(task, box)
        self.calls += 1
        return record

    @property
    def _now(self) -> Agent:
        return NOTHING if self.calls < self._late else HONEST


@pytest.fixture
def row(built_sample: Path, tmp_path: Path):
    store = PaperStore(Path(shutil.copytree(built_sample.parent, tmp_path / "runs")), PAPER_ID)
    (entry,) = [one for one in manifest(built_sample)["tasks"] if one["claim_id"] == CHEAP_CLAIM]
    order = read_order(store, CHEAP_CLAIM, entry["spec_hash"])
    judge = wiring.judge(SandboxChoice.NAMESPACES, wiring.config(None))

    def row(reference: Agent) -> Row:
        return tried(store, order, {"reference": reference, "typed": NOTHING, "nothing": NOTHING}, judge)

    return row


@pytest.mark.parametrize(("late", "kept"), [(1, True), (2, False)], ids=["unlucky once", "never paid"])
def test_honest_work_that_is_not_paid_is_tried_once_more(
    row, capsys: pytest.CaptureFixture[str], late: int, kept: bool
):
    reference = Late(late)
    found = row(reference)
    assert (found.kept(), reference.calls) == (kept, 2)
    assert "the reference earned 0.00" in capsys.readouterr().err
