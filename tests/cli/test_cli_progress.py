"""Stories of meter and board: live on a terminal, leaving nothing behind; elsewhere a line now and then, or none."""

import io

from rich.console import Console

from reproducegym.adapters.llm.client import Progress
from reproducegym.cli.progress import Board, Meter


def test_a_terminal_gets_one_line_that_is_gone_in_the_end():
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    meter = Meter(console, lambda line: None)
    meter(Progress(put=2, done=0, received=0))
    meter(Progress(put=2, done=1, received=2048))
    meter(Progress(put=2, done=2, received=4096))
    shown = console.file.getvalue()
    assert "of 2 questions done" in shown
    assert shown.endswith("\x1b[?25h\r\x1b[1A\x1b[2K")


def test_elsewhere_a_line_is_said_every_quarter_of_a_minute():
    said: list[str] = []
    clock = [0.0]
    meter = Meter(Console(file=io.StringIO()), said.append, lambda: clock[0])
    for second in range(61):
        clock[0] = float(second)
        meter(Progress(put=100, done=second, received=second * 1000))
    assert said == [f"models: {n} of 100 questions done, {n}.0 kB received" for n in (15, 30, 45, 60)]
    meter(Progress(put=100, done=100, received=1))
    assert len(said) == 4


def shown(board_console: Console) -> str:
    with Board(board_console, wanted=4, valid=1) as board:
        board.add(0.5)
        board.add(None)
        board.add(1.0)
        board.ending()
        board_console.print("a line of its own")
    return board_console.file.getvalue()


def test_a_board_counts_valid_attempts_on_a_terminal_and_is_gone_in_the_end():
    text = shown(Console(file=io.StringIO(), force_terminal=True, width=120))
    assert "3/4" in text
    assert "finished and kept" in text
    assert text.endswith("\x1b[2K")  # the last line was wiped


def test_a_board_says_nothing_elsewhere():
    assert shown(Console(file=io.StringIO(), width=120)) == "a line of its own\n"
