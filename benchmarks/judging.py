"""The judge: a 1,000-row submission in process, and `reward.sh` cold, against a bare interpreter."""

import sys
from pathlib import Path

from benchmarks.timing import Row, command, paired
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Run, score_runs

__all__ = ["rows"]

_ROWS = 1000


def rows(task: Path) -> list[Row]:
    """`task` is a rendered task directory."""
    contract = load_contract((task / "reward" / "contract.json").read_bytes())
    labels = {condition.label: condition.label for condition in contract.conditions}
    columns = [column.name for column in contract.columns]
    body = [
        ",".join([label, *(str(0.5 + 0.0001 * row) for _ in columns)])
        for row in range(_ROWS // len(labels))
        for label in labels
    ]
    data = ("\n".join([",".join(["condition", *columns]), *body]) + "\n").encode()
    runs = [Run("main", index, index, labels, "ok", "", data) for index in range(contract.seeds)]
    split = data.decode().splitlines

    def parse_only() -> None:
        for _ in runs:
            [[float(cell) for cell in line.split(",")[1:]] for line in split()[1:]]

    ours, peer, ratio = paired(lambda: score_runs(contract, runs), parse_only, 41)
    cold, bare, cold_ratio = paired(
        command(["bash", str(task / "reward" / "reward.sh")]), command([sys.executable, "-I", "-S", "-c", "pass"]), 15
    )
    size = f"{len(runs)} runs of {len(body)} rows"
    return [
        Row(f"score {size} in process (against splitting and `float()` alone)", _ms(ours), _ms(peer), f"{ratio:.1f}"),
        Row("`reward.sh` cold (against `python3 -I -S -c pass`)", _ms(cold), _ms(bare), f"{cold_ratio:.1f}"),
    ]


def _ms(value: float) -> str:
    return f"{1000 * value:.1f} ms"
