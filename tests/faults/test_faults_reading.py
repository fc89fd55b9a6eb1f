"""A reader that is killed leaves nobody reading: the child that it forked ends with it, wherever either of them was."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pymupdf
import pytest
from sample_paper import ROOT

from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.parsing.sources.file import read_pdf

WITHIN_S = 5.0

HELD_IN_C = """
import ctypes
from reproducegym.parsing.guard import Limits, read_in_child

read_in_child(lambda _: print("reading", flush=True) or ctypes.PyDLL(None).sleep(60), "p.pdf", Limits())
"""


@pytest.fixture(scope="module")
def long_paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many pages of text, tables and curves: reading it takes far longer than any test waits."""
    path = tmp_path_factory.mktemp("long") / "long.pdf"
    dice = random.Random(5)
    with pymupdf.open() as document:
        for number in range(1, 31):
            page = document.new_page()
            page.insert_text((72, 60), f"Table {number}: Returns on page {number}.")
            for row in range(30):
                for column in range(8):
                    page.insert_text((72 + 55 * column, 80 + 11 * row), f"{dice.random():.3f}", fontsize=8)
            page.draw_polyline([(72 + i, 500 + 50 * dice.random()) for i in range(400)])
            page.insert_text((72, 580), f"Figure {number}: A curve.")
            page.insert_textbox((72, 600, 520, 780), "We measure again and again what was measured. " * 15, fontsize=9)
        document.save(path)
    return path


def children_of(process: int) -> set[int]:
    try:
        return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}
    except FileNotFoundError:
        return set()


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def left_by(parent: int) -> list[int]:
    """Kills a process; the children that it had just before and that have not ended in their time, and at least one."""
    os.kill(parent, signal.SIGSTOP)  # so that it forks none between the look and the kill
    children = children_of(parent)
    os.kill(parent, signal.SIGKILL)
    assert children
    end = time.monotonic() + WITHIN_S
    while any(map(lives, children)) and time.monotonic() < end:
        time.sleep(0.02)
    return [child for child in children if lives(child)]


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_a_parse_that_is_killed_at_any_moment_leaves_no_child(long_paper: Path, kills: int):
    source = read_pdf(long_paper)
    moments = random.Random(20)
    for number in range(kills):
        parent = multiprocessing.get_context("fork").Process(target=PymupdfParser().parse, args=(source, "p"))
        parent.start()
        while not children_of(parent.pid):
            assert parent.is_alive()
        time.sleep(moments.uniform(0, 0.5) * (number % 4))
        assert left_by(parent.pid) == []
        parent.join()


def test_a_child_held_in_c_code_ends_with_its_parent():
    with subprocess.Popen([sys.executable, "-c", HELD_IN_C], cwd=ROOT, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"reading\n"
        assert left_by(program.pid) == []
