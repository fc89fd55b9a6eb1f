"""Verification through the real sandbox: who is paid, whose fault a failure is, and what a run can see."""

import json
from dataclasses import replace
from random import Random

import pytest
from small_task import HONEST, small_contract, small_order

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Verified, score_stored, verify

SH = "reproduce.sh"


def outcomes(verified: Verified) -> set[str]:
    return {run.outcome for run in verified.draw.runs}


def test_an_honest_submission_earns_one_and_both_probes_hold(judge: Judge):
    verified = verify(HONEST, small_order(), judge)
    assert verified.report is not None, verified.failure_detail
    assert verified.report.reward == 1.0
    assert {probe.probe: probe.held for probe in verified.report.probes} == {"null": True, "budget": True}
    assert [run.purpose for run in verified.draw.runs] == ["main", "main", "null", "budget"]
    assert outcomes(verified) == {"ok"}


def test_scores_follow_the_submission_and_not_the_paper(judge: Judge):
    weak = {**HONEST, "solve.py": HONEST["solve.py"].replace(b"5.0 if", b"3.1 if")}
    verified = verify(weak, small_order(), judge)
    assert verified.report is not None
    assert verified.report.reward == 0.0
    assert verified.failure_kind is None


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        (b"exit 3\n", "nonzero_exit"),
        (b"true\n", "no_output"),
        (b"sleep 60\n", "timeout"),
        (b'ln -s /etc/passwd "$REPRODUCEGYM_OUT/metrics.csv"\n', "refused"),
        (b'rm -rf "$REPRODUCEGYM_OUT"; ln -s /etc "$REPRODUCEGYM_OUT"\n', "refused"),
        (b'mkfifo "$REPRODUCEGYM_OUT/metrics.csv"\n', "refused"),
        (b'mkdir "$REPRODUCEGYM_OUT/metrics.csv"\n', "refused"),
        (b'mkdir "$REPRODUCEGYM_OUT/metrics.csv"; echo > "$REPRODUCEGYM_OUT/metrics.csv/metrics.csv"\n', "refused"),
        (b'head -c 2000000 /dev/zero > "$REPRODUCEGYM_OUT/metrics.csv"\n', "refused"),
        (b'rm -rf "$REPRODUCEGYM_OUT"\n', "no_output"),
    ],
    ids=[
        "dies",
        "writes nothing",
        "sleeps",
        "links out",
        "replaces its directory",
        "leaves a pipe",
        "leaves a directory",
        "hides its table in a directory",
        "floods",
        "removes its directory",
    ],
)
def test_what_goes_wrong_inside_is_the_submissions_fault(judge: Judge, script: bytes, outcome: str):
    order = small_order()
    quick = order.spec.model_copy(update={"run_budget_s": 2})
    verified = verify({SH: script}, type(order)(**{**vars(order), "spec": quick}), judge)
    assert outcomes(verified) == {outcome}
    assert verified.report is not None
    assert verified.report.reward == 0.0
    assert verified.failure_kind == "agent"


@pytest.mark.parametrize(
    "more",
    [
        b'ln -s metrics.csv "$REPRODUCEGYM_OUT/latest.csv"\n',
        b'for i in 1 2 3; do head -c 25000000 /dev/zero > "$REPRODUCEGYM_OUT/checkpoint$i"; done\n',
        b'mkfifo "$REPRODUCEGYM_OUT/log"; mkdir -p "$REPRODUCEGYM_OUT/plots/a"\n',
    ],
    ids=["a link to it", "checkpoints", "a pipe and directories"],
)
def test_what_stands_beside_the_table_costs_nothing(judge: Judge, more: bytes):
    verified = verify({**HONEST, SH: HONEST[SH] + more}, small_order(), judge)
    assert verified.report is not None
    assert verified.report.reward == 1.0, verified.failure_detail


def test_the_failure_says_why_each_run_failed_and_says_it_once(judge: Judge):
    link = b'ln -s /etc/passwd "$REPRODUCEGYM_OUT/metrics.csv"\n'
    verified = verify({SH: link}, small_order(), judge)
    assert verified.failure_detail.startswith("refused:main run 0 (metrics.csv: links are not copied out); ")
    assert verified.failure_detail.count("links are not copied out") == 1
    assert verified.report is not None
    assert "refused:main run 0" in verified.report.problems


@pytest.mark.parametrize(
    "table", [b"", b"nonsense", b"condition,score\nx,1\n", b"condition,score\nwith_b,5\n", b"\0\xff"]
)
def test_a_malformed_table_is_the_submissions_fault(judge: Judge, table: bytes):
    verified = verify({SH: b'cp table.csv "$REPRODUCEGYM_OUT/metrics.csv"\n', "table.csv": table}, small_order(), judge)
    assert verified.report is not None
    assert (verified.report.reward, verified.failure_kind) == (0.0, "agent")


def test_a_submission_without_a_script_scores_zero_without_a_sandbox(judge: Judge):
    verified = verify({"README.md": b"done\n"}, small_order(), judge)
    assert verified.report is not None
    assert (verified.report.reward, verified.failure_kind) == (0.0, "agent")
    assert outcomes(verified) == {"no_output"}
    assert "no reproduce.sh" in verified.draw.runs[0].detail


def test_a_run_sees_pristine_input_files_read_only_and_nothing_that_names_its_purpose(judge: Judge):
    spy = b"""\
cat input_files/conditions.json; cat "$REPRODUCEGYM_CONDITIONS" "$REPRODUCEGYM_KNOBS"
env | sort; ls -A "$REPRODUCEGYM_OUT"
touch /submission/x 2>/dev/null && echo WRITABLE
cat /proc/net/dev | grep -c : ; test -e /reward && echo REWARD
./tool.sh; exit 1
"""
    submission = {SH: spy, "input_files/conditions.json": b"forged\n", "tool.sh": b"#!/bin/bash\necho tool ran\n"}
    verified = verify(submission, small_order(), judge)
    for record, files in zip(verified.draw.runs, verified.files, strict=True):
        said = files.output.decode()
        assert "forged" not in said
        assert "WRITABLE" not in said
        assert "REWARD" not in said
        assert "tool ran" in said
        assert f"REPRODUCEGYM_SEED={record.seed}\n" in said
        assert all(label in said for label in record.labels)
        assert not any(word in said for word in ("with_a", "with_b", "main", "probe", "null", "budget_probe"))
    budget = next(
        files for record, files in zip(verified.draw.runs, verified.files, strict=True) if record.purpose == "budget"
    )
    assert '"steps": 0\n' in budget.output.decode()


def test_runs_do_not_see_each_other(judge: Judge):
    leave = b"ls -A /workspace /tmp; echo mine > /tmp/left; echo mine > /workspace/left; exit 1\n"
    verified = verify({SH: leave}, small_order(), judge)
    assert all(b"left" not in files.output for files in verified.files)


class FailingSandbox:
    """A sandbox whose engine dies for its first so many boxes."""

    name = "failing"

    def __init__(self, inner, failures: int) -> None:
        self.inner, self.left = inner, failures

    def create(self, spec):
        if self.left > 0:
            self.left -= 1
            raise InfrastructureError("the engine went away")
        return self.inner.create(spec)


def failing(judge: Judge, failures: int) -> Judge:
    return Judge(**{**vars(judge), "sandbox": FailingSandbox(judge.sandbox, failures)})


def test_the_clock_does_not_tell_probes_from_main_runs(judge: Judge):
    """Started one after the other, in drawn orders: main runs are not always the first that begin."""
    timed = {**HONEST, SH: b"cut -d' ' -f1 /proc/uptime\n" + HONEST[SH]}
    firsts = set()
    for draw in range(6):
        drawn = replace(judge, randbelow=Random(draw).randrange, executor=LocalExecutor(1))
        verified = verify(timed, small_order(), drawn)
        begun = [float(stored.output.split()[0]) for stored in verified.files]
        by_clock = sorted(zip(begun, verified.draw.runs, strict=True), key=lambda pair: pair[0])
        firsts.add(by_clock[0][1].purpose)
        assert verified.report is not None
        assert verified.report.reward == 1.0
    assert len(firsts) > 1


def test_an_engine_that_fails_twice_is_tried_again(judge: Judge):
    verified = verify(HONEST, small_order(), failing(judge, 2))
    assert verified.report is not None
    assert verified.report.reward == 1.0


def test_an_engine_that_stays_down_leaves_no_reward(judge: Judge):
    verified = verify(HONEST, small_order(), failing(judge, 1000))
    assert verified.report is None
    assert verified.failure_kind == "infra"
    assert "the engine went away" in verified.failure_detail


def test_a_fault_of_the_judge_is_never_a_zero(judge: Judge):
    verified = verify(HONEST, small_order(), judge)
    report, kind, detail = score_stored(
        verified.draw, verified.files, small_contract(), b'{"schema_version": 1}', HONEST
    )
    assert (report, kind) == (None, "verifier")
    assert "ContractError" in detail
    assert "\n" not in detail


def test_the_artifact_level_scores_the_table_that_was_handed_in(judge: Judge):
    contract = small_contract().model_copy(update={"evidence_level": "artifact", "probes": ()})
    rows = "".join(f"with_b,{seed},5.{seed}\nwith_a,{seed},3.{seed}\n" for seed in (1, 2))
    verified = verify({"output/metrics.csv": f"condition,seed,score\n{rows}".encode()}, small_order(contract), judge)
    assert verified.report is not None
    assert verified.report.reward == 1.0
    assert json.loads(verified.draw.to_json())["runs"] == []
