"""The judge: submissions of a thousand rows in process and of a million as a program, and `reward.sh` cold."""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import Row, command, paired, seconds
from reproducegym.verifier.bundle import check_py
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_artifact

__all__ = ["rows"]

_LABELS = ("big", "small")
_SEEDS = 2


def rows(task: Path) -> list[Row]:
    """`task` is a rendered task directory."""
    cold, bare, ratio = paired(
        command(["bash", str(task / "reward" / "reward.sh")]), command([sys.executable, "-I", "-S", "-c", "pass"]), 15
    )
    floor = "`reward.sh` cold, bar 150 ms (against `python3 -I -S -c pass`)"
    return [_thousand(), Row(floor, _ms(cold), _ms(bare), f"{ratio:.1f}"), *_million()]


def _thousand() -> Row:
    data, contract = _table(1000), load_contract(_contract(1000))
    if score_artifact(contract, data).reward != 1:
        raise RuntimeError("the honest table is not paid")
    text = data.decode()

    def parse_only() -> None:
        [[float(cell) for cell in line.split(",")[1:]] for line in text.splitlines()[1:]]

    began, times = time.process_time(), 41
    for _ in range(times):
        score_artifact(contract, data)
    busy = (time.process_time() - began) / times
    ours, peer, ratio = paired(lambda: score_artifact(contract, data), parse_only, times)
    what = "score 1,000 rows in process, bar 5 ms (against splitting and `float()` alone)"
    return Row(what, f"{_ms(ours)}, CPU {_ms(busy)}", _ms(peer), f"{ratio:.1f}")


def _million() -> list[Row]:
    """The program of a task on a million rows: seconds, and the largest resident size of its process."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / "check.py").write_bytes(check_py())
        (scratch / "contract.json").write_bytes(_contract(1_000_000))
        (scratch / "metrics.csv").write_bytes(_table(1_000_000))
        argv = [sys.executable, "-I", "-S", str(scratch / "check.py"), "--contract"]
        argv += [str(scratch / "contract.json"), "--metrics", str(scratch / "metrics.csv")]
        used: list[tuple[float, float]] = []
        took = statistics.median(seconds(lambda: used.append(_used(argv))) for _ in range(3))
    busy, peak = statistics.median(one for one, _ in used), max(one for _, one in used)
    return [
        Row("score 1,000,000 rows as a program, bar 3 s", f"{took:.2f} s, CPU {busy:.2f} s", "–", "–"),
        Row("peak memory of that, bar 300 MB", f"{peak:.0f} MB", "–", "–"),
    ]


_MEASURE = (
    "import json, os, sys\npid = os.fork()\nif pid == 0: os.execv(sys.argv[1], sys.argv[1:])\nused = os.wait4(pid, 0)"
)
_MEASURE += "\nprint(json.dumps([used[1], used[2].ru_utime + used[2].ru_stime, used[2].ru_maxrss * 1024 / 1e6]))"
"""A small process between: the peak memory of a child begins with that of the process that forked it."""


def _used(argv: list[str]) -> tuple[float, float]:
    """Run a program that must print a reward of 1; the seconds of CPU and the MB that it used."""
    said = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _MEASURE, *argv], capture_output=True, check=True, text=True
    )
    *reward, measured = said.stdout.splitlines()
    status, busy, peak = json.loads(measured)
    if status or [float(line) for line in reward] != [1.0]:
        raise RuntimeError("the honest table is not paid")
    return busy, peak


def _table(count: int) -> bytes:
    """Learning curves of two conditions under two seeds, the bigger model ten points above."""
    draw = random.Random(1)  # noqa: S311 - a sample, no secret
    lines = ["condition,seed,step,score"]
    for seed in range(_SEEDS):
        for place, label in enumerate(_LABELS):
            top = 70 - 10 * place
            lines += [f"{label},{seed},{step},{top + draw.gauss(0, 1)!r}" for step in range(count // 4)]
    return ("\n".join(lines) + "\n").encode()


def _contract(count: int) -> bytes:
    formula = "mean(big.score[last 100]) - mean(small.score[last 100])"
    curve = {"shape": "two_sided", "points": [[5, 0], [8, 1], [12, 1], [15, 0]], "plausible": [None, None]}
    area = "auc(big.score, step) - auc(small.score, step) + slope(big.score, step)"
    written = {
        "schema_version": 1,
        "evidence_level": "artifact",
        "conditions": [{"label": label, "switches": {"size": label}} for label in _LABELS],
        "columns": [{"name": "score", "unit": "", "range": [0, 100], "stochastic": "continuous"}],
        "step_column": True,
        "min_rows_per_condition": 100,
        "seeds": _SEEDS,
        "knobs": {},
        "metrics": [
            {"name": "gap", "formula": formula, "role": "primary", "over_seeds": "mean"},
            {"name": "area", "formula": area, "role": "diagnostic", "over_seeds": "mean"},
        ],
        "reward_curves": {"gap": curve},
        "aggregation": "min",
        "weights": None,
        "probes": [],
        "limits": {"max_bytes": 1 << 28, "max_rows": count},
    }
    return json.dumps(written).encode()


def _ms(value: float) -> str:
    return f"{1000 * value:.1f} ms"
