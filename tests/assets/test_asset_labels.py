"""Labels dealt out anew: as many of each as before, every other byte in its place, whatever the table looks like."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.assets.labels import LabelError, label_texts, rows_shuffled, with_labels_permuted
from reproducegym.schema.asset import Labels

SPECIES = Labels(files=("ponds.csv",), column="species")
WORD = st.text(
    alphabet=st.characters(blacklist_characters='\r\n,"', blacklist_categories=("Cs",)), min_size=1, max_size=8
)
QUOTED = st.text(alphabet=st.characters(blacklist_categories=("Cs",)), max_size=8).map(
    lambda text: '"' + text.replace('"', '""') + '"'
)
TABLE = st.lists(st.tuples(WORD | QUOTED, WORD, WORD | QUOTED), min_size=2, max_size=30)


def table(rows, end: str) -> bytes:
    return end.join(["note,species,depth", *(",".join(row) for row in rows)]).encode() + end.encode()


@given(TABLE, st.sampled_from(["\n", "\r\n"]), st.integers(0, 2**32))
def test_a_permuted_column_keeps_its_labels_and_changes_nothing_else(rows, end, seed):
    data = table(rows, end)
    dealt = with_labels_permuted(data, SPECIES, Random(seed).randrange)
    assert len(dealt) == len(data)
    before, after = label_texts(data, SPECIES), label_texts(dealt, SPECIES)
    assert Counter(after) == Counter(before) == Counter(row[1] for row in rows)
    others = table([(note, label, depth) for (note, _, depth), label in zip(rows, after, strict=True)], end)
    assert dealt == others


@given(TABLE, st.integers(0, 2**32))
def test_shuffled_rows_are_the_same_rows_below_the_same_header(rows, seed):
    data = table(rows, "\n")
    moved = rows_shuffled(data, SPECIES, Random(seed).randrange)
    assert moved.startswith(b"note,species,depth\n")
    assert len(moved) == len(data)
    assert Counter(label_texts(moved, SPECIES)) == Counter(row[1] for row in rows)
    if all("\n" not in cell and "\r" not in cell for row in rows for cell in row):
        assert sorted(moved.split(b"\n")) == sorted(data.split(b"\n"))


@given(st.lists(st.integers(0, 255), min_size=1, max_size=40), st.integers(0, 2**32))
def test_labels_of_bytes_are_permuted_behind_their_head(items, seed):
    labels = Labels(files=("labels.idx",), form="bytes", skip=8)
    data = b"HEADHEAD" + bytes(items)
    dealt = with_labels_permuted(data, labels, Random(seed).randrange)
    assert dealt[:8] == data[:8]
    assert Counter(dealt[8:]) == Counter(data[8:])


def test_labels_of_lines_keep_empty_lines_and_line_ends():
    labels = Labels(files=("y.txt",), form="lines")
    dealt = with_labels_permuted(b"reed\n\nalgae\r\nreed", labels, lambda bound: 0)
    assert Counter(label_texts(dealt, labels)) == {"reed": 2, "algae": 1}
    assert dealt.count(b"\n") == 3
    assert b"\n\n" in dealt


def test_all_orders_are_alike():
    labels = Labels(files=("y.txt",), form="lines")
    draw = Random(5).randrange
    seen = Counter(with_labels_permuted(b"a\nb\nc", labels, draw) for _ in range(6000))
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_rows_without_a_label_keep_having_none():
    data = b"depth,species\n1,reed\n2,\n3,algae\n"
    dealt = with_labels_permuted(data, Labels(files=("p",), column="species"), lambda bound: 0)
    assert dealt == b"depth,species\n1,algae\n2,\n3,reed\n"


@pytest.mark.parametrize(
    ("data", "labels", "said"),
    [
        (b"a,b\n1,2\n", SPECIES, '"species" names 0 columns of a, b'),
        (b"species,species\n1,2\n", SPECIES, '"species" names 2 columns'),
        (b"a,species\n1,x\n2\n", SPECIES, "row 3 has 1 cells, the header 2"),
        (b'a,species\n1,"x\n', SPECIES, "row 2: a quote does not end where its cell does"),
        (b"", SPECIES, "a header is wanted"),
        (b"12345", Labels(files=("y",), form="bytes", skip=4, width=2), "5 bytes are not 4 and items of 2"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_row(data, labels, said):
    with pytest.raises(LabelError) as error:
        label_texts(data, labels)
    assert said in str(error.value)
