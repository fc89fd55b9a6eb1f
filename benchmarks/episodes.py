"""Classic episodes of the auditor environment: whole ones, both steps answered rightly, against drawing them alone."""

from benchmarks.timing import Row, paired
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import Episode
from reproducegym.families.auditor.nouns import LEVELS

__all__ = ["rows"]

_EPISODES, _TIMES = 3000, 5


def rows() -> list[Row]:
    """One row; the bar is 2,000 episodes a second on one core."""
    drawer = Classic()
    plan = [(LEVELS[seed % len(LEVELS)], seed) for seed in range(_EPISODES)]
    answers = [drawer.draw(*one).answers() for one in plan]
    actions = [(one.triage.to_json(), one.audit.to_json()) for one in answers]

    def played() -> None:
        for one, (triage, audit) in zip(plan, actions, strict=True):
            episode = Episode(drawer.draw(*one))
            episode.step(triage)
            episode.step(audit)

    def drawn() -> None:
        for one in plan:
            drawer.draw(*one)

    ours, peer, ratio = paired(played, drawn, _TIMES)
    return [
        Row(
            "classic auditor episodes on one core (bar 2,000 a second), against drawing them alone",
            f"{_EPISODES / ours:,.0f}/s",
            f"{_EPISODES / peer:,.0f}/s",
            f"{ratio:.1f}",
        )
    ]
