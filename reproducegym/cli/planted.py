"""Builds the tasks of a family that plants defects: a card in a paper's place, then the same build as of papers."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.voice import counted
from reproducegym.errors import MisuseError
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import TaskFamily
from reproducegym.schema.paper import Source

__all__ = ["PAPER_CLAIMS", "PlantedOrder"]

PAPER_CLAIMS = "paper-claims"
_PLANTED = ("repo-audit", "auditor")


@dataclass(frozen=True)
class PlantedOrder:
    """Which tasks are planted, and where they are kept: `<out>/<family>-<seed>`, as a paper is."""

    family: str
    n: int
    seed: int
    out: Path
    refresh: bool
    config: Path | None

    def build(self, say: Callable[[str], None]) -> dict[str, JsonValue]:
        """Build them and give the answer for machines.

        Raises:
            ReproduceGymError: they cannot be built.
        """
        from reproducegym.pipeline.build import build as build_tasks

        laps = Laps(time.perf_counter)
        settings = wiring.config(self.config)
        with laps.step("plant"):
            family = self._family()
        store = PaperStore(self.out, f"{self.family}-{self.seed}")
        with laps.step("parse"):
            source = Source(kind="markdown", origin=f"{self.family} {self.seed}", content=self._card().encode())
            parse(store, wiring.parser(source), source, licence="Apache-2.0")
        manifest = build_tasks(
            store, family, settings, claim_ids=(), max_claims=self.n, refresh=self.refresh, progress=say, laps=laps
        )
        say(f"{counted(len(manifest.tasks), 'task')} accepted; time: {_spent(laps)}")
        say(f"next: reproducegym run --paper {store.root} --claim-id {manifest.tasks[0].claim_id} --agent noop")
        return {
            "paper_id": store.paper_id,
            "manifest": str(store.root / "task_manifest.json"),
            "tasks": [task.model_dump(mode="json") for task in manifest.tasks],
        }

    def _card(self) -> str:
        from reproducegym.families.repo_audit.family import source_text

        return source_text(self.family, self.seed)

    def _family(self) -> TaskFamily:
        if self.family not in _PLANTED:
            raise MisuseError(f"--family {self.family}: unknown; known are {PAPER_CLAIMS}, {', '.join(_PLANTED)}")
        from reproducegym.families.repo_audit import RepoAudits, auditor_audits

        return auditor_audits(self.n, self.seed) if self.family == "auditor" else RepoAudits(self.n, self.seed)


def _spent(laps: Laps) -> str:
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in laps.seconds().items())
