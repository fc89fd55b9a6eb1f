"""The evidence index: every piece of a paper by id and by word, the same in every process."""

import os
import subprocess
import sys
from pathlib import Path

import evidence_paper
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.evidence.index import build_index
from reproducegym.pipeline.evidence.search import EVERY_KIND, pieces_of, search
from reproducegym.schema.evidence import EvidenceIndex, EvidenceLink

INDEX = build_index(evidence_paper.paper(filler=3))
IDS = [piece.id for piece in pieces_of(INDEX)]


def test_sections_say_what_they_are_for_and_subsections_inherit_it() -> None:
    assert [(one.id, one.role) for one in INDEX.sections] == [
        ("s1", "introduction"),
        ("s2", "setup"),
        ("s3", "results"),
        ("s4", "results"),
    ]


def test_a_sentence_has_its_section_place_and_what_it_refers_to() -> None:
    (sentence,) = [one for one in INDEX.sentences if one.id == "p5.1"]
    assert (sentence.section, sentence.role, sentence.page) == ("s4", "results", 1)
    assert sentence.links == (EvidenceLink(kind="figure", label="1", panel="b", target="f1"),)
    assert INDEX.sentences[0].role == "abstract"


def test_a_table_is_listed_by_its_rows_and_columns_and_holds_no_value() -> None:
    (table,) = INDEX.tables
    assert table.rows[:2] == ("Policy 0", "Policy 1")
    assert table.columns == ("Regret", "Time", "Arms")
    assert "100.5" not in table.model_dump_json()


def test_each_panel_lists_its_own_axes_and_series() -> None:
    (figure,) = INDEX.figures
    shown = [
        (panel.label, chart.axes[0].title, chart.series[0].name) for panel in figure.panels for chart in panel.charts
    ]
    assert shown == [("a", "Regret", "UCB1"), ("b", "Entropy", "greedy")]


def test_search_finds_other_forms_of_a_word_in_text_tables_and_figures() -> None:
    assert search(INDEX, "exploring", limit=5) == ("p1.1",)
    assert search(INDEX, "entropies", kinds=("figure",), limit=5) == ("f1",)
    assert search(INDEX, "policies", kinds=("table",), limit=5) == ("t1",)
    assert INDEX.keywords["entropi"] == ("p5.1", "f1")


def test_of_equal_matches_the_earlier_comes_first() -> None:
    found = search(INDEX, ["training", "run"], kinds=("sentence",), limit=3)
    assert found == ("q0.1", "q1.1", "q2.1")


@pytest.mark.parametrize("words", ["", "the of and", '" OR * NEAR(', "'); DROP TABLE piece; --", "-", "a\x00b"])
def test_what_is_asked_is_words_and_never_a_query(words: str) -> None:
    assert set(search(INDEX, words, limit=4)) <= set(IDS)


@given(words=st.text(max_size=60), limit=st.integers(-1, 12), kinds=st.sets(st.sampled_from(EVERY_KIND)))
def test_a_search_is_bounded_and_gives_each_piece_once(words: str, limit: int, kinds: set[str]) -> None:
    found = search(INDEX, words, kinds=tuple(kinds), limit=limit)
    assert len(found) <= max(0, limit)
    assert len(set(found)) == len(found)
    assert set(found) <= set(IDS)


def test_the_index_is_the_same_in_every_process_locale_and_hash_seed() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import evidence_paper;"
        "from reproducegym.pipeline.evidence.index import build_index;"
        "from reproducegym.pipeline.evidence.search import search;"
        "index = build_index(evidence_paper.paper(filler=3));"
        "sys.stdout.write(index.to_json() + repr(search(index, 'policy steps regret', limit=9)))"
    )
    here = str(Path(__file__).parent)
    answers = set()
    for seed, language in (("0", "C"), ("4711", "tr_TR.UTF-8")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language, "PYTHONUTF8": "1"}
        done = subprocess.run([sys.executable, "-c", code, here], check=True, env=env, capture_output=True)
        answers.add(done.stdout)
    assert len(answers) == 1
    assert answers.pop().decode().startswith(INDEX.to_json())


def test_the_index_survives_its_file() -> None:
    assert EvidenceIndex.from_json(INDEX.to_json()) == INDEX
