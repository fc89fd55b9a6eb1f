"""Declarations of command-line agents: what is shipped fits, what is wrong is told, pins say where each stands."""

import re
from pathlib import Path

import pytest
import yaml
from sample_paper import ROOT, call, one_line

from reproducegym.adapters.agents.cli.declared import declared
from reproducegym.adapters.agents.cli.installed import install, place_of
from reproducegym.adapters.agents.cli.output import failure_in, last_words
from reproducegym.errors import MisuseError, SourceUnreachableError, StorageError

SHIPPED = yaml.safe_load((ROOT / "config" / "agents.yaml").read_text())
NO_KEYS = {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": "", "OPENAI_MODEL": ""}


def test_every_agent_of_the_documents_is_declared_and_pinned():
    agents = declared().agents
    assert set(agents) == {"claude-code", "codex", "opencode", "qwen-code", "openclaw", "mini-swe-agent"}
    for agent in agents.values():
        assert all(one.registry == "pypi" or one.integrity for one in agent.packages)
        keys = [text for text in [*agent.env.values(), *agent.files.values()] if "${token}" in text]
        assert keys, "the token is the only key inside"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"api": "openai.images"}, "agents.codex.api: Input should be 'openai.chat'"),
        ({"argv": ["codex", "${promt}"]}, "agents.codex: ${promt} is no slot; there are: agent, base_url, home, model"),
        ({"argv": ["codex"]}, "agents.codex: argv nowhere has ${prompt}"),
        ({"timeout": 5}, "agents.codex.timeout: Extra inputs are not permitted"),
        ({"files": {"../x": ""}}, "agents.codex.files.../x"),
        ({"setup": [["x", "${token}"]]}, "agents.codex: setup runs on the host before any task"),
        ({"packages": None}, "agents.codex.packages: "),
        ({"mounts": {"/etc": "/etc"}}, "agents.codex.mounts./etc"),
        ({"mounts": {"/opt/agent": "/x"}}, "agents.codex: mounts: /opt/agent is where packages are mounted"),
    ],
)
def test_a_wrong_declaration_is_told_by_its_key(tmp_path: Path, change: dict, words: str):
    file = tmp_path / "agents.yaml"
    file.write_text(
        yaml.safe_dump({"schema_version": 1, "agents": {"codex": {**SHIPPED["agents"]["codex"], **change}}})
    )
    with pytest.raises(MisuseError, match=re.escape(words)):
        declared(file)


def test_a_file_that_is_no_yaml_is_told(tmp_path: Path):
    (tmp_path / "agents.yaml").write_text("a: [")
    with pytest.raises(MisuseError, match="not YAML"):
        declared(tmp_path / "agents.yaml")
    with pytest.raises(MisuseError, match="cannot be read"):
        declared(tmp_path / "none.yaml")


def test_what_an_agent_prints_is_read_by_its_rules():
    rules = declared().agents["codex"].output
    said = '{"type":"item.completed","item":{"type":"agent_message","text":"one"}}\nnoise {\n{"type": 3}\n{broken\n'
    assert last_words(said, rules) == "one"
    assert failure_in(said, rules) is None
    assert failure_in(said + '{"type":"turn.failed","error":{"message":"no\\nquota"}}\n', rules) == "no quota"
    assert last_words("only words\n", rules) == "only words"
    failed = '{"type":"result","is_error":true,"result":"too long"}'
    assert failure_in(failed, declared().agents["claude-code"].output) == "too long"


def test_an_agent_that_is_not_there_is_told_with_the_command_that_gets_it(tmp_path: Path):
    env = {**NO_KEYS, "REPRODUCEGYM_CACHE": str(tmp_path)}
    listed = call("reproducegym", "agents", "list", "--json", env=env)
    assert '"installed": false' in listed.stdout
    unknown = call("reproducegym", "agents", "install", "codec", env=env)
    assert unknown.returncode == 4
    assert one_line(unknown).startswith('no agent "codec" is declared; there are: opencode, codex')


def test_where_an_agent_stands_follows_from_what_is_pinned(tmp_path: Path):
    codex = declared().agents["codex"]
    moved = codex.model_copy(update={"packages": (codex.packages[0].model_copy(update={"version": "0.172.0"}),)})
    assert place_of(tmp_path, "codex", codex) != place_of(tmp_path, "codex", moved)
    place_of(tmp_path, "codex", codex).mkdir(parents=True)
    assert install(tmp_path, "codex", codex) == place_of(tmp_path, "codex", codex)
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"cannot be written: .*; REPRODUCEGYM_CACHE names another place"):
        install(tmp_path / "file", "codex", codex)


def test_a_registry_that_is_out_of_reach_is_told_by_what_npm_says_first(tmp_path: Path, monkeypatch):
    says = "npm error code ECONNREFUSED\nnpm error FetchError: request to http://x/ failed\nnpm error     at a:1\n"
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\ncat >&2 <<'E'\n{says}{'npm error advice ' * 100}\nE\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    words = "could not be installed: code ECONNREFUSED FetchError: request to http://x/ failed advice"
    with pytest.raises(SourceUnreachableError, match=words) as told:
        install(tmp_path, "codex", declared().agents["codex"])
    assert len(str(told.value)) < 400
