"""Masking, whatever the text: hidden numbers leave their places, set-up numbers stay, and twice is once."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from made_paper import CLAIM, document, paragraph, read_paper, spec, table

from reproducegym.pipeline.exposure.masking import MASK, mask
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import ProtocolNumber

WORDS = st.sampled_from(
    ["UCB1", "greedy", "regret", "falls", "to", "by", "gains", "It", "The", "points", "of", "a", "room", "better", "."]
)
NUMBERS = st.one_of(
    st.sampled_from(["97.3", "152.4", "55.1", "97.30%", "9.73e1", "97", "0.973", "36.2%", "1.57×", "-97.3", "(152.4)"]),
    st.decimals(min_value=0, max_value=300, places=1).map(str),
    st.integers(0, 2000).map(str),
)
TEXTS = st.lists(st.one_of(WORDS, NUMBERS), min_size=1, max_size=16).map(" ".join)


def prose(text: str) -> str:
    paper = read_paper(paragraphs=(paragraph("p0", text),), sections=document().sections)
    return mask(paper, spec()).paper_md.split("\n\n")[2]


@given(TEXTS)
def test_masking_twice_is_masking_once(text: str) -> None:
    once = prose(text)
    assert prose(once) == once


@given(TEXTS)
def test_a_sentence_about_the_quantity_keeps_no_hidden_number(text: str) -> None:
    seen = prose(f"UCB1 has a regret with {text.replace(' .', '')}")
    values = {abs(number.value) for number in read_numbers(seen)}
    assert values.isdisjoint({Decimal("97.3"), Decimal("152.4"), Decimal("55.1")})


@given(TEXTS, st.integers(2, 99999))
def test_a_set_up_number_stays_beside_whatever_is_hidden(text: str, steps: int) -> None:
    quote = f"All runs last {steps} steps."
    number = ProtocolNumber(name="steps", value=Decimal(steps), unit="steps", quote=quote, page=1)
    claim = spec(protocol=spec().protocol.model_copy(update={"numbers": (number,)}))
    paper = read_paper(paragraphs=(paragraph("p0", f"{text} {quote} {CLAIM}"),), sections=document().sections)
    assert f"last {steps} steps" in mask(paper, claim).paper_md


@given(
    st.lists(st.lists(st.decimals(min_value=2, max_value=300, places=1).map(str), min_size=3, max_size=3), max_size=4)
)
def test_masking_a_masked_table_changes_nothing(rows: list[list[str]]) -> None:
    named = {"UCB1": ["97.3", "40.0", "68.7"], **{f"row {'ABCD'[index]}": row for index, row in enumerate(rows)}}
    one = table("t1", "1", ["Regret", "Cost", "Average"], named, "Table 1: Regret.", 200.0)
    first = mask(read_paper(tables=(one,), paragraphs=(), figures=()), spec()).paper_md
    lines = {
        line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ")[1:]
        for line in first.splitlines()
        if "|" in line
    }
    again = table(
        "t1", "1", ["Regret", "Cost", "Average"], {name: lines[name] for name in named}, "Table 1: Regret.", 200.0
    )
    assert lines["UCB1"][0] == MASK
    assert mask(read_paper(tables=(again,), paragraphs=(), figures=()), spec()).paper_md == first
