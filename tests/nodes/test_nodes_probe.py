"""What a probe sees on real sshd's in namespaces of our own, and what it says when something is wrong."""

import json
import time
from pathlib import Path

import pytest
from own_node import OwnNode, entry, inventory
from sample_paper import call

from reproducegym.nodes.probe import probe_all, probe_node

GPUS = "printf '0, Tensor 9000, 81920, 1024, 7\\n1, Tensor 9000, 81920, 0, 0\\n'"


def only_problem(node, timeout_s: float = 10.0) -> str:
    (line,) = probe_node(node, "any", timeout_s=timeout_s).problems
    return line


def test_a_probe_tells_what_there_is_now(node_a: OwnNode, node_b: OwnNode, tmp_path: Path):
    told = {"gpus": ["0"], "gpu_probe": GPUS, "notes": "has 8 GPUs", "engine": None}
    listed = inventory(tmp_path / "nodes.yaml", node_a, node_b, **told)
    done = call("reproducegym", "nodes", "probe", "--nodes", listed, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["nodes"]
    assert [one["node"] for one in found] == ["node-a", "node-b"]
    for one in found:
        assert (one["reachable"], one["engine"], one["problems"]) == (True, None, [])
        seen = one["found"]
        assert seen["hostname"] == one["node"]
        assert abs(seen["clock_skew_s"]) < 1.0
        assert 0 < seen["memory_free_mib"] <= seen["memory_mib"]
        assert 0 < seen["disk_free_mib"] <= seen["disk_mib"]
        gpu = {"id": "0", "name": "Tensor 9000", "memory_mib": 81920, "used_mib": 1024, "busy_percent": 7}
        assert seen["gpus"][0] == {**gpu, "leased_by": None}
    assert "Nodes, just now" in done.stderr


def test_only_the_named_node_is_looked_at(node_a: OwnNode, node_b: OwnNode, tmp_path: Path):
    listed = inventory(tmp_path / "nodes.yaml", node_a, node_b)
    done = call("reproducegym", "nodes", "probe", "--nodes", listed, "--node", "node-b", "--json")
    assert [one["node"] for one in json.loads(done.stdout)["nodes"]] == ["node-b"]
    unknown = call("reproducegym", "nodes", "probe", "--nodes", listed, "--node", "node-c")
    assert (unknown.returncode, unknown.stderr) == (4, 'error: no node "node-c"; there are: node-a, node-b\n')


def test_nodes_that_do_not_answer_cost_one_time_out_together(node_a: OwnNode, node_b: OwnNode, tmp_path: Path):
    node_b.cut()
    lost = entry(node_b, tmp_path)
    began = time.monotonic()
    try:
        found = probe_all([lost, entry(node_a, tmp_path), lost, lost], "any", timeout_s=4.0)
    finally:
        node_b.mend()
    assert time.monotonic() - began < 10.0
    assert [one.reachable for one in found] == [False, True, False, False]
    assert found[0].problems[0].startswith(f"node-b: {node_b.host}:22 cannot be reached: ")


def test_a_changed_host_key_is_one_line_and_ends_it(node_b: OwnNode, keys: Path, tmp_path: Path):
    known = tmp_path / "known_hosts"
    known.write_text(
        f"{node_b.host} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF7bOZ4H3CqUBLbd0V5vQPdEdX6UOcrn0D2rdQ2mDhv1\n"
    )
    line = only_problem(entry(node_b, tmp_path, known_hosts=str(known)))
    assert line.startswith(f"node-b: its host key is not the one in {known}: ")
    known.write_text("")
    assert f"ssh-keyscan -p 22 {node_b.host}" in only_problem(entry(node_b, tmp_path, known_hosts=str(known)))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"port": 2222}, "cannot be reached: connect to host"),
        ({"key": "stranger"}, "refuses the key"),
        ({"key": "open"}, "chmod 600"),
        ({"key": "absent"}, "is no file; the inventory names it"),
        ({"python": "python2.1"}, "there is no python2.1 on the node"),
        ({"gpus": ["7"], "gpu_probe": GPUS}, "lists GPU 7; the node does not show it"),
        ({"gpus": ["0"], "gpu_probe": "echo broken >&2; exit 9"}, "the probe of its GPUs ends with 9: broken"),
        ({"gpus": ["0"], "gpu_probe": "sleep 60"}, "the probe of its GPUs does not end"),
        ({"engine": "/run/no.sock"}, "no Docker engine answers at /run/no.sock"),
        ({"workdir": "/dev/null/work"}, "/dev/null may not be written by root; runs need /dev/null/work"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_wrong_is_said_in_one_line(node_a: OwnNode, keys: Path, tmp_path: Path, changed: dict, words: str):
    (tmp_path / "stranger").write_bytes((keys / "id").read_bytes().replace(b"A", b"B", 3))
    (tmp_path / "open").write_bytes((keys / "id").read_bytes())
    (tmp_path / "stranger").chmod(0o600)
    (tmp_path / "open").chmod(0o644)
    line = only_problem(entry(node_a, tmp_path, **changed), timeout_s=6.0)
    assert words in line
    assert "\n" not in line
