"""Executed mode's rules, without running anything: chance earns nothing, findings match by place, fixes are read."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("libcst", reason="the extra `auditor` is not installed")

from reproducegym.families.auditor.episode import Episode
from reproducegym.families.auditor.executed.case import ExecutedCase
from reproducegym.families.auditor.executed.chance import chance_level, youden
from reproducegym.families.auditor.executed.change import UnreadableFixError, edits_of
from reproducegym.families.auditor.executed.drawing import HARDNESS, damaged_of
from reproducegym.families.auditor.executed.grader import Graded
from reproducegym.families.auditor.executed.matching import Matched, in_order, matched
from reproducegym.families.auditor.executed.reward import clean_reward, reward
from reproducegym.families.auditor.executing.effects import committed
from reproducegym.families.auditor.nouns import CATEGORIES, LEVELS, Finding, Level
from reproducegym.planting.edit import Edit, applied
from reproducegym.planting.plant import Damaged, all_operators
from reproducegym.planting.project import base_projects


class Restored:
    """A grader for places without a sandbox: a fix works if it puts back the clean project's bytes."""

    def grade(self, damaged: Damaged, fixes: Mapping[int, tuple[Edit, ...]]) -> Graded:
        others = [edit for n, one in enumerate(damaged.planted) if n not in fixes for edit in one.fix]
        files = applied(damaged.files, [*others, *(edit for edits in fixes.values() for edit in edits)])
        return Graded(frozenset(fixes) if files == damaged.project.files else frozenset())


def drawn(level: Level, *, clean: bool = False) -> list[ExecutedCase]:
    cases = [ExecutedCase(level, seed, damaged_of(level, seed, "train"), Restored()) for seed in range(6)]
    return [one for one in cases if bool(one.damaged.planted) is not clean]


def played(one: ExecutedCase, triage: object, audit: object) -> float:
    episode = Episode(one)
    assert episode.step(json.dumps(triage)).reward == 0
    step = episode.step(json.dumps(audit))
    assert step.reason is None
    return step.reward


EVERYTHING = {"suspicious_files": [], "suspected_categories": []}
SILENCE = {"violations": [], "reproducibility_score": 1.0}


@pytest.mark.parametrize("level", LEVELS)
def test_who_undoes_every_defect_earns_everything_and_silence_earns_it_on_clean_episodes_alone(level: Level):
    for one in drawn(level):
        known = one.answers()
        assert played(one, known.triage.model_dump(), known.audit.model_dump()) == pytest.approx(1.0)
        assert played(one, EVERYTHING, SILENCE) == 0
        assert HARDNESS[level].fewest >= 1
    for one in drawn(level, clean=True):
        assert played(one, EVERYTHING, SILENCE) == 1
        wrong = {"violation_type": "random_seeds", "file_name": "train.py", "line_number": 1, "suggested_fix_code": ""}
        assert played(one, EVERYTHING, {"violations": [wrong], "reproducibility_score": 0}) == 0.5


def test_what_is_claimed_wrongly_bars_what_elimination_leaves():
    one = drawn("easy")[0]
    audit = one.answers().audit.model_dump()
    wrong = sorted(set(one.files) - {planted.file for planted in one.damaged.planted})[:1]
    assert played(one, {"suspicious_files": wrong, "suspected_categories": []}, audit) == 0
    assert 0.5 < played(one, EVERYTHING, audit) < 0.95  # nothing claimed and nothing heard: a finding like any other


def test_a_finding_two_lines_off_counts_whole_and_one_elsewhere_in_the_file_half():
    planted = drawn("easy")[0].damaged.planted[0]
    shared = {"violation_type": planted.category, "file_name": planted.file}

    def credit(**told: object) -> list[float]:
        found = matched([Finding.model_validate({**shared, **told})], [planted])
        return [value for _, _, value in found.pairs]

    assert credit(line_number=planted.last_line + 2) == [1.0]
    assert credit(line_number=9_999) == [0.5]
    assert credit(line_number=planted.first_line, file_name="elsewhere.py") == []
    assert credit(line_number=planted.first_line, violation_type=planted.rule.upper()) == [1.0]
    assert credit(line_number=planted.first_line, violation_type="spelling") == []
    twice = [Finding.model_validate({**shared, "line_number": planted.first_line})] * 2
    assert matched(twice, [planted]).false == 1


FINDINGS = st.lists(
    st.builds(
        Finding,
        violation_type=st.sampled_from(["random_seeds", "dependency_pinning", "numpy-seed-missing", "nothing"]),
        file_name=st.sampled_from(["train.py", "requirements.txt", "README.md", "src/data.py"]),
        line_number=st.integers(0, 80),
        suggested_fix_code=st.sampled_from(["", "pass"]),
    ),
    max_size=8,
)


@given(FINDINGS, st.randoms(use_true_random=False))
def test_matching_is_one_to_one_and_blind_to_the_order_of_findings(findings, chance):
    planted = damaged_of("hard", 1, "train").planted
    found = matched(in_order(findings), planted)
    assert len({row for row, _, _ in found.pairs}) == len({column for _, column, _ in found.pairs}) == len(found.pairs)
    assert found == matched(in_order(chance.sample(findings, len(findings))), planted)
    assert found.false <= len(findings) - len(found.pairs)


SHARES = st.floats(0, 1)


@given(st.integers(1, 6), SHARES, st.data(), SHARES)
def test_the_reward_is_bounded_and_grows_with_what_is_right_and_falls_with_what_is_wrong(planted, triage, data, score):
    numbers = data.draw(st.lists(st.integers(0, planted - 1), unique=True))
    pairs = tuple((row, number, data.draw(st.sampled_from([0.5, 1.0]))) for row, number in enumerate(numbers))
    false = data.draw(st.integers(0, 8))
    fixed = frozenset(data.draw(st.lists(st.sampled_from(numbers), unique=True)) if numbers else [])
    value = reward(planted, triage, Matched(pairs, false), frozenset(), fixed, score).reward
    assert 0 <= value <= 1
    assert reward(planted, triage, Matched(pairs, false + 1), frozenset(), fixed, score).reward <= value
    assert reward(planted, triage, Matched(pairs, false), frozenset(), frozenset(), score).reward <= value
    assert reward(planted, min(1, triage + 0.1), Matched(pairs, false), frozenset(), fixed, score).reward >= value
    assert reward(planted, triage, Matched(pairs, false), frozenset(numbers), fixed, score).reward == 0
    assert 0 <= clean_reward(false).reward <= 1


@given(st.integers(2, 12), st.data())
def test_everything_and_chance_earn_nothing_and_the_truth_everything(size, data):
    among = frozenset(map(str, range(size)))
    true = frozenset(data.draw(st.sets(st.sampled_from(sorted(among)), min_size=1, max_size=size - 1)))
    assert youden(true, true, among) == pytest.approx(1)
    assert youden(among, true, among) == youden(frozenset(), true, among) == 0
    said = frozenset(data.draw(st.sets(st.sampled_from(sorted(among)))))
    value = youden(said, true, among)
    assert value is not None and 0 <= value <= 1
    assert all((youden(said | {one}, true, among) or 0) >= value for one in true)
    assert all((youden(said | {one}, true, among) or 0) <= value for one in among - true)
    assert 0 < chance_level(size, len(true)) < 1
    assert youden(said, among, among) is None


FILES = {"train.py": "import numpy\nx = 1\ny = 2\nx = 1\n", "requirements.txt": "numpy\n"}
DIFF = "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-numpy\n+numpy==2.1.0\n"


@pytest.mark.parametrize(
    ("line", "code", "changed"),
    [
        (2, "x = 3", {"train.py": "import numpy\nx = 3\ny = 2\nx = 1\n"}),
        (
            1,
            "import numpy\nnumpy.random.seed(0)\n",
            {"train.py": "import numpy\nnumpy.random.seed(0)\nx = 1\ny = 2\nx = 1\n"},
        ),
        (9, DIFF, {"requirements.txt": "numpy==2.1.0\n"}),
        (
            4,
            "<<<<<<< SEARCH\nx = 1\n=======\nx = 5\n>>>>>>> REPLACE",
            {"train.py": "import numpy\nx = 1\ny = 2\nx = 5\n"},
        ),
        (
            0,
            "<<<<<<< SEARCH requirements.txt\nnumpy\n=======\nnumpy==2\n>>>>>>> REPLACE\n",
            {"requirements.txt": "numpy==2\n"},
        ),
        (1, "--- /dev/null\n+++ b/.python-version\n@@ -0,0 +1 @@\n+3.11.9\n", {".python-version": "3.11.9\n"}),
        (1, "@@ -2,2 +2 @@\n x = 1\n-y = 2\n", {"train.py": "import numpy\nx = 1\nx = 1\n"}),
        (1, "", {}),
    ],
)
def test_a_fix_may_be_lines_a_diff_or_blocks_of_search_and_replace(line, code, changed):
    finding = Finding(violation_type="t", file_name="train.py", line_number=line, suggested_fix_code=code)
    assert applied(FILES, edits_of(finding, FILES)) == dict(sorted({**FILES, **changed}.items()))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (40, "x = 3"),
        (1, DIFF.replace("-numpy", "-torch")),
        (1, "<<<<<<< SEARCH\nx = 1\n=======\nx = 5\n"),
        (1, "@@ -1 +1 @@\nimport numpy\n"),
    ],
)
def test_a_fix_of_lines_that_are_not_there_is_refused_in_a_line(line, code):
    finding = Finding(violation_type="t", file_name="train.py", line_number=line, suggested_fix_code=code)
    with pytest.raises(UnreadableFixError, match=r"^[^\n]+$"):
        edits_of(finding, FILES)


@given(st.text(alphabet="@ -+0,12\nxab/<>=SEARCH", max_size=80), st.integers(0, 6))
def test_no_code_breaks_the_reader_of_fixes(code, line):
    finding = Finding(violation_type="t", file_name="train.py", line_number=line, suggested_fix_code=code)
    try:
        applied(FILES, edits_of(finding, FILES))
    except UnreadableFixError as error:
        assert str(error)


def test_the_page_of_operators_is_in_step_with_them_and_with_what_was_measured(root: Path):
    rows = [line.split(" | ") for line in (root / "docs" / "auditor-operators.md").read_text().splitlines()]
    shown = {row[0].strip("|` "): [*row[1:3], row[4], row[6].rstrip(" |")] for row in rows if row[0].startswith("| `")}
    measured = committed().instances.values()
    for one in all_operators():
        told = [each.used for each in measured if each.operator == one.id]
        words = f"{sum(told)} of {len(told)}"
        assert shown[one.id][:2] + shown[one.id][3:] == [one.category, f"`{one.rule}`", one.summary]
        assert shown[one.id][2] == words or not told
    assert set(shown) == {one.id for one in all_operators()}
    working = {each.operator for each in measured if each.used}
    assert len(working) >= 40 and len(base_projects()) >= 60
    assert {one.category for one in all_operators() if one.id in working} == set(CATEGORIES)
