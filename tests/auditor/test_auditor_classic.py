"""Classic mode keeps its word: kinds, keywords, dismissive phrases, bounded rewards, the same bytes everywhere."""

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import case, true_audit, true_triage

from reproducegym.families.auditor.classic.drawing import KINDS, Classic
from reproducegym.families.auditor.classic.page import page
from reproducegym.families.auditor.classic.reward import audit_reward, names_it
from reproducegym.families.auditor.episode import Episode, EpisodeOverError
from reproducegym.families.auditor.nouns import CATEGORIES, LEVELS, Audit, Feedback, Finding, Triage


def test_there_are_eleven_eight_and_seven_kinds_over_all_categories():
    assert Counter(kind.level for kind in KINDS) == {"easy": 11, "medium": 8, "hard": 7}
    assert {kind.category for kind in KINDS} == set(CATEGORIES)
    assert {"random.seed missing", "worker_seed_cross_file", "package_version_conflict"} <= {k.id for k in KINDS}
    assert any("cublas" in kind.id for kind in KINDS)


def test_the_page_of_kinds_is_the_one_that_the_code_writes(root: Path):
    assert (root / "docs" / "auditor-violations.md").read_text() == page()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_kind_is_named_by_its_id_and_its_level_has_no_other_of_that_name(kind):
    level = [one for one in KINDS if one.level == kind.level]
    assert [one.id for one in level if names_it(one.keywords, kind.id)] == [kind.id]


@pytest.mark.parametrize("level", LEVELS)
def test_who_knows_the_answers_earns_everything_and_silence_nothing(level):
    for seed in range(25):
        knowing = Episode(case(level, seed))
        shown = knowing.text
        told, ended = knowing.step(true_triage(knowing.case)), knowing.step(true_audit(knowing.case))
        assert (told.reward, ended.reward, told.done, ended.done) == (1.0, 1.0, False, True)
        assert told.text.startswith(shown)
        assert "rejected" not in told.text
        silent = Episode(case(level, seed))
        silent.step('{"suspicious_files": [], "suspected_categories": []}')
        assert silent.step('{"violations": [], "reproducibility_score": 1}').reward == 0


@pytest.mark.parametrize("level", LEVELS)
def test_each_draw_is_sound_code_that_no_other_draw_repeats(level):
    draws = [case(level, seed) for seed in range(60)]
    assert len({json.dumps(dict(one.files)) for one in draws}) == 60
    assert len({tuple(kind.id for kind in one.planted) for one in draws}) > 30
    for one in draws:
        for name, text in one.files.items():
            assert "{{" not in text
            assert "$" not in text or name.endswith(".sh")
            if name.endswith(".py"):
                ast.parse(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("random.seed(config.seed)", True),
        ("np.random.seed(0)", False),
        ("no need for random.seed here", False),
        ("random.seed is already seeded elsewhere", False),
        ("random.seed: not required", False),
        ("nothing is required\nrandom.seed(0)", True),
        ("random.seed not required\nrandom.seed(0)", True),
    ],
)
def test_a_dismissed_keyword_does_not_count(text, named):
    kind = next(one for one in KINDS if one.id == "random.seed missing")
    assert names_it(kind.keywords, text) is named


def test_explanations_and_wrong_files_earn_nothing():
    one = case("easy", 1)
    kind = one.planted[0]
    empty = Triage(suspicious_files=(), suspected_categories=())
    said = Audit(violations=(), reproducibility_score=0, explanation=" ".join(kind.keywords))
    assert one.audit(empty, Feedback(), said).reward == 0
    wrong = Finding(violation_type=kind.id, file_name="elsewhere.py")
    assert one.audit(empty, Feedback(), Audit(violations=(wrong,), reproducibility_score=0)).parts["hits"] == 0


MATCHES = st.integers(1, 11).flatmap(
    lambda planted: st.tuples(
        st.lists(st.lists(st.integers(0, planted - 1), max_size=planted, unique=True), max_size=14), st.just(planted)
    )
)


@given(MATCHES, st.randoms(use_true_random=False))
def test_the_reward_is_bounded_blind_to_order_and_grows_with_right_findings_only(drawn, chance):
    matches, planted = drawn
    reward = audit_reward(matches, planted).reward
    assert 0 <= reward <= 1
    mixed = chance.sample(matches, len(matches))
    assert audit_reward(mixed, planted).reward == reward
    assert audit_reward([*matches, [0]], planted).reward >= reward
    assert audit_reward([*matches, []], planted).reward <= reward


@settings(max_examples=40)
@given(st.one_of(st.text(), st.binary(), st.just('{"violations": [], "reproducibility_score": NaN}')))
def test_what_is_no_action_earns_nothing_and_says_why(words):
    episode = Episode(case("easy", 0))
    told, ended = episode.step(words), episode.step(words)
    assert (told.reward, ended.reward, ended.done) == (0, 0, True)
    assert told.reason and ended.reason
    with pytest.raises(EpisodeOverError):
        episode.step("{}")


DRAWS = """
import hashlib
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import Episode
texts = [Episode(Classic().draw(level, seed)).text for level in ("easy", "medium", "hard") for seed in range(34)]
print(hashlib.sha256("".join(texts).encode()).hexdigest())
"""


def test_a_seed_gives_the_same_bytes_in_every_process_and_under_every_hash_seed():
    answers = {
        subprocess.run(
            [sys.executable, "-c", DRAWS],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone, locale in (("0", "UTC", "C.UTF-8"), ("4242", "Asia/Tokyo", "C"))
    }
    assert len(answers) == 1
    assert Classic.name == "classic"
