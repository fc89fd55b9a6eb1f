"""Gymnasium finds the environments after `import reproducegym`, and every way of running them shows the right text."""

import subprocess
import sys
import warnings
from functools import partial

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra `auditor` is not installed")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv  # noqa: E402
from playing import case, true_audit, true_triage  # noqa: E402

from reproducegym.errors import MisuseError  # noqa: E402
from reproducegym.families.auditor.classic.drawing import KINDS  # noqa: E402
from reproducegym.families.auditor.episode import files_text  # noqa: E402
from reproducegym.families.auditor.faces.gymnasium import MAX_FILES  # noqa: E402
from reproducegym.families.auditor.nouns import CATEGORIES, LEVELS  # noqa: E402


def made(level="easy", actions="json"):
    return gymnasium.make(f"ReproAudit-{level.title()}-v0", reward="classic", actions=actions)


@pytest.mark.parametrize("order", ["import reproducegym, gymnasium", "import gymnasium, reproducegym"])
def test_the_names_are_there_in_whichever_order_both_are_imported(order):
    script = f"import sys; {order}; print([name for name in gymnasium.registry if name.startswith('ReproAudit')])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "['ReproAudit-Easy-v0', 'ReproAudit-Medium-v0', 'ReproAudit-Hard-v0']"


def test_importing_the_package_does_not_import_gymnasium():
    script = "import reproducegym, sys; print('gymnasium' in sys.modules, 'numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("actions", ["json", "structured"])
@pytest.mark.parametrize("level", LEVELS)
def test_gymnasiums_own_checker_is_content_without_a_warning(level, actions):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(level, actions).unwrapped)


def test_an_episode_of_json_actions_ends_after_two_steps_and_refuses_a_third():
    env, one = made(), case("easy", 7)
    text, info = env.reset(seed=7)
    assert (text, info["phase"]) == (files_text(one), "triage")
    text, reward, ended, _, info = env.step(true_triage(one))
    assert (reward, ended, info["phase"]) == (1, False, "audit")
    assert text.endswith("\n") and "=== feedback ===\nconfirmed: file" in text
    assert env.step(true_audit(one))[1:3] == (1, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("{}")
    assert env.reset()[1]["seed"] != env.reset()[1]["seed"]


def test_structured_actions_earn_what_json_earns():
    env, one = made("hard", "structured"), case("hard", 3)
    env.reset(seed=3)
    places = {name: place for place, name in enumerate(one.files)}
    action = env.action_space.sample()
    for row in ("suspicious_files", "suspected_categories"):
        action[row][:] = 0
    for kind in one.planted:
        action["suspected_categories"][CATEGORIES.index(kind.category)] = 1
        for name in one.places(kind):
            action["suspicious_files"][places[name]] = 1
    action["violations"] = tuple(
        {
            "violation_type": kind.id,
            "file": np.int64(places[one.names[kind.files[0]]]),
            "line_number": np.int64(1),
            "suggested_fix_code": "",
        }
        for kind in one.planted
    )
    seen, reward, *_ = env.step(action)
    assert (reward, int(seen["phase"])) == (1, 1)
    assert [int(row.sum()) for row in (seen["files"], seen["categories"])] == [
        int(action["suspicious_files"].sum()),
        int(action["suspected_categories"].sum()),
    ]
    assert env.step(action)[1:3] == (1, True)


@pytest.mark.parametrize(
    ("actions", "change", "reason"),
    [
        ("json", None, "an action is JSON text, not NoneType"),
        ("json", {"violations": []}, "an action is JSON text, not dict"),
        (
            "json",
            '{"violations": [], "violations": [], "reproducibility_score": 1}',
            "action: an object has the name 'violations' twice",
        ),
        ("structured", None, "the action is outside its space: TypeError"),
        ("structured", {"reproducibility_score": np.float32("nan")}, "reproducibility_score: Input should be a finite"),
        ("structured", {"violations": ({"violation_type": "x"},)}, "the action is outside its space: KeyError"),
        ("structured", {"suspected_categories": np.ones(40, np.int8)}, "the action is outside its space: IndexError"),
    ],
)
def test_what_is_outside_the_space_earns_0_with_its_reason(actions, change, reason):
    env = made(actions=actions).unwrapped
    env.reset(seed=1)
    sample = env.action_space.sample()
    action = {**sample, **change} if actions == "structured" and change else change
    if "suspected_categories" not in (change or ()):
        env.step(sample)
    _, reward, _, _, info = env.step(action)
    assert reward == 0 and info["reason"].startswith(reason)


def test_a_number_that_the_space_has_not_is_never_taken_for_another():
    env = made(actions="structured").unwrapped
    bits = {"suspicious_files": np.zeros(MAX_FILES, np.int8), "suspected_categories": np.zeros(len(CATEGORIES))}
    finding = {"violation_type": "x", "file": 0, "line_number": np.array(1), "suggested_fix_code": ""}
    none = {**bits, "violations": (finding,), "reproducibility_score": 0.5}

    def reason(audit, triage=none):
        env.reset(seed=1)
        told = env.step(triage) if triage is not none else (env.step(none), env.step({**none, **audit}))[1]
        assert told[1] == 0 or not told[4]["reason"]
        return told[4]["reason"]

    assert reason({}) == reason({"violations": ({**finding, "file": np.uint8(MAX_FILES - 1)},)}) == ""
    outside = (-1, np.int64(-1), MAX_FILES, 10**5000, 0.7, np.float32(0.7), 0.0, float("inf"), float("nan"), True, "0")
    for number in outside:
        assert "file is a whole number from 0 to 31" in reason({"violations": ({**finding, "file": number},)})
    for number in (-1, 100_000, 1.0, np.array([1, 2]), None):
        assert "line_number is a whole number" in reason({"violations": ({**finding, "line_number": number},)})
    for number in (np.zeros(2), "0.5", True, 10**400, None):
        assert "reproducibility_score is one number" in reason({"reproducibility_score": number})
    for row in (np.full(MAX_FILES, 2), np.full(MAX_FILES, -1), np.full(MAX_FILES, np.nan), ["1"] * MAX_FILES):
        assert "neither 0 nor 1" in reason({}, {**none, "suspicious_files": row})
    assert "has 32 bits" in reason({}, {**none, "suspicious_files": np.ones(500)})


MODES = {
    "sync": SyncVectorEnv,
    "async": partial(AsyncVectorEnv, shared_memory=False, context="fork"),
    "async with shared memory": partial(AsyncVectorEnv, shared_memory=True, context="spawn"),
}


@pytest.mark.parametrize("mode", MODES)
def test_every_vector_mode_shows_each_episode_its_own_text_whole(mode):
    env = MODES[mode]([made] * 2)
    try:
        ones = [case("easy", 5), case("easy", 6)]
        texts, _ = env.reset(seed=[5, 6])
        assert list(texts) == [files_text(one) for one in ones]
        texts, rewards, ended, *_ = env.step(tuple(true_triage(one) for one in ones))
        assert list(rewards) == [1, 1] and not ended.any()
        assert all("=== feedback ===" in text for text in texts)
        _, rewards, ended, *_ = env.step(tuple(true_audit(one) for one in ones))
        assert list(rewards) == [1, 1] and ended.all()
        texts, *_ = env.step(("", ""))  # the step after the last is the reset
        assert all("=== feedback ===" not in text for text in texts)
    finally:
        env.close()


def test_unknown_rewards_and_actions_are_refused_in_one_line():
    for wrong in ({"reward": "generous"}, {"actions": "spoken"}):
        with pytest.raises(Exception, match="unknown; there are"):
            gymnasium.make("ReproAudit-Easy-v0", **{"reward": "classic", **wrong})
    with pytest.raises(MisuseError, match="torch is True or False, not 3"):
        gymnasium.make("ReproAudit-Easy-v0", torch=3)
    assert len(KINDS) == 26
