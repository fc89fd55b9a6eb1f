"""Asking for an agent that cannot work: one clear line, an exit code, and nothing begun."""

from pathlib import Path

import pytest

from reproducegym.cli.agent_choice import agent
from reproducegym.errors import MisuseError, ModelUnavailableError, NotFoundError, ReproduceGymError
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.config import Config

KEYS = {"OPENAI_API_KEY": "key-of-shell-1", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REPRODUCEGYM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def capped(settings: Config) -> Config:
    return settings.model_copy(update={"agent": settings.agent.model_copy(update={"max_dollars": 2})})


@pytest.mark.parametrize(
    ("name", "env", "kind", "words"),
    [
        ("codec", {}, MisuseError, 'no agent "codec"; there are: noop, script:FILE, tool-loop, opencode, codex'),
        ("noop:x", {}, MisuseError, 'no agent "noop:x"'),
        ("", {}, MisuseError, 'no agent ""'),
        ("script:nowhere.sh", {}, NotFoundError, "nowhere.sh is no file"),
        ("tool-loop", {}, ModelUnavailableError, "no model is set up: set OPENAI_API_KEY (and OPENAI_BASE_URL"),
        ("tool-loop", KEYS, MisuseError, "--agent tool-loop: no model is named; set OPENAI_MODEL in .env"),
        ("tool-loop:two words", KEYS, MisuseError, "'two words' is no name of a model"),
        ("codex", KEYS, MisuseError, "it is not installed; get it with: reproducegym agents install codex"),
    ],
)
def test_an_agent_that_cannot_work_is_one_line(monkeypatch, name: str, env: dict, kind: type, words: str):
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(kind) as told:
        agent(name, load_config(None))
    assert words in str(told.value)
    assert "key-of-shell-1" not in str(told.value)
    assert isinstance(told.value, ReproduceGymError)


def test_a_cap_in_dollars_needs_a_price(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-shell-1")
    with pytest.raises(MisuseError, match=r"agent\.max_dollars is set, but small has no price"):
        agent("tool-loop:small", capped(load_config(None)))


def test_what_is_set_up_is_told_and_the_key_is_not(monkeypatch, capsys):
    for key, value in KEYS.items():
        monkeypatch.setenv(key, value)
    made = agent("tool-loop:small", load_config(None))
    assert (made.name, made.door) == ("tool-loop", ("hand",))
    said = capsys.readouterr().err
    assert "base URL http://127.0.0.1:9/v1" in said
    assert "model small" in said
    assert "key-of-shell-1" not in said + repr(made) + repr(vars(made))
