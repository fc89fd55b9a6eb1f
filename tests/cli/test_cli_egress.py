"""A run with a way out: from the configuration to the log beside the attempt; runs of reproduce.sh have none."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from sample_paper import ROOT, call, manifest, one_line

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters" / "egress"))

from egress_stage import site

SOLVE = """
no_proxy= NO_PROXY= python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:PORT/a').read())" > got
grep -q host= got && echo 'echo "way out: [$http_proxy] [$INDEX] $(ls /door 2>&1)"; exit 1' > reproduce.sh
test "$INDEX" = http://index.example/
"""


def config(directory: Path, allow: str) -> Path:
    text = (ROOT / "config" / "default.toml").read_text()
    changes = {
        "allow = []": f"allow = [{allow!r}]",
        "networks = []": 'networks = ["127.0.0.0/8"]',
        "[egress.environment]": '[egress.environment]\nINDEX = "http://index.example/"',
    }
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (directory / "mine.toml").write_text(text)
    return directory / "mine.toml"


def asked(paper: Path) -> tuple[str | Path, ...]:
    claim = manifest(paper)["tasks"][0]["claim_id"]
    return ("run.py", "--paper", paper, "--claim-id", claim, "--sandbox", "namespaces", "--json")


def test_what_is_listed_is_reached_by_the_agent_and_by_no_later_run(built_sample: Path, tmp_path: Path):
    paper = Path(shutil.copytree(built_sample, tmp_path / "runs" / built_sample.name))
    (tmp_path / "agent").mkdir()
    script = tmp_path / "agent" / "solve.sh"
    with site() as port:
        script.write_text(SOLVE.replace("PORT", str(port)))
        mine = config(tmp_path, f"127.0.0.1:{port}")
        done = call(*asked(paper), "--agent", f"script:{script}", "--config", mine)
    assert done.returncode == 0, done.stderr
    (attempt,) = json.loads(done.stdout)["attempts"]
    assert (attempt["agent"]["outcome"], attempt["reward"]) == ("finished", 0.0), attempt
    assert attempt["agent"]["egress"]["opened"] == 1
    kept = Path(attempt["attempt_dir"])
    lines = [json.loads(line) for line in (kept / "trace" / "egress.jsonl").read_text().splitlines()]
    assert [(one["event"], one["host"]) for one in lines] == [("opened", "127.0.0.1"), ("closed", "127.0.0.1")]
    outputs = [log.read_text() for log in kept.glob("verification/runs/*/output.log")]
    assert outputs
    assert all(said.startswith("way out: [] []") and "No such file" in said for said in outputs)


@pytest.mark.parametrize(
    ("allow", "said"),
    [("files.example", "[egress] allow: 'files.example' is not host:port"), ("*:443", "'*:443' is not")],
)
def test_a_list_that_cannot_be_read_is_one_line(built_sample: Path, tmp_path: Path, allow: str, said: str):
    done = call(*asked(built_sample)[:-1], "--config", config(tmp_path, allow))
    assert done.returncode == 2
    assert said in one_line(done)
