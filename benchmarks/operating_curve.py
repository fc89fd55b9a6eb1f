"""`python -m benchmarks.operating_curve`: who is paid how much, by tolerance and number of runs; plotted for the docs.

Four submissions for the sample paper: the reference solution; a near miss, which explores half as much or twice as much
as the paper says; a wrong method, which answers each strategy's name with another strategy; and the lazy solution, one
strategy under every name. All of them run real experiments.
"""

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.sample_runs import RunPool, Verification, verifications
from benchmarks.sample_tasks import CONFIG, SAMPLES, SampleTask, compiled, read_sample
from reproducegym.pipeline.targets.curves import quiet_zone, reward_curve
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import Reason, Relation
from reproducegym.schema.contract import Contract
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_runs

__all__ = ["main"]

_PAPER = SAMPLES / "optimism-small-budgets"
_PLOT = SAMPLES.parent.parent / "docs" / "operating-curve.svg"
_SCALES = ("0.25", "0.5", "1", "2", "4")
_RUNS = (2, 3, 4, 5, 6)
_DRAWS = range(12)
_SLOTS = {"honest": 16, "near miss": 8, "wrong method": 8, "lazy": 8}
_COLOURS = {"honest": "#2ca02c", "near miss": "#ff7f0e", "wrong method": "#d62728", "lazy": "#7f7f7f"}
_CHANGES: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "near miss": (
        ("bandit.py", "EPSILON = 0.1", "EPSILON = 0.2"),
        ("bandit.py", "SIGMA * sqrt(2 * log(step))", "SIGMA * sqrt(0.5 * log(step))"),
        ("bandit.py", "rng.gauss(mean, SIGMA / sqrt(count))", "rng.gauss(mean, 2 * SIGMA / sqrt(count))"),
        ("chain.py", "EPSILON = 0.1", "EPSILON = 0.2"),
        ("chain.py", "SIGMA = 3.0", "SIGMA = 1.5"),
    ),
    "wrong method": (
        (
            "names.py",
            "return found.pop()",
            'return {"greedy": "random", "epsilon_greedy": "greedy", "ucb1": "epsilon_greedy"}.get(*found, "ucb1")',
        ),
    ),
}
_STYLE: dict[Any, Any] = {
    "font.size": 8,
    "svg.hashsalt": "operating curve",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_RELATIONS: Mapping[str, Relation] = {"two_sided": "equals", "at_least": "at_least", "at_most": "at_most"}


@dataclass(frozen=True)
class Paid:
    """Of some verifications: the share that earns 0.9 or more, the share that earns anything, the mean reward."""

    full: float
    any: float
    mean: float


def main() -> int:
    """Measure, print a table and write the plot."""
    paper = read_sample((_PAPER / "paper.pdf").read_bytes(), _PAPER.name)
    by_width: dict[tuple[str, str], Paid] = {}
    by_runs: dict[tuple[str, int], Paid] = {}
    rewards: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        pools = {name: _pool(name, Path(scratch) / name) for name in _SLOTS}
        for name, pool in pools.items():
            done = verifications(pool, compiled(paper, CONFIG), _DRAWS)
            rewards[name] = [one.report.reward for one in done]
            for scale in _SCALES:
                by_width[name, scale] = _paid(_rescored(done, Decimal(scale)))
        for runs in _RUNS:
            fixed = CONFIG.verification.model_copy(update={"min_seeds": runs, "max_seeds": runs, "policy_seeds": runs})
            tasks = compiled(paper, CONFIG.model_copy(update={"verification": fixed}))
            for name, pool in pools.items():
                by_runs[name, runs] = _paid([one.report.reward for one in verifications(pool, tasks, _DRAWS)])
    _plot(by_width, by_runs, rewards)
    sys.stdout.write(_table(by_width, by_runs, rewards))
    return 0


def _pool(name: str, root: Path) -> RunPool:
    """A submission's runs. Nothing that a lazy one does depends on a condition, so it draws for each anew."""
    if name == "lazy":
        return RunPool(_PAPER / "solutions_lazy" / "same_method", _SLOTS[name], alone=True)
    shutil.copytree(_PAPER / "solution", root, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in _CHANGES.get(name, ()):
        text = (root / file).read_text("utf-8")
        if text.count(old) != 1:
            sys.exit(f"{name}: {file} of the solution has {text.count(old)} times {old!r}; mend the change")
        (root / file).write_text(text.replace(old, new), "utf-8")
    return RunPool(root, _SLOTS[name])


def _rescored(done: Sequence[Verification], scale: Decimal) -> list[float]:
    """The rewards that the same runs earn when every tolerance d is so many times as wide; probes stay as they are."""
    rewards = []
    for one in done:
        contract = _widened(one.task, scale)
        if contract is not None:
            rewards.append(score_runs(load_contract(canonical_json(contract)), one.runs).reward)
    return rewards


def _widened(task: SampleTask, scale: Decimal) -> Contract | None:
    """A contract with other tolerances; None where no effect would then be within them, and there were no task."""
    curves = dict(task.contract.reward_curves)
    metrics = {metric.name: metric for metric in task.spec.metrics}
    for target in task.spec.targets:
        quiet = quiet_zone(task.contract.probes, target.metric, curves, plain=target.derivation is None)
        drawn = reward_curve(
            target.value,
            target.tolerance.abs * scale,
            target.no_effect,
            _RELATIONS[curves[target.metric].shape],
            metrics[target.metric].range,
            quiet,
        )
        if isinstance(drawn, Reason):
            return None
        curves[target.metric] = drawn
    return task.contract.model_copy(update={"reward_curves": curves})


def _paid(rewards: Sequence[float]) -> Paid:
    count = len(rewards)
    full, some = sum(one >= 0.9 for one in rewards), sum(one > 0 for one in rewards)
    return Paid(full / count, some / count, sum(rewards) / count)


def _table(
    by_width: Mapping[tuple[str, str], Paid],
    by_runs: Mapping[tuple[str, int], Paid],
    rewards: Mapping[str, list[float]],
) -> str:
    """Shares paid in full as Markdown, and how rewards lie at the product's own d and m."""
    heads = [*(f"{scale} d" for scale in _SCALES), *(f"m = {runs}" for runs in _RUNS)]
    lines = [
        f"| submission | verifications | 0 | between | ≥ 0.9 | {' | '.join(heads)} |",
        "| --- " * (5 + len(heads)) + "|",
    ]
    for name, own in rewards.items():
        shares = [sum(map(test, own)) / len(own) for test in (_nothing, _something, _enough)]
        cells = [by_width[name, scale].full for scale in _SCALES] + [by_runs[name, runs].full for runs in _RUNS]
        lines.append(f"| {name} | {len(own)} | {' | '.join(f'{cell:.1%}' for cell in (*shares, *cells))} |")
    return "\n".join(lines) + "\n"


def _nothing(reward: float) -> bool:
    return reward == 0


def _something(reward: float) -> bool:
    return 0 < reward < 0.9


def _enough(reward: float) -> bool:
    return reward >= 0.9


def _plot(
    by_width: Mapping[tuple[str, str], Paid],
    by_runs: Mapping[tuple[str, int], Paid],
    rewards: Mapping[str, list[float]],
) -> None:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 2.6), layout="constrained")
        widths, runs, spread = figure.subplots(1, 3)
        for name, colour in _COLOURS.items():
            scales = [float(scale) for scale in _SCALES]
            widths.plot(scales, [by_width[name, one].full for one in _SCALES], "o-", ms=3, color=colour, label=name)
            widths.plot(scales, [by_width[name, one].mean for one in _SCALES], ":", lw=1, color=colour)
            runs.plot(_RUNS, [by_runs[name, one].full for one in _RUNS], "o-", ms=3, color=colour)
            runs.plot(_RUNS, [by_runs[name, one].mean for one in _RUNS], ":", lw=1, color=colour)
        widths.set_xscale("log", base=2)
        widths.set_xticks([float(scale) for scale in _SCALES], _SCALES)
        widths.axvline(1, color="#bbbbbb", lw=0.8, zorder=0)
        widths.set(
            title="(a) by tolerance", xlabel="tolerance, in multiples of d", ylabel="share (dotted: mean reward)"
        )
        runs.set(title="(b) by runs, d as m gives it", xlabel="m, hidden seeds of a verification")
        left = [0.0] * len(rewards)
        for test, shade, what in (
            (_nothing, "#d9d9d9", "0"),
            (_something, "#fdae6b", "between"),
            (_enough, "#74c476", "≥ 0.9"),
        ):
            shares = [sum(map(test, own)) / len(own) for own in rewards.values()]
            spread.barh(list(rewards), shares, left=left, color=shade, label=what)
            left = [start + share for start, share in zip(left, shares, strict=True)]
        spread.invert_yaxis()
        spread.set(title="(c) rewards at the product's d and m", xlabel="share of verifications")
        spread.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=3, frameon=False)
        widths.legend(frameon=False, loc="center left", fontsize=7)
        for axes in (widths, runs):
            axes.set_ylim(-0.03, 1.03)
        figure.savefig(_PLOT, metadata={"Date": None})


if __name__ == "__main__":
    raise SystemExit(main())
