"""`python -m benchmarks.soak_page build/soak.xml`: writes what `make soak` measured into docs/benchmarks.md.

A report of some of the tests replaces their rows and leaves the others as they are.
"""

import argparse
import datetime
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

__all__ = ["soak_rows", "with_rows"]

_PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
_BEGIN = "<!-- soak: written by `make soak` -->"
_END = "<!-- end of soak -->"
_HEAD = "| what | counts | ended | seconds | day |\n| --- | --- | --- | --- | --- |\n"


def main() -> int:
    """Put the rows of the reports named on the command line into the page's table of long counts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak_page", description=__doc__)
    parser.add_argument("reports", nargs="+", type=argparse.FileType(encoding="utf-8"), metavar="JUNIT_XML")
    for report in parser.parse_args().reports:
        rows = soak_rows(report.read(), datetime.datetime.now(tz=datetime.UTC).date())
        _PAGE.write_text(with_rows(_PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
        sys.stdout.writelines(f"{row}\n" for row in rows.values())
    return 0


def soak_rows(report: str, day: datetime.date) -> dict[str, str]:
    """For each test of a JUnit report its row of a Markdown table: what it showed, counts, how it ended, seconds."""
    rows: dict[str, str] = {}
    for case in ET.fromstring(report).iter("testcase"):  # noqa: S314 - pytest's own report
        counts = ", ".join(f"{one.attrib['name']} {one.attrib['value']}" for one in case.iter("property"))
        ended = next((kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None), "passed")
        what = case.attrib["name"].removeprefix("test_").replace("_", " ")
        rows[what] = f"| {what} | {counts or '–'} | {ended} | {float(case.attrib['time']):.0f} | {day.isoformat()} |"
    return rows


def with_rows(page: str, rows: dict[str, str]) -> str:
    """The page with these rows in its table, or in one at the end of a page that has none yet."""
    if _BEGIN not in page:
        page = f"{page.rstrip()}\n\n## Long counts\n\n{_BEGIN}\n{_END}\n"
    before, _, rest = page.partition(_BEGIN)
    table, _, after = rest.partition(_END)
    kept = {line.split(" | ")[0].removeprefix("| "): line for line in table.splitlines() if line.startswith("| ")}
    lines = {what: line for what, line in kept.items() if what not in {"what", "---"}} | rows
    body = "".join(f"{line}\n" for line in lines.values())
    return f"{before}{_BEGIN}\n{_HEAD}{body}{_END}{after}"


if __name__ == "__main__":
    raise SystemExit(main())
