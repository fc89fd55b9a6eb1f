"""A host model is read, grounded, run like a submission, and refused in one line where it is no truth."""

from dataclasses import replace
from pathlib import Path

import pytest
from queue_paper import CARD, QUEUES, TOY, latency_claims, queue_paper, write_model

from reproducegym.errors import HostModelError
from reproducegym.extraction.rules import RulesExtractor
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.probing.host_card import check_grounded, read_host_model
from reproducegym.pipeline.probing.host_model import measure
from reproducegym.pipeline.task import brief
from reproducegym.schema.config import Config
from reproducegym.schema.host_model import HostRecord
from reproducegym.schema.spec import ClaimSpec


@pytest.fixture(scope="module")
def few() -> Config:
    config = load_config(None)
    few = config.verification.model_copy(update={"host_settings": 3, "host_seeds": 3})
    return config.model_copy(update={"verification": few})


@pytest.fixture(scope="module")
def record(judge: Judge, few: Config, tmp_path_factory: pytest.TempPathFactory) -> HostRecord:
    model = read_host_model(write_model(tmp_path_factory.mktemp("toy")))
    return measure(model, queue_paper(), latency_claims()[:1], few, judge, None)


def test_settings_are_drawn_within_the_ranges_and_measured_under_every_seed(record: HostRecord):
    (truth,) = record.truths
    assert truth.default.knobs == {"servers": 10.0, "load": 0.8}
    assert {len(values) for values in truth.default.values.values()} == {3}
    for drawn in truth.drawn:
        servers, load = drawn.setting.knobs["servers"], drawn.setting.knobs["load"]
        assert 2 <= servers <= 24 and servers.is_integer() and servers != 10
        assert 0.4 <= load <= 0.94
        assert [one.knobs for one in drawn.without] == [
            {"servers": 10.0, "load": load},
            {"servers": servers, "load": 0.8},
        ]
        expected = 0.844 * (load / 0.8) ** 2 * servers / 10
        assert drawn.setting.values["two_choices"][0] == pytest.approx(expected, rel=0.06)


def test_what_was_measured_becomes_a_probe_with_hidden_choices(record: HostRecord, few: Config):
    (truth,) = record.truths
    candidates = RulesExtractor().extract(queue_paper())
    (candidate,) = (one for one in candidates if claim_uid(QUEUES.name, one) == truth.claim_uid)
    spec = compile_claim(queue_paper(), candidate, few, truth=truth)
    assert isinstance(spec, ClaimSpec)
    assert spec == compile_claim(queue_paper(), candidate, few, truth=truth)
    (plan,) = (one for one in spec.probe_plans if one.name == "counterfactual")
    assert len(plan.choices) == 3
    assert "counterfactual" in spec.probes.used
    told = [sum(values) / 3 for values in truth.default.values.values()]
    for choice in plan.choices:
        assert all(abs(expect.value - one) > 2 * expect.abs for expect in choice.expect for one in told)
    task = brief(spec, queue_paper(), "none", 8.0)["task.md"].decode()
    assert "- `servers`, default 10; may be set to any whole number from 2 to 24" in task
    assert "- `load`, default 0.8; may be set to any number from 0.4 to 0.94" in task
    assert "- `steps`, default 20000; may be set to any whole number from 0 to 20000" in task


def test_the_same_key_is_not_measured_again(record: HostRecord, judge: Judge, few: Config, tmp_path: Path):
    model = read_host_model(write_model(tmp_path / "again"))
    broken = replace(judge, executor=None)
    assert measure(model, queue_paper(), latency_claims()[:1], few, broken, record) is record


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit('no such thing')", r"its run with the knobs .* ended with exit code 1: no such thing"),
        ("pass", r"wrote no sound metrics\.csv"),
        (TOY.replace("condition,mean_latency", "condition,waiting"), r"metrics\.csv: unknown_column.*mean_latency"),
        (TOY.replace("0.844", "1.844"), r"does not reproduce the paper: .*Two choices.* the paper has -0\.79"),
    ],
)
def test_a_model_that_is_no_truth_is_refused(judge: Judge, few: Config, tmp_path: Path, program: str, said: str):
    model = read_host_model(write_model(tmp_path / "bad", program))
    with pytest.raises(HostModelError, match=said):
        measure(model, queue_paper(), latency_claims()[:1], few, judge, None)


def test_a_model_that_speaks_of_no_claim_is_refused(judge: Judge, few: Config, tmp_path: Path):
    card = CARD.replace('["Mean latency", "Late jobs"]', '["Throughput"]')
    model = read_host_model(write_model(tmp_path / "other", card=card))
    with pytest.raises(HostModelError, match="speaks of Throughput; claims with a value are of: Mean latency"):
        measure(model, queue_paper(), latency_claims(), few, judge, None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("schema_version = 1", "schema_version =", r"card\.toml is not TOML"),
        ("licence =", "license =", r"card\.toml: licence: Field required"),
        ("low = 2\n", "low = 12\n", r"card\.toml: knobs\.0: .*low < high is wanted, and a default between them"),
        ("high = 24", "high = 24.5", r"card\.toml: knobs\.0: .*a whole knob has whole numbers"),
        ('name = "load"', 'name = "servers"', r"card\.toml: card: .*two knobs have the same name"),
    ],
)
def test_a_card_that_does_not_fit_names_its_place(tmp_path: Path, old: str, new: str, said: str):
    assert old in CARD
    with pytest.raises(HostModelError, match=said):
        read_host_model(write_model(tmp_path, card=CARD.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "The bank has 10 servers.",
            "The bank has ten tills.",
            'knob servers: the paper has no passage "The bank has ten',
        ),
        ("default = 10", "default = 12", 'knob servers: "The bank has 10 servers." does not print its default 12'),
    ],
)
def test_a_default_that_the_paper_does_not_print_is_refused(tmp_path: Path, old: str, new: str, said: str):
    model = read_host_model(write_model(tmp_path, card=CARD.replace(old, new)))
    with pytest.raises(HostModelError) as refusal:
        check_grounded(model.card, queue_paper())
    assert said in str(refusal.value)
