"""Findings are read strictly and matched one to one; nothing that anybody writes earns more than what was found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.examiner.findings import MOST_BYTES, MOST_ROWS, Defect, Place, measured

SEED, ORDER, LOCK = "numpy-seed-missing", "unsorted-listing", "lock-file-missing"
HEAD = "rule,file,line\n"
DEFECTS = (
    Defect(ORDER, (Place("a.py", 10, 12),)),
    Defect(ORDER, (Place("a.py", 13, 13), Place("b.py", 3, 3))),
    Defect(SEED, (Place("train.py", 5, 5),)),
)
EXCUSED = (Defect(LOCK, (Place(".", 0, 0),)),)


def worth(rows: str, defects: tuple[Defect, ...] = DEFECTS) -> tuple[float, int, int]:
    """Credit, surplus and planted."""
    header, row = measured((HEAD + rows).encode(), 2, defects, EXCUSED).decode().splitlines()
    assert header == "condition,seed,credit,surplus,planted"
    _, _, credit, surplus, planted = row.split(",")
    return float(credit), int(surplus), int(planted)


@pytest.mark.parametrize(
    ("rows", "credit", "surplus"),
    [
        (f"{ORDER},a.py,11\n{ORDER},a.py,13\n{SEED},train.py,7\n", 3.0, 0),
        (f"{ORDER},a.py,13\n{ORDER},a.py,9\n{SEED},train.py,3\n", 3.0, 0),  # the first fits both: the second decides
        (f"{ORDER},a.py,11\r\n{ORDER},b.py,3\r\n{SEED},train.py,5", 3.0, 0),
        (f"{SEED},train.py,99\n", 0.5, 0),
        (f"{SEED},train.py,5\n{SEED},train.py,5\n", 1.0, 1),
        (f"{SEED},other.py,5\n{SEED},train.py,5\n", 1.0, 1),
        (f"{LOCK},.,0\n{SEED},train.py,5\n", 1.0, 0),
        (f"{LOCK},setup.py,0\n{ORDER},a.py,11\n{SEED},train.py,5\n", 2.0, 1),
        ("", 0.0, 0),
    ],
)
def test_each_defect_goes_with_one_finding_so_that_the_whole_earns_most(rows: str, credit: float, surplus: int):
    assert worth(rows) == (credit, surplus, 3)


def test_where_nothing_is_to_be_found_every_finding_is_surplus():
    assert worth(f"{SEED},a.py,1\n{LOCK},.,1\n", ()) == (0.0, 1, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "bad header"),
        ("rule,file\n", "bad header"),
        (f"{HEAD}{SEED},train.py,nan\n", "bad row 1"),
        (f"{HEAD}{SEED},train.py,5\n\n", "bad row 2"),
        (f"{HEAD}{SEED},tr\0ain.py,5\n", "bad row 1"),
        (HEAD + f"{SEED},a.py,1\n" * (MOST_ROWS + 1), "too many rows"),
        (HEAD + "x" * MOST_BYTES, "too large"),
    ],
)
def test_what_is_no_list_of_findings_becomes_no_table_and_says_why(text: str, said: str):
    assert measured(text.encode(), 2, DEFECTS, EXCUSED) == f"findings: {said}\n".encode()


def test_names_of_files_that_are_no_text_match_nothing():
    assert measured(HEAD.encode() + b"unsorted-listing,\xff.py,1\n", 2, DEFECTS, ()).endswith(b"repository,0,0.0,1,3\n")


ROWS = st.lists(
    st.tuples(
        st.sampled_from([ORDER, SEED, LOCK]), st.sampled_from(["a.py", "b.py", "train.py", "."]), st.integers(0, 16)
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS)
def test_no_list_earns_more_than_all_and_order_means_nothing(rows: list, more: list):
    text = "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    back = "".join(f"{a},{b},{c}\n" for a, b, c in reversed(rows))
    longer = text + "".join(f"nothing,{b},{c}\n" for _, b, c in more)
    credit, surplus, planted = worth(text)
    assert (credit, surplus) == worth(back)[:2]
    assert worth(longer) == (credit, surplus + len(more), planted)
    assert 0 <= credit <= planted
