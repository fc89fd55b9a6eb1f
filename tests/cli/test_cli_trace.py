"""`trace show` and `trace export` on the sample records, and what they say when there is nothing to read."""

import json
from pathlib import Path

import pytest
from sample_paper import ROOT, call

SAMPLE = ROOT / "examples" / "traces" / "two-steps"


def test_show_tells_what_was_said_and_what_it_took():
    done = call("reproducegym", "trace", "show", SAMPLE, "--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert [one["kind"] for one in told["branches"]] == ["root", "subagent"]
    assert told["summary"]["usage"]["completion"] == 40
    assert 'bash({"command": "ls"})' in done.stderr
    assert "4 requests, 0 failed" in done.stderr


@pytest.mark.parametrize(("form", "lines"), [("raw", 4), ("sft", 2), ("rl", 4), ("atif", 1), ("summary", 1)])
def test_each_format_is_written_whole(form: str, lines: int, tmp_path: Path):
    out = tmp_path / "below" / "out"
    done = call("reproducegym", "trace", "export", SAMPLE, "--format", form, "--out", out, "--reward", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"out": str(out), "lines": lines}
    text = out.read_text()
    values = [json.loads(line) for line in text.splitlines()] if lines > 1 else [json.loads(text)]
    assert len(values) == lines
    if form in ("sft", "rl"):
        assert {one["reward"] for one in values} == {0.5}


@pytest.mark.parametrize("reward", ["nan", "inf", "1.5", "-0.1"])
def test_a_reward_is_a_number_from_0_to_1(reward: str, tmp_path: Path):
    out = tmp_path / "out"
    done = call("reproducegym", "trace", "export", SAMPLE, "--format", "sft", "--out", out, f"--reward={reward}")
    assert done.returncode == 2
    assert "a number from 0 to 1" in done.stderr
    assert not out.exists()


def test_a_torn_line_is_told_and_no_records_are_one_clear_line(tmp_path: Path):
    whole = next(SAMPLE.glob("*.jsonl")).read_bytes()
    (tmp_path / "records-000001.jsonl").write_bytes(whole[:-30])
    done = call("reproducegym", "trace", "show", tmp_path)
    assert done.returncode == 0
    assert "records-000001.jsonl:4: cut off in the middle" in done.stderr
    done = call("reproducegym", "trace", "show", tmp_path / "none")
    assert done.returncode == 4
    assert done.stderr.startswith("error: no records at")
    (tmp_path / "records-000001.jsonl").write_bytes(b"")
    done = call("reproducegym", "trace", "export", tmp_path, "--format", "atif", "--out", tmp_path / "x")
    assert done.returncode == 1
    assert "nothing was completed" in done.stderr
    assert not (tmp_path / "x").exists()
