"""The page of benchmarks tells what each soak test last counted, and keeps everything else."""

import datetime

from benchmarks.soak_page import soak_rows, with_rows

REPORT = """<testsuites><testsuite>
<testcase name="test_no_file_crashes[pdf]" time="12.4"><properties><property name="files" value="500"/></properties>
</testcase><testcase name="test_kills" time="3"><failure message="x"/></testcase></testsuite></testsuites>"""
LATER = '<testsuites><testsuite><testcase name="test_kills" time="5"/></testsuite></testsuites>'


def test_each_soak_test_is_a_row_and_the_rest_of_the_page_stays():
    page = with_rows("# Benchmarks\n\nkept\n", soak_rows(REPORT, datetime.date(2026, 1, 2)))
    assert page.startswith("# Benchmarks\n\nkept\n")
    assert "| no file crashes[pdf] | files 500 | passed | 12 | 2026-01-02 |\n" in page
    assert "| kills | – | failure | 3 | 2026-01-02 |\n" in page
    assert with_rows(page, soak_rows(REPORT, datetime.date(2026, 1, 2))) == page


def test_tests_that_were_not_run_keep_their_rows():
    page = with_rows("# Benchmarks\n", soak_rows(REPORT, datetime.date(2026, 1, 2)))
    later = with_rows(page, soak_rows(LATER, datetime.date(2026, 1, 3)))
    assert "| no file crashes[pdf] | files 500 | passed | 12 | 2026-01-02 |\n" in later
    assert "| kills | – | passed | 5 | 2026-01-03 |\n" in later
    assert later.count("| kills ") == 1
