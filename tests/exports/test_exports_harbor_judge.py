"""The judge in a verifier's container: what a submission's runs can reach there, and where it refuses to judge."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample_paper import PAPER_ID, PROBED_CLAIM, call
from sample_submissions import honest

pytestmark = pytest.mark.docker

PRYING = r"""
echo "USER $(id -u)"
for place in / /etc /usr /root /var/tmp /run /run/lock /opt /tests /logs /logs/verifier /submission /dev/mqueue; do
  (echo 1 >"$place/left") 2>/dev/null && echo "WROTE $place"
done
for place in /tests/judge.json /tests/contracts/000.json /logs/verifier/reward.json /tmp/left /dev/shm/left; do
  [ -r "$place" ] && echo "SAW $place"
done
echo 1 >/tmp/left; echo 1 >/dev/shm/left
ipcmk -M 4096 >/dev/null; [ "$(ipcs -m | grep -c 0x)" = 1 ] || echo "SAW memory of another run"
kill -9 1 "$PPID" 2>/dev/null && echo "KILLED another"
for one in /proc/[0-9]*/environ; do
  [ "$(stat -c %u "$one" 2>/dev/null)" = 0 ] && (cat "$one") >/dev/null 2>&1 && echo "READ $one"
done
python3 -c 'import socket; socket.create_connection(("192.0.2.1", 80), 2)' 2>/dev/null && echo "CONNECTED"
setsid sleep 1000 &
sleep 0.2
mkdir -p "$REPRODUCEGYM_OUT"; ln -s /tests/contracts/000.json "$REPRODUCEGYM_OUT/metrics.csv"
"""

Judged = Callable[..., tuple[int, str, Path]]


@pytest.fixture(scope="module")
def image(built_sample: Path, docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The verifier's image of one task, built as Harbor builds it."""
    out = tmp_path_factory.mktemp("harbor") / "tasks"
    done = call("reproducegym", "export", "harbor", "--paper", built_sample, "--out", out)
    assert done.returncode == 0, done.stderr
    tag = f"reproducegym-judge-test:{os.getpid()}"
    build = ["docker", "build", "-q", "-t", tag, "--network", "none", out / f"{PAPER_ID}.{PROBED_CLAIM}" / "tests"]
    subprocess.run(build, check=True, capture_output=True)
    yield tag
    subprocess.run(["docker", "image", "rm", "-f", tag], check=False, capture_output=True)


@pytest.fixture
def judged(image: str, tmp_path: Path) -> Judged:
    """Judges files that stand in /workspace: exit code, what was said, and the directory of the verifier's logs."""

    def judge(files: dict[str, bytes], *options: str) -> tuple[int, str, Path]:
        work, logs = tmp_path / "work", tmp_path / "logs"
        for place in (work, logs):
            place.mkdir()
            place.chmod(0o777)
        for name, data in files.items():
            (work / name).write_bytes(data)
        mounts = ("-v", f"{work}:/workspace", "-v", f"{logs}:/logs/verifier")
        argv = ("docker", "run", "--rm", "--init", *mounts, *(options or ("--network", "none")), image)
        done = subprocess.run([*argv, "/bin/bash", "/tests/test.sh"], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, logs

    return judge


def test_a_run_reaches_neither_the_judge_nor_another_run(judged: Judged):
    code, said, logs = judged({"reproduce.sh": PRYING.encode()})
    assert code == 0, said
    told = json.loads((logs / "report.json").read_text())
    lines = [run["output_end"].splitlines() for run in told["runs"]]
    users = [line for run in lines for line in run if line.startswith("USER")]
    assert len(set(users)) == len(told["runs"]) > 10
    assert [line for run in lines for line in run if line not in users] == []
    assert {run["outcome"] for run in told["runs"]} == {"refused"}
    assert json.loads((logs / "reward.json").read_text()) == {"reward": 0.0}
    assert told["failure_kind"] == "agent"


def test_where_there_is_a_network_nobody_is_judged(judged: Judged):
    code, said, logs = judged(honest(), "--network", "host")
    assert code == 1
    assert re.search(r"no reward: interface \S+ is up", said)
    assert list(logs.iterdir()) == []


def test_what_may_not_leave_a_sandbox_refuses_the_submission(judged: Judged):
    code, said, logs = judged({**honest(), "two\nlines": b""})
    assert code == 0, said
    assert "control characters" in json.loads((logs / "report.json").read_text())["failure_detail"]
    assert json.loads((logs / "reward.json").read_text()) == {"reward": 0.0}
