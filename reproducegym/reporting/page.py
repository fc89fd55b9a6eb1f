"""The statistics as one page of HTML that needs nothing else, in the look of ml-audit's reports."""

from ml_audit.outputs.page import templates
from reproducegym.reporting.plots import TONES, gap_plot, histogram, strip
from reproducegym.reporting.statistics import Bounds
from reproducegym.schema.statistics import RewardStatistics

__all__ = ["MOST_TASKS", "page"]

MOST_TASKS = 500
"""Tasks that the page lists, unfit ones first; the JSON has all."""
_MOST_AGENTS = 20


def page(found: RewardStatistics, bounds: Bounds, version: str) -> str:
    """The page: no script, and its policy forbids every request; all names are escaped by the template."""
    ordered = sorted(found.tasks, key=lambda one: (one.quarantine is None, one.unfit is None, one.task_id))
    rewards = [reward for one in found.tasks for reward in one.rewards]
    return (
        templates("reproducegym.reporting")
        .get_template("rewards.html.j2")
        .render(
            tasks=ordered[:MOST_TASKS],
            total=len(found.tasks),
            damaged=found.damaged,
            agents=found.agents,
            most_agents=_MOST_AGENTS,
            tones=TONES,
            attempts=sum(one.attempts for one in found.tasks),
            unscored=sum(one.infra + one.verifier for one in found.tasks),
            papers=len({one.paper_id for one in found.tasks}),
            tried=sum(one.attempts > 0 for one in found.tasks),
            unfit=[one for one in ordered if one.unfit is not None or one.quarantine is not None],
            mean=sum(rewards) / len(rewards) if rewards else None,
            bounds=bounds,
            version=version,
            histogram=histogram(rewards),
            gaps=gap_plot(found.tasks) if any(one.discrimination is not None for one in found.tasks) else None,
            strip=strip,
        )
    )
