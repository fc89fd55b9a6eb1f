"""`python -m benchmarks`: measure everything in one run and write docs/benchmarks.md."""

import datetime
import os
import platform
import sys
import tempfile
from pathlib import Path

from benchmarks import attempts, auditing, boxes, episodes, fixes, gateway, judging, reading, rewards
from benchmarks.timing import Row

_ROOT = Path(__file__).resolve().parent.parent
_PAGE = _ROOT / "docs" / "benchmarks.md"
_MEASURED = "<!-- written by `make bench`; what stands below the next such line is kept -->"


def main() -> int:
    """Measure, print and write."""
    samples = [_ROOT / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf"]
    named = os.environ.get("REPRODUCEGYM_PAPERS")
    if named:
        samples += sorted((Path(named) / "pdf").glob("*.pdf"))
    with tempfile.TemporaryDirectory() as scratch:
        gold = Path(named) / "gold-dev" if named else None
        measured = reading.rows(samples, Path(scratch), gold)
        tasks = sorted((Path(scratch) / "paper" / "03-task").glob("*/*/reward/reward.sh"))
        measured += judging.rows(tasks[0].parent.parent)
        measured += attempts.rows(tasks[0].parents[4])
        measured += rewards.rows(tasks[0].parents[4], Path(scratch))
    measured += boxes.rows()
    measured += fixes.rows()
    measured += episodes.rows()
    measured += gateway.rows()
    measured += auditing.rows()
    text = _page(measured)
    rest = _PAGE.read_text(encoding="utf-8").rpartition(_MEASURED)[2] if _PAGE.exists() else "\n"
    _PAGE.write_text(text + rest, encoding="utf-8")
    sys.stdout.write(text)
    return 0


def _page(measured: list[Row]) -> str:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Linux, Python {platform.python_version()}"
    lines = [
        "# Benchmarks",
        "",
        "Ours and a peer or floor side by side in one run. Single timings are noisy; read the ratios.",
        "",
        "Command: `make bench`, with `REPRODUCEGYM_PAPERS` naming a directory of papers where more than one is read · "
        f"{machine} · {datetime.datetime.now(tz=datetime.UTC).date().isoformat()}",
        "",
        "| what | ours | peer or floor | ratio |",
        "| --- | --- | --- | --- |",
        *(f"| {row.what} | {row.ours} | {row.peer} | {row.ratio} |" for row in measured),
        "",
        _MEASURED,
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
