"""Stories of what people are asked to look at in a submission."""

from decimal import Decimal

import pytest
from small_task import HONEST, small_order

from reproducegym.pipeline.judging.flags import flags_of
from reproducegym.schema.claim import Protocol, ProtocolNumber
from reproducegym.schema.run import Draw, RunRecord

NOTHING_RUN = Draw(schema_version=1, submission_sha256="0" * 64, runs=())


def spec(*protocol: str):
    numbers = tuple(
        ProtocolNumber(name="rate", value=Decimal(value), unit="", quote=value, page=1) for value in protocol
    )
    own = Protocol(method=None, dataset=None, evaluation=None, numbers=numbers)
    return small_order().spec.model_copy(update={"protocol": own})


def timed(main: float, budget: float) -> Draw:
    runs = tuple(
        RunRecord(
            purpose=purpose,
            index=0,
            seed=1,
            labels={},
            knobs={},
            outcome="ok",
            exit_code=0,
            detail="",
            seconds=seconds,
            metrics_sha256=None,
        )
        for purpose, seconds in (("main", main), ("budget", budget))
    )
    return NOTHING_RUN.model_copy(update={"runs": runs})


def test_honest_code_raises_no_flag():
    assert flags_of(HONEST, timed(2.0, 0.5), spec()) == ()


def test_a_remembered_number_is_named_with_its_place():
    (flag,) = flags_of({"a.py": b"x = 1\nknown = 84.61\n"}, NOTHING_RUN, spec())
    assert (flag.flag, flag.note) == ("literal", "84.61 (a.py:2)")


@pytest.mark.parametrize(
    "line",
    ["steps = 1000", "rate = 0.00325", "share = 0.125", "at v1.2.345", "ucb1234", "x = 2**31", "big = 10_000"],
)
def test_round_numbers_protocol_numbers_and_names_are_no_constants(line):
    assert flags_of({"a.py": line.encode()}, NOTHING_RUN, spec("0.00325", "12.5")) == ()


def test_what_the_task_gave_what_runs_wrote_and_binary_files_are_not_looked_at():
    files = {"input_files/x.json": b"84.61", "output/metrics.csv": b"84.61", "weights.bin": b"\0 84.61"}
    assert flags_of(files, NOTHING_RUN, spec()) == ()


def test_many_constants_are_counted():
    (flag,) = flags_of({"a.csv": "\n".join(f"1.{n}" for n in range(123, 141)).encode()}, NOTHING_RUN, spec())
    assert flag.note.startswith("1.123 (a.csv:1), ")
    assert flag.note.endswith(" and 13 more")


def test_a_run_that_costs_no_more_at_full_budget_is_flagged():
    (flag,) = flags_of(HONEST, timed(0.12, 0.11), spec())
    assert (flag.flag, flag.note) == ("work", "0.12 s at full budget, 0.11 s at the budget probe's")
