"""Made papers and the sandbox that is none: what it pays, a real one pays too; what is stopped goes on."""

import json
import re
import subprocess
import time
from pathlib import Path
from statistics import median

import pytest
from sample_paper import ROOT, call, command_line

from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.simulation.agent import submission
from reproducegym.simulation.corpus import paper_text, study


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("simulation") / "out"
    done = call("reproducegym", "simulate", "--out", made, "--papers", "1", "--attempts", "8", "--faults", "0.05")
    assert done.returncode == 0, done.stderr
    return made


def results(out: Path) -> list[dict[str, object]]:
    return [json.loads(path.read_text()) for path in sorted(out.glob("*/04-run/c*/*/[0-9]*/result.json"))]


def test_every_attempt_is_scored_though_engines_fail_and_only_honest_ones_are_paid(out: Path):
    told = json.loads((out / "simulation.json").read_text())
    valid = [one for one in results(out) if one["reward_valid"]]
    assert told["tasks"] == 2
    assert len(valid) == 8
    assert {one["sandbox"] for one in valid} == {"simulated"}
    paid = {kind: [one["reward"] for one in valid if one["agent"]["detail"] == kind] for kind in ("honest", "lazy")}
    assert median(paid["honest"]) == 1.0  # single draws of seeds may miss, as in real work
    assert min(paid["lazy"]) == 0.0


def test_the_same_command_makes_nothing_twice_and_a_larger_one_only_what_is_new(out: Path):
    before = len(results(out))
    again = call("reproducegym", "simulate", "--out", out, "--papers", "1", "--attempts", "8", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["attempts"] == 0
    assert len(results(out)) == before


def test_a_killed_simulation_keeps_what_was_measured_and_goes_on(out: Path):
    asked = ("simulate", "--out", out, "--papers", "1", "--attempts", "16")
    before, record = len(results(out)), out / "simulation.json"
    driver = subprocess.Popen(command_line("reproducegym", *asked), cwd=ROOT, stderr=subprocess.DEVNULL)
    while json.loads(record.read_text())["order"]["attempts"] != 16 or not json.loads(record.read_text())["runs"]:
        assert driver.poll() is None
        time.sleep(0.01)
    driver.kill()
    driver.wait()
    kept = json.loads(record.read_text())["runs"]
    done = call("reproducegym", *asked, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["runs"][: len(kept)] == kept
    later = told["runs"][len(kept) :]
    assert (later[-1]["done"], later[-1]["made"]) == (16, told["attempts"])
    assert kept[-1]["done"] < later[0]["done"]
    assert len(results(out)) == before + 16


@pytest.mark.parametrize(
    ("out", "code", "said"),
    [("/proc/none", 8, "cannot lock /proc/none/"), ("/dev/null/x", 8, "a file stands where a directory is needed")],
)
def test_a_place_that_takes_nothing_is_one_line(out: str, code: int, said: str):
    done = call("reproducegym", "simulate", "--out", out, "--papers", "2", "--attempts", "2")
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert said in done.stderr


def test_papers_of_another_seed_are_not_mixed_with_these(out: Path):
    done = call("reproducegym", "simulate", "--out", out, "--papers", "1", "--attempts", "2", "--seed", "1")
    assert (done.returncode, done.stderr) == (2, f"error: {out} holds other papers; name another --out\n")


def test_a_real_sandbox_pays_the_same_submission(out: Path, tmp_path: Path):
    store = PaperStore(out, "made-00001")
    (task, *_) = store.manifest().tasks
    order = read_order(store, task.claim_id, task.spec_hash)
    for name, data in submission(order.input_files["paper.md"].decode()).items():
        (tmp_path / name).write_bytes(data)
    asked = ("--paper", store.root, "--claim-id", task.claim_id, "--sandbox", "namespaces", "--json")
    rewards = []
    for _ in range(2):  # one draw of seeds may miss
        done = call("reproducegym", "verify", tmp_path, *asked)
        assert done.returncode == 0, done.stderr
        rewards.append(json.loads(done.stdout)["reward"])
    assert max(rewards) == 1.0


def test_a_simulated_batch_is_not_resumed_as_a_real_one(out: Path):
    done = call("reproducegym", "run", "--runs", out, "--resume", "last")
    assert done.returncode == 2
    assert re.fullmatch(
        r"error: batch simulated-\S+ is a simulated one: go on with reproducegym simulate\n", done.stderr
    )


def test_a_paper_is_the_same_whatever_others_are_made():
    assert paper_text(study(7)) == paper_text(study(7))
    assert paper_text(study(7)) != paper_text(study(8))
    assert paper_text(study(7)) != paper_text(study(7, seed=1))
