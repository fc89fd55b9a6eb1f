"""Attempts at a task of the sample paper with a node: they earn what they earn without one."""

import json
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from own_node import OwnNode, inventory
from sample_paper import CHEAP_CLAIM, ROOT, SOLUTION, call, command_line

from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

COMMANDS = ("--node-for", "commands", "--sandbox", "namespaces")
THERE = """set -e
/node/node put "$(dirname "$0")" .
/node/node exec -- sh -c 'ls agent > seen'
/node/node get seen .
bash "$(dirname "$0")/honest.sh"
"""


@pytest.fixture(scope="module")
def paper(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not NamespacesSandbox().availability().works:
        pytest.skip("no namespaces sandbox")
    return Path(shutil.copytree(built_sample, tmp_path_factory.mktemp("attempts") / "runs" / built_sample.name))


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference solution, which takes its files to the node and back before it begins."""
    place = tmp_path_factory.mktemp("worker") / "agent"
    shutil.copytree(SOLUTION.parent, place)
    (place / "solve.sh").rename(place / "honest.sh")
    (place / "solve.sh").write_text(THERE)
    return place / "solve.sh"


def asked(paper: Path, listed: Path, agent: Path, *more: str, node: str = "node-a") -> tuple[str | Path, ...]:
    named = (
        "--paper",
        paper,
        "--claim-id",
        CHEAP_CLAIM,
        "--agent",
        f"script:{agent}",
        "--node",
        node,
        "--nodes",
        listed,
    )
    return ("run.py", *named, "--json", *more)


def test_an_attempt_whose_agent_works_on_the_node_is_paid(paper: Path, node_a: OwnNode, worker: Path, tmp_path: Path):
    listed = inventory(tmp_path / "nodes.yaml", node_a)
    done = call(*asked(paper, listed, worker, *COMMANDS))
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["attempts"]
    assert result["reward"] >= 0.9, result
    directory = Path(result["attempt_dir"])
    assert "bandit.py" in (directory / "workspace" / "seen").read_text()
    asks = [json.loads(line) for line in (directory / "trace" / "node.jsonl").read_text().splitlines()]
    assert [one["op"] for one in asks] == ["put", "exec", "get"]
    assert node_a.call("find", node_a.place / "work", "-path", "*run-*") == ""


@pytest.mark.docker
def test_an_attempt_whose_sandboxes_are_all_on_the_node_is_paid(
    paper: Path, node_b: OwnNode, tmp_path: Path, docker_image: str
):
    if node_b.engine is None:
        node_b.start_engine()
    listed = inventory(tmp_path / "nodes.yaml", node_b)
    done = call(*asked(paper, listed, SOLUTION, node="node-b"))
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["attempts"]
    assert result["reward"] >= 0.9, result
    assert (result["sandbox"], result["image"]) == ("docker", DockerSandbox().image_id(docker_image))
    assert "node-b: Docker engine" in done.stderr


def test_what_a_killed_driver_left_on_a_node_is_cleaned(paper: Path, node_a: OwnNode, tmp_path: Path):
    listed = inventory(tmp_path / "nodes.yaml", node_a, gpus=["0"])
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "solve.sh"
    agent.write_text("/node/node start -- sleep 55123; sleep 60\n")
    line = command_line(*asked(paper, listed, agent, "--gpus", "1", *COMMANDS))
    driver = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while "55123" not in node_a.call("ps", "ax"):
        assert driver.poll() is None
        assert time.monotonic() < end
        time.sleep(0.1)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    found = json.loads(call("reproducegym", "nodes", "probe", "--nodes", listed, "--json").stdout)
    (lease,) = found["nodes"][0]["found"]["leases"]
    assert (lease["gpu"], lease["expired"]) == ("0", False)  # its job still runs, so nobody else may have it
    done = call("reproducegym", "nodes", "clean", "--nodes", listed, "--json")
    assert done.returncode == 0, done.stderr
    cleaned = json.loads(done.stdout)["nodes"]["node-a"]
    assert (cleaned["removed"], cleaned["jobs"], cleaned["kept"]) == ([lease["run"]], 1, [])
    assert "55123" not in node_a.call("ps", "ax")
    assert list(node_a.place.glob("work/*/*")) == []


def test_asking_for_what_is_not_there_is_one_line(paper: Path, node_a: OwnNode, worker: Path, tmp_path: Path):
    listed = inventory(tmp_path / "nodes.yaml", node_a)
    done = call(*asked(paper, listed, worker, "--gpus", "2"))
    assert (done.returncode, done.stderr) == (2, "error: --gpus 2: the inventory lists 0 of node-a\n")
    looked = call("run.py", "--node", "node-a", "--nodes", listed, "--probe-only", "--json")
    assert json.loads(looked.stdout)["nodes"][0]["reachable"]
