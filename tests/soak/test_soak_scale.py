"""A thousand papers on a cluster of which one node dies, ten thousand attempts: the driver stays as it was."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from sample_paper import ROOT, call, call_anew, command_line

pytestmark = pytest.mark.soak

PAPERS = int(os.environ.get("REPRODUCEGYM_SOAK_PAPERS", "1000"))
ATTEMPTS = int(os.environ.get("REPRODUCEGYM_SOAK_SIMULATED", "10000"))


def told_by(out: Path, done: subprocess.CompletedProcess[str]) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads((out / "simulation.json").read_text())


@pytest.mark.parametrize("papers", [5, 1], ids=["five papers", "one paper"])
def test_the_driver_of_ten_thousand_attempts_is_as_large_as_that_of_one_thousand(
    tmp_path: Path, papers: int, record_property
):
    count = ATTEMPTS if papers > 1 else ATTEMPTS // 4
    asked = ("--papers", str(papers), "--attempts", str(count), "--faults", "0.01", "--parallel", "2")
    told = told_by(tmp_path, call("reproducegym", "simulate", "--out", tmp_path, *asked, timeout=7200))
    early, *_, last = told["runs"][1:]
    assert last["done"] >= count
    assert last["driver_mib"] <= 1.1 * early["driver_mib"]
    record_property("attempts", last["done"])
    record_property("driver MiB at a tenth and at the end", f"{early['driver_mib']}/{last['driver_mib']}")
    record_property("attempts a second", f"{last['done'] / last['seconds']:.1f}")


def test_a_corpus_is_built_on_a_cluster_though_a_node_and_the_driver_die(tmp_path: Path, record_property):
    os.environ.update({"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"})  # loopback alone
    ray_cluster = pytest.importorskip("ray.cluster_utils")
    limits = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = ray_cluster.Cluster(initialize_head=True, head_node_args={**limits, "node_ip_address": "127.0.0.1"})
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20) for _ in range(2)]
    asked = ("--papers", str(PAPERS), "--attempts", "0", "--executor", "ray", "--ray-address", cluster.address)
    line = command_line("reproducegym", "simulate", "--out", tmp_path, "--parallel", "3", *asked)
    began = time.monotonic()
    try:
        driver = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(list(tmp_path.glob("made-*/task_manifest.json"))) < PAPERS // 3:
            assert driver.poll() is None
            time.sleep(0.2)
        cluster.remove_node(nodes[0], allow_graceful=False)
        while len(list(tmp_path.glob("made-*/task_manifest.json"))) < 2 * PAPERS // 3:
            assert driver.poll() is None
            time.sleep(0.2)
        driver.kill()
        driver.wait()
        told = told_by(tmp_path, call_anew("reproducegym", *line[line.index("simulate") :], timeout=7200))
    finally:
        cluster.shutdown()
    assert len(list(tmp_path.glob("made-*/task_manifest.json"))) == PAPERS
    assert told["tasks"] >= PAPERS
    early, *_, last = told["builds"][1:]
    assert last["driver_mib"] <= 1.1 * early["driver_mib"]
    record_property("papers", PAPERS)
    record_property("tasks", told["tasks"])
    record_property("seconds, with both deaths", round(time.monotonic() - began))
    record_property("driver MiB at a tenth and at the end", f"{early['driver_mib']}/{last['driver_mib']}")
