"""What is true of every batch, however it was stopped on the way."""

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from reproducegym.schema.batch import AttemptLine, Origin
from reproducegym.schema.run import Result


def lines(paper: Path) -> list[AttemptLine]:
    return [AttemptLine.from_json(line) for line in (paper / "04-run" / "index.jsonl").read_text().splitlines()]


def in_progress(paper: Path) -> list[Path]:
    return list(paper.glob("04-run/*/*/.running-*"))


def owners(paper: Path) -> set[int]:
    """The processes that make attempts now."""
    found = set()
    for directory in in_progress(paper):
        try:
            found.add(int(json.loads((directory / "owner.json").read_text())["owner"].partition(":")[0]))
        except FileNotFoundError:
            continue  # it has ended meanwhile
    return found


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def assert_each_slot_once(paper: Path, wanted: int) -> None:
    """The list and the directories agree, and every slot of the batch has exactly one valid attempt."""
    listed = lines(paper)
    valid = Counter((line.claim_id, line.slot) for line in listed if line.reward_valid)
    assert len(valid) == wanted
    assert set(valid.values()) == {1}
    directories = sorted(paper.glob("04-run/c*/*/[0-9]*"))
    assert len(directories) == len(listed)
    for directory in directories:
        origin = Origin.from_json((directory / "origin.json").read_bytes())
        result = Result.from_json((directory / "result.json").read_bytes())
        assert (result.claim_id, origin.slot) in valid
        assert result.attempt == int(directory.name)
    assert in_progress(paper) == []
