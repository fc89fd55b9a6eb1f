"""`python -m benchmarks.policies_page FILE`: writes what `reproducegym auditor bench --json` told into the docs."""

import datetime
import json
import sys
from pathlib import Path
from typing import TypedDict

from reproducegym.families.auditor.policies.bench import BARS

__all__ = ["table"]

_PAGE = Path(__file__).resolve().parent.parent / "docs" / "auditor.md"
_BEGIN = "<!-- written by `python -m benchmarks.policies_page` -->"
_END = "<!-- end of policies -->"
_COLUMNS = ("easy", "medium", "hard", "mean", "holding", "least")


class Told(TypedDict):
    """What the command told, as far as it is shown."""

    episodes: int
    reward: str
    split: str
    policies: dict[str, dict[str, float | None]]
    broken: list[str]


def main() -> int:
    """Put the table in its place on the page."""
    told: Told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    day = datetime.datetime.now(tz=datetime.UTC).date()
    _PAGE.write_text(f"{before}{_BEGIN}\n{table(told, day)}{_END}{rest.partition(_END)[2]}", encoding="utf-8")
    return 0


def table(told: Told, day: datetime.date) -> str:
    """A row for each policy: its mean reward by level, of all, and where there is a violation; the least; its bar."""
    broken = {line.partition(":")[0] for line in told["broken"]}
    lines = [
        f"{told['episodes']} {told['reward']} episodes of {told['split'].replace('_', '-')} projects, in turn of the "
        f"levels, {day.isoformat()}:",
        "",
        "| policy | easy | medium | hard | all | where there is a violation | least | bar |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in told["policies"].items():
        numbers = [row[column] for column in _COLUMNS]
        shown = " | ".join("–" if number is None else f"{number:.3f}" for number in numbers)
        bar = f"{BARS[name].words}: {'broken' if name in broken else 'kept'}" if name in BARS else "–"
        lines.append(f"| {name} | {shown} | {bar} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
