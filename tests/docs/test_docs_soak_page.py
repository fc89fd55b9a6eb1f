"""The page of benchmarks tells what the last `make soak` counted, and keeps everything else."""

import datetime

from benchmarks.soak_page import soak_table, with_table

REPORT = """<testsuites><testsuite>
<testcase name="test_no_file_crashes[pdf]" time="12.4"><properties><property name="files" value="500"/></properties>
</testcase><testcase name="test_kills" time="3"><failure message="x"/></testcase></testsuite></testsuites>"""


def test_each_soak_test_is_a_row_and_the_rest_of_the_page_stays():
    table = soak_table(REPORT, datetime.date(2026, 1, 2))
    assert "| no file crashes[pdf] | files 500 | passed | 12 |" in table
    assert "| kills | – | failure | 3 |" in table
    page = with_table("# Benchmarks\n\nkept\n", table)
    assert page.startswith("# Benchmarks\n\nkept\n")
    assert with_table(page, table) == page
    assert with_table(page, "other\n").count("| kills") == 0
