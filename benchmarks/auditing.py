"""The auditor against `ruff check`, on made repositories of three sizes; both start from the command line."""

import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.repositories import write_repository
from benchmarks.timing import Row, command, ended, paired

__all__ = ["rows"]

_TIMES = {50: (7, 1), 400: (3, 5), 20_000: (1, 60)}
"""By size how often it is measured, and the bar in seconds."""
_RUFF = ["check", "--isolated", "--no-cache", "--exit-zero", "--quiet"]


def rows() -> list[Row]:
    """One row for each size, and the memory of the largest."""
    peer = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    found = []
    for files, (times, bar) in _TIMES.items():
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "made"
            lines = write_repository(root, files)
            each = f"{files:,} made Python files of {lines // files} lines"
            what = f"audit {each}, bar {bar} s (against `ruff check --no-cache`)"
            audit = [sys.executable, "-m", "ml_audit", str(root), "--json", str(Path(scratch) / "report.json")]
            check = [peer or "ruff", *_RUFF, str(root)]
            if times > 1:
                ours, theirs, ratio = paired(command(audit), command(check), times)
                found.append(Row(what, f"{ours:.2f} s", f"{theirs:.2f} s", f"{ratio:.0f}"))
                continue
            ours_once, theirs_once = ended(audit), ended(check)
            ratio = ours_once.seconds / theirs_once.seconds
            found.append(Row(what, f"{ours_once.seconds:.1f} s", f"{theirs_once.seconds:.1f} s", f"{ratio:.0f}"))
            memory = ours_once.peak_mib, theirs_once.peak_mib
            shown = [f"{mib:.0f} MiB" for mib in memory]
            found.append(
                Row(
                    "peak memory of that, bar 1 GB; 2,000 files are read, the report says so",
                    *shown,
                    f"{memory[0] / memory[1]:.0f}",
                )
            )
    return found
