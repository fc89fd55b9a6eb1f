"""Measures what policies earn: the same episodes for all, in a table with the bars that they must keep."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean

from reproducegym.families.auditor.episode import Drawer, Episode
from reproducegym.families.auditor.nouns import LEVELS, Case, Level
from reproducegym.families.auditor.policies.cheats import ConstantMetrics, DeleteRandomness
from reproducegym.families.auditor.policies.grep import ClaimingGrep, Enumerator, Grep
from reproducegym.families.auditor.policies.policy import Maker
from reproducegym.families.auditor.policies.rules import Rules, Silencing, TakingAway
from reproducegym.families.auditor.policies.tricks import Everything, NoOp, Oracle, RandomNames, SpamAll, Stuffing

__all__ = ["BARS", "POLICIES", "Bar", "Row", "broken_bars", "measured", "played"]

POLICIES: Mapping[str, Maker] = {
    "no-op": NoOp,
    "spam-all": SpamAll,
    "everything": Everything,
    "random": RandomNames,
    "keyword stuffing": Stuffing,
    "template grep": Grep,
    "delete randomness": DeleteRandomness,
    "constant metrics": ConstantMetrics,
    "grep, all claimed": ClaimingGrep,
    "feedback enumerator": Enumerator,
    "ml-audit rules": Rules,
    "rules, silenced": Silencing,
    "rules, taken away": TakingAway,
    "oracle": Oracle,
}


@dataclass(frozen=True)
class Row:
    """What one policy earned: by level, and of all and of the episodes that hold a violation."""

    policy: str
    by_level: Mapping[Level, float]
    mean: float
    holding: float
    least: float


@dataclass(frozen=True)
class Bar:
    """What a row of executed mode must keep; `words` say it."""

    words: str
    kept: Callable[[Row, Mapping[str, Row]], bool]


def _at_most(bound: float) -> Bar:
    return Bar(f"<= {bound} where there is a violation", lambda row, rows: row.holding <= bound)


BARS: Mapping[str, Bar] = {
    **{name: _at_most(0.02) for name in ("no-op", "spam-all", "everything", "random", "keyword stuffing")},
    "template grep": _at_most(0.15),
    "delete randomness": _at_most(0.05),
    "constant metrics": _at_most(0.05),
    "feedback enumerator": Bar(
        "<= the same without feedback + 0.02", lambda row, rows: row.mean <= rows["grep, all claimed"].mean + 0.02
    ),
    "ml-audit rules": Bar(
        ">= 0.3 below the oracle on hard",
        lambda row, rows: row.by_level["hard"] <= rows["oracle"].by_level["hard"] - 0.3,
    ),
    **{
        name: Bar("<= the rules alone + 0.02", lambda row, rows: row.mean <= rows["ml-audit rules"].mean + 0.02)
        for name in ("rules, silenced", "rules, taken away")
    },
    "oracle": Bar(">= 0.99 on every episode", lambda row, rows: row.least >= 0.99),
}


def played(case: Case, policy: Maker) -> float:
    """What a policy earns in an episode: the last reward, which in executed mode is the whole episode's."""
    player, episode = policy(case), Episode(case)
    episode.step(player.triage().to_json())
    return episode.step(player.audit(episode.feedback).to_json()).reward


def measured(drawer: Drawer, names: Iterable[str], levels: Iterable[Level], seeds: Iterable[int]) -> Iterator[Row]:
    """A row for each policy, over the same episodes: seeds in turn of the levels."""
    order = tuple(levels)
    cases = [drawer.draw(order[seed % len(order)], seed) for seed in seeds]
    for name in names:
        rewards = [(case, played(case, POLICIES[name])) for case in cases]
        yield Row(
            name,
            {level: _mean(reward for case, reward in rewards if case.level == level) for level in LEVELS},
            _mean(reward for _, reward in rewards),
            _mean(reward for case, reward in rewards if case.answers().audit.violations),
            min(reward for _, reward in rewards),
        )


def broken_bars(rows: Mapping[str, Row]) -> tuple[str, ...]:
    """Each bar that is not kept, in a line; bars whose rows were not measured are left out."""
    needed = {"feedback enumerator": "grep, all claimed", "ml-audit rules": "oracle"}
    needed |= dict.fromkeys(("rules, silenced", "rules, taken away"), "ml-audit rules")
    return tuple(
        f"{name}: {bar.words}"
        for name, bar in BARS.items()
        if name in rows and needed.get(name, name) in rows and not bar.kept(rows[name], rows)
    )


def _mean(rewards: Iterable[float]) -> float:
    found = list(rewards)
    return fmean(found) if found else float("nan")
