"""`python -m benchmarks.soak_page build/soak.xml`: writes what `make soak` measured into docs/benchmarks.md."""

import datetime
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

__all__ = ["soak_table", "with_table"]

_PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
_BEGIN = "<!-- soak: written by `make soak` -->"
_END = "<!-- end of soak -->"


def main() -> int:
    """Turn the report named on the command line into the page's table of long counts."""
    report = Path(sys.argv[1]).read_text(encoding="utf-8")
    table = soak_table(report, datetime.datetime.now(tz=datetime.UTC).date())
    _PAGE.write_text(with_table(_PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    sys.stdout.write(table)
    return 0


def soak_table(report: str, day: datetime.date) -> str:
    """A Markdown table of the tests of a JUnit report: what each showed, its counts, how it ended, its seconds."""
    lines = [f"Last run: {day.isoformat()}", "", "| what | counts | ended | seconds |", "| --- | --- | --- | --- |"]
    for case in ET.fromstring(report).iter("testcase"):  # noqa: S314 - pytest's own report
        counts = ", ".join(f"{one.attrib['name']} {one.attrib['value']}" for one in case.iter("property"))
        ended = next((kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None), "passed")
        what = case.attrib["name"].removeprefix("test_").replace("_", " ")
        lines.append(f"| {what} | {counts or '–'} | {ended} | {float(case.attrib['time']):.0f} |")
    return "\n".join(lines) + "\n"


def with_table(page: str, table: str) -> str:
    """The page with the table in its place, or at the end of a page that has none yet."""
    if _BEGIN not in page:
        page = f"{page.rstrip()}\n\n## Long counts\n\n{_BEGIN}\n{_END}\n"
    before, _, rest = page.partition(_BEGIN)
    return f"{before}{_BEGIN}\n{table}{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    raise SystemExit(main())
