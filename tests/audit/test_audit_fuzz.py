"""Broken files: whatever is cut, doubled or swapped in them, the audit ends with a report."""

import json
import random
from collections.abc import Callable

import pytest

from ml_audit import RULES, Repository, audit

BASES = [text for rule in RULES for path, text in {**rule.bad, **rule.good}.items() if path.endswith(".py")]


def broken(text: str, draw: random.Random) -> str:
    pieces = text.split(" ") if draw.random() < 0.5 else text.splitlines(keepends=True)
    joint = " " if " ".join(pieces) == text else ""
    for _ in range(draw.randint(1, 4)):
        at, other = draw.randrange(len(pieces)), draw.randrange(len(pieces))
        match draw.randrange(4):
            case 0:
                pieces[at] = ""
            case 1:
                pieces[at] += pieces[other]
            case 2:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case _:
                pieces[at] = pieces[at][: draw.randint(0, len(pieces[at]))]
    return joint.join(pieces)


def audit_broken(count: int, first: int) -> None:
    for number in range(first, first + count, 10):
        draw = random.Random(number)
        files: dict[str, bytes] = {}
        for n in range(5):
            code = broken(draw.choice(BASES) + draw.choice(BASES), draw)
            cells = [{"cell_type": "code", "execution_count": n, "source": part} for part in code.split("\n\n")]
            files[f"room{n % 2}/m{n}.py"] = code.encode()
            files[f"n{n}.ipynb"] = broken(json.dumps({"cells": cells}, indent=1), draw).encode()
        audit(Repository("broken", files))


def test_a_hundred_broken_files():
    audit_broken(100, first=0)


@pytest.mark.soak
def test_two_thousand_broken_files(record_property: Callable[[str, object], None]):
    audit_broken(2000, first=1000)
    record_property("broken Python files and notebooks", 2000)
