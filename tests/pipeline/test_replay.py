"""Replay: honest checkpoints are paid, whatever of them is typed earns nothing, and a lower level says so."""

import json
import random
import re
from dataclasses import replace

import pytest
from replayed_task import PLAN, honest, replayed_order, table, weak, with_typed_tail
from small_task import METHODS, fixed_randbelow, small_contract, small_spec
from test_run import Writer
from test_verify import failing

from reproducegym.errors import TamperedError
from reproducegym.pipeline.judging.draw import plan_replay
from reproducegym.pipeline.judging.regrade import regrade
from reproducegym.pipeline.judging.replay import replay_plan, score_replay
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Verified, verify
from reproducegym.pipeline.run import attempt
from reproducegym.schema.contract import Contract
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import RunRecord
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Report


def reward(verified: Verified) -> float:
    assert verified.report is not None, verified.failure_detail
    return verified.report.reward


@pytest.mark.parametrize("wobble", [0.0, 0.02], ids=["deterministic", "with noise that no seed explains"])
def test_an_honest_run_is_paid_from_its_checkpoints(judge: Judge, wobble: float):
    verified = verify(honest(wobble), replayed_order(), judge)
    assert (reward(verified), verified.level, verified.level_detail) == (1.0, "replay", ""), verified.failure_detail
    made = [(run.seed, run.purpose, run.index) for run in verified.draw.runs]
    assert all((seed, purpose, 3) in made for seed in (1, 2) for purpose in ("segment", "final"))
    assert len([one for one in made if one[1] == "segment" and one[2] < 3]) == 2


@pytest.mark.parametrize("first", [1, 3], ids=["everything typed", "honest prefix, typed tail"])
def test_typed_checkpoints_earn_nothing(judge: Judge, first: int):
    verified = verify(with_typed_tail(weak(), first=first), replayed_order(), judge)
    assert reward(verified) == 0.0
    assert verified.level == "replay"
    if first == 3:
        assert "segment_differs:seed 1, segment 3, condition with_b, column score" in verified.failure_detail


def test_tables_that_the_states_do_not_bear_out_earn_nothing(judge: Judge):
    files = weak()
    for seed in PLAN.seeds:
        files[f"checkpoints/{seed}/3/metrics.csv"] = table(5.0 + seed / 97, 3.0 + seed / 89)
    verified = verify(files, replayed_order(), judge)
    assert reward(verified) == 0.0
    assert "segment_differs:seed 2, final 3" in verified.failure_detail


def test_a_run_cannot_read_what_was_recorded(judge: Judge):
    files = with_typed_tail(weak(), first=1)
    script = b'find /submission /checkpoint -name "*.csv" | grep . && exit 0; exit 9\n'
    verified = verify({**files, "reproduce.sh": script}, replayed_order(), judge)
    assert {run.exit_code for run in verified.draw.runs} == {9}
    assert (reward(verified), verified.failure_kind) == (0.0, "agent")
    assert re.search(
        r"nonzero_exit:seed 1, segment \d \(reproduce\.sh ended with exit code 9\)", verified.failure_detail
    )


def test_an_engine_that_fails_while_segments_are_run_leaves_no_reward(judge: Judge):
    verified = verify(honest(), replayed_order(), failing(judge, 1000))
    assert (verified.report, verified.failure_kind, verified.level) == (None, "infra", "replay")
    assert "the engine failed 3 times" in verified.failure_detail


def test_labels_are_new_and_the_last_segment_is_always_drawn():
    drawn = set()
    for seed in range(40):
        plans = plan_replay(replayed_order().contract, PLAN, fixed_randbelow(seed))
        starts = {(one.seed, one.purpose, one.stop): one.start for one in plans}
        assert (starts[1, "segment", 3], starts[2, "final", 3]) == ("checkpoints/1/2", "checkpoints/2/3")
        assert not {"with_a", "with_b"} & {shown.label for plan in plans for shown in plan.conditions}
        drawn |= {(one.seed, one.stop) for one in plans if one.purpose == "segment"}
        assert starts.get((1, "segment", 1)) is None
    assert drawn == {(seed, segment) for seed in (1, 2) for segment in (1, 2, 3)}


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        ("checkpoints/2/2/metrics.csv", "checkpoints/2/2/metrics.csv is missing"),
        ("checkpoints/1/3/state.json", "checkpoints/1/3 holds nothing to start from beside its metrics.csv"),
        ("reproduce.sh", "the submission has no reproduce.sh"),
    ],
)
def test_without_usable_checkpoints_the_level_falls_and_the_result_says_so(judge: Judge, spoil: str, why: str):
    files = honest()
    del files[spoil]
    rows = "".join(f"with_b,{seed},5.{seed}\nwith_a,{seed},3.{seed}\n" for seed in (1, 2))
    files["output/metrics.csv"] = f"condition,seed,score\n{rows}".encode()
    done = attempt(replayed_order(), Writer(files), judge)
    result = json.loads(done.files(1)["result.json"])
    assert (result["reward"], result["evidence_level"], result["evidence_detail"]) == (1.0, "artifact", why)
    assert again(done.files(1)).after.evidence_detail == why


def test_a_table_that_cannot_be_read_is_no_checkpoint(judge: Judge):
    verified = verify({**honest(), "checkpoints/1/1/metrics.csv": b"nan"}, replayed_order(), judge)
    assert (reward(verified), verified.level) == (0.0, "artifact")
    assert verified.level_detail.startswith("checkpoints/1/1/metrics.csv cannot be read: ")


def again(files):
    contract = replayed_order().contract
    return regrade(files, contract, contract.to_json().encode(), "c" * 16)


def test_a_replayed_attempt_is_regraded_from_what_was_stored(judge: Judge):
    files = dict(attempt(replayed_order(), Writer(honest()), judge).files(1))
    assert json.loads(files["result.json"])["evidence_level"] == "replay"
    assert again(files).changed is False
    assert again(files).after.reward == 1.0
    del files["verification/runs/0/metrics.csv"]
    with pytest.raises(TamperedError):
        again(files)


@pytest.mark.parametrize(
    "change",
    [{"evidence_level": "artifact"}, {"evidence_level": "reexecute"}, {"evidence_detail": "no checkpoints"}],
    ids=["lowered without a word", "raised", "excused without need"],
)
def test_a_level_that_was_not_reached_is_refused(judge: Judge, change: dict[str, str]):
    files = dict(attempt(replayed_order(), Writer(honest()), judge).files(1))
    files["result.json"] = json.dumps({**json.loads(files["result.json"]), **change}).encode()
    with pytest.raises(TamperedError, match="cannot reach so"):
        again(files)


def test_a_plan_fits_the_hours_and_cuts_long_runs_finer():
    spec = small_spec(small_contract())
    for run_s, hours in ((43_200, 8.0), (360_000, 8.0), (20, 0.001)):
        plan = replay_plan(spec.model_copy(update={"run_budget_s": run_s}), hours)
        probes = sum(probe.seeds for probe in spec.probe_plans)
        runs = len(plan.seeds) * (plan.drawn + 2) + plan.crossed + plan.fresh + probes
        assert runs * plan.segment_budget_s <= max(hours * 3600, runs)
        assert plan.segments * plan.segment_budget_s >= run_s
    assert replay_plan(spec.model_copy(update={"run_budget_s": 43_200}), 8.0).segments == 21


def curve_contract(*, widest: bool) -> Contract:
    contract = replayed_order().contract.model_copy(update={"step_column": True})
    if widest:
        columns = (contract.columns[0].model_copy(update={"range": (None, None)}),)
        contract = contract.model_copy(update={"columns": columns})
    metric = contract.metrics[0].model_copy(update={"formula": "last(with_b.score) - last(with_a.score)"})
    return contract.model_copy(update={"metrics": (metric,)})


def recorded_walks(rng: random.Random, plan: ReplayPlan, slope: float) -> dict[tuple[int, int], list[list[str]]]:
    """Learning curves with noise at every step; the rows up to the end of every segment."""
    tables = {}
    for seed in plan.seeds:
        rows: list[list[str]] = []
        for segment in range(1, plan.segments + 1):
            for label in METHODS:
                rate = slope if label == "with_b" else 1.0
                rows.append([label, str(segment), repr(segment * rate + rng.gauss(0, 0.1))])
            tables[seed, segment] = list(rows)
    return tables


def csv(rows: list[list[str]]) -> bytes:
    return "\n".join(["condition,step,score", *(",".join(row) for row in rows)]).encode()


def score(tables, replays, *, widest: bool = False) -> Report:
    contract = curve_contract(widest=widest).model_copy(update={"seeds": len({seed for seed, _ in tables})})
    submission = {f"checkpoints/{seed}/{k}/metrics.csv": csv(rows) for (seed, k), rows in tables.items()}
    submission |= {f"checkpoints/{seed}/{k}/state": b"" for seed, k in tables}
    runs = []
    for (seed, purpose, k), rows in replays.items():
        record = RunRecord(
            purpose=purpose,
            index=k,
            seed=seed,
            labels={label: label for label in METHODS},
            knobs={},
            outcome="ok",
            exit_code=0,
            detail="",
            seconds=0.0,
            metrics_sha256=None,
            start=None if purpose != "crossed" else f"checkpoints/{next(s for s, _ in tables if s != seed)}/{k - 1}",
        )
        runs.append((record, csv(rows)))
    return score_replay(load_contract(contract.to_json().encode()), submission, runs)


def replayed(rng: random.Random, tables, plan: ReplayPlan, noise: float):
    """Each new row with fresh noise, as much as between seeds at worst; the last checkpoint's measurement as it was."""
    made = {(seed, "final", plan.segments): tables[seed, plan.segments] for seed in plan.seeds}
    for seed in plan.seeds:
        for k in (rng.randrange(1, plan.segments), plan.segments):
            old = [row for row in tables[seed, k] if int(row[1]) < k]
            new = [[*row[:2], repr(float(row[2]) + rng.gauss(0, noise))] for row in tables[seed, k] if int(row[1]) == k]
            made[seed, "segment", k] = old + new
    return made


def strangers(rng: random.Random, tables, plan: ReplayPlan, noise: float):
    """A last segment from another seed's checkpoint, and a first one under a seed that nobody knew."""
    last, slopes = plan.segments, {"with_b": 1.2, "with_a": 1.0}
    old = [row for row in tables[2, last] if int(row[1]) < last]
    return {
        (1, "crossed", last): old
        + [[name, str(last), repr(last * s + rng.gauss(0, noise))] for name, s in slopes.items()],
        (99, "fresh", 1): [[name, "1", repr(s + rng.gauss(0, noise))] for name, s in slopes.items()],
    }


def told_apart(seeds: int, segments: int, draws: int) -> int:
    """How many honest replays are refused whose repetition scatters as much as another seed: the worst case."""
    plan = ReplayPlan(
        schema_version=1, seeds=tuple(range(1, seeds + 1)), segments=segments, segment_budget_s=1, drawn=1
    )
    rng, flagged = random.Random(100 * seeds + segments), 0
    for _ in range(draws):
        tables = recorded_walks(rng, plan, 1.2)
        runs = replayed(rng, tables, plan, 0.1) | strangers(rng, tables, plan, 0.1)
        flagged += bool(score(tables, runs).problems)
    return flagged


@pytest.mark.parametrize(("seeds", "segments"), [(2, 2), (2, 10), (5, 3)])
def test_fewer_than_one_in_a_hundred_honest_runs_is_told_apart_from_its_record(seeds: int, segments: int):
    assert told_apart(seeds, segments, 100) <= 2


def test_what_a_run_makes_of_another_seeds_checkpoint_is_not_what_its_own_seed_had_recorded():
    plan, rng = ReplayPlan(schema_version=1, seeds=(1, 2), segments=4, segment_budget_s=1, drawn=1), random.Random(4)
    tables = recorded_walks(rng, plan, 1.2)
    honest_runs = replayed(rng, tables, plan, 0.0)
    by_table = {**honest_runs, (1, "crossed", 4): tables[1, 4]}
    assert any(one.startswith("checkpoint_ignored:seed 1, crossed 4") for one in score(tables, by_table).problems)
    deterministic = {**honest_runs, (1, "crossed", 4): tables[2, 4]}
    assert score(tables, deterministic).problems == ()


def test_a_first_segment_under_a_new_seed_is_neither_a_recorded_one_nor_unlike_all_of_them():
    plan, rng = ReplayPlan(schema_version=1, seeds=(1, 2), segments=4, segment_budget_s=1, drawn=1), random.Random(4)
    tables = recorded_walks(rng, plan, 1.2)
    honest_runs = replayed(rng, tables, plan, 0.0)
    copied = {**honest_runs, (99, "fresh", 1): tables[2, 1]}
    assert score(tables, copied).problems == ("seed_ignored:seed 99, fresh 1",)
    off = {**honest_runs, (99, "fresh", 1): [["with_b", "1", "60.0"], ["with_a", "1", "1.0"]]}
    assert score(tables, off).problems == ("start_differs:seed 99, fresh 1, condition with_b, column score",)


def test_rows_that_change_after_they_were_recorded_earn_nothing():
    plan, rng = ReplayPlan(schema_version=1, seeds=(1, 2), segments=10, segment_budget_s=1, drawn=1), random.Random(6)
    tables = recorded_walks(rng, plan, 1.2)
    tables[1, 10][0] = [*tables[1, 10][0][:2], "7.5"]
    report = score(tables, replayed(rng, tables, plan, 0.0))
    assert report.reward == 0.0
    assert "history_changed:seed 1, segment 10, condition with_b" in report.problems


def test_values_at_the_end_of_floating_point_are_a_zero_and_not_our_fault():
    plan = ReplayPlan(schema_version=1, seeds=(1, 2), segments=3, segment_budget_s=1, drawn=1)
    rng = random.Random(8)
    tables = recorded_walks(rng, plan, 1.2)
    for (seed, _), rows in tables.items():
        rows[0] = [*rows[0][:2], "1e308" if seed == 1 else "-1e308"]
    replays = replayed(rng, tables, plan, 0.05)
    assert score(tables, replays, widest=True).reward == 0.0


def test_one_huge_row_excuses_no_other():
    plan = ReplayPlan(schema_version=1, seeds=(1, 2), segments=3, segment_budget_s=1, drawn=1)
    rng = random.Random(9)
    tables = recorded_walks(rng, plan, 1.2)
    for key in tables:
        tables[key] = [[*row[:2], "1e15" if row[1] == "2" else row[2]] for row in tables[key]]
    replays = replayed(rng, tables, plan, 0.0)
    replays[1, "segment", 3] = [[*row[:2], "0.5" if row[1] == "3" else row[2]] for row in tables[1, 3]]
    assert any("segment 3, condition" in problem for problem in score(tables, replays, widest=True).problems)


def test_more_rows_than_the_judge_reads_are_no_checkpoints(judge: Judge):
    order = replayed_order()
    limits = order.contract.limits.model_copy(update={"max_rows": 17})
    contract = order.contract.model_copy(update={"limits": limits})
    few = replace(order, contract=contract, contract_json=contract.to_json().encode())
    verified = verify(honest(), few, judge)
    assert verified.level_detail == "the tables of all checkpoints have more than 17 rows"


def test_noise_that_was_typed_to_widen_what_is_allowed_does_not_widen_it_past_the_tolerance():
    plan, rng = ReplayPlan(schema_version=1, seeds=(1, 2), segments=4, segment_budget_s=1, drawn=1), random.Random(7)
    tables = recorded_walks(rng, plan, 1.0)
    wild = {key: [[*row[:2], repr(9 * rng.random())] for row in rows] for key, rows in tables.items()}
    for seed, segment in wild:
        wild[seed, segment] = wild[seed, 4][: 2 * segment]
    fakes = replayed(rng, wild, plan, 0.0)
    for seed in plan.seeds:
        fakes[seed, "segment", 4] = [*wild[seed, 4][:-2], ["with_b", "4", "6.0"], ["with_a", "4", "4.0"]]
    assert any("metric gain" in problem for problem in score(wild, fakes).problems)
