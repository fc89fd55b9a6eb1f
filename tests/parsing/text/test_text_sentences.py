"""Sentences: whole ones, with nothing lost between them and no number cut."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.parsing.text.language import language_of
from reproducegym.parsing.text.sentences import sentence_spans


@pytest.mark.parametrize(
    "sentences",
    [
        ["We show this in Tab. 3 and Eq. (2).", "See Sec. 4.2 and App. A.", "It helps."],
        ["It takes 3 ms.", "Large models win."],
        ["The value is 3.5.", "3. Third item."],
        ["By Thm. 2 and Alg. 1 it holds.", "Smith et al. (2020) agree."],
        ["It was 0.5 vs. 0.7, cf. Fig. 3.", "We win."],
        ["Dr. GRPO by J. Smith is good.", "So is e.g. PPO."],
        ["We follow Jones et al.", "We differ from i.i.d. data, i.e. others."],
        ["Is it so?", "The gain is 12.5%.", "It holds."],
        ["The loss is 12.5.", "30 seeds were used."],
        ["It uses 1. 5 times as much."],
    ],
)
def test_sentences_end_where_readers_end_them(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[a:b] for a, b in sentence_spans(text)] == sentences


def test_abbreviations_of_other_languages_are_known() -> None:
    text = "Das gilt z. B. für Räume. Es gilt bzw. es gilt nicht."
    assert [text[a:b] for a, b in sentence_spans(text, "de")] == [
        "Das gilt z. B. für Räume.",
        "Es gilt bzw. es gilt nicht.",
    ]


@given(st.text(alphabet="abC .!?13,()-’\u00e9\n", max_size=120))
def test_sentences_hold_all_characters_and_cut_no_number(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    inside = {k for a, b in spans for k in range(a, b)}
    for number in re.finditer(r"\d+(?:[.,]\d+)+", text):
        assert set(range(number.start(), number.end())) <= inside
        assert not any(number.start() < a < number.end() for a, _ in spans)


def test_the_language_of_a_text_is_told_where_there_is_enough_of_it() -> None:
    english = "We study how small models learn from little data, and show that more data does not always help. "
    german = "Wir untersuchen, wie kleine Modelle aus wenigen Daten lernen, und zeigen, dass mehr Daten kaum helfen. "
    assert language_of([english] * 4) == "en"
    assert language_of([german] * 4) == "de"
    assert language_of([english]) is None
    assert language_of(["1.5 2.5 3.5"] * 100) is None
