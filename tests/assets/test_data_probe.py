"""The probe `data`: what chance gives, which claims admit it, and why others do not."""

from decimal import Decimal
from pathlib import Path

import pytest

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.assets.card import offered_assets
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.exposure.hidden import secrets_of
from reproducegym.pipeline.probing.chance import chance_of
from reproducegym.pipeline.probing.named_assets import names_asset
from reproducegym.pipeline.proving.rehearsal import resists_memory
from reproducegym.ports import ReadPaper
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import Candidate
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "papers" / "telling-ponds-apart"
CONFIG = load_config(None)
EVEN = {"a": 50, "b": 50, "c": 50, "d": 50}
UNEVEN = {"a": 60, "b": 40}


@pytest.fixture(scope="module")
def paper() -> ReadPaper:
    content = (SAMPLE / "paper.pdf").read_bytes()
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=content), "ponds")
    return ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)


@pytest.fixture(scope="module")
def claims(paper: ReadPaper) -> tuple[Candidate, ...]:
    return RulesExtractor().extract(paper)


@pytest.fixture(scope="module")
def reedbank() -> OfferedAsset:
    (offered,) = offered_assets({"reedbank": SAMPLE / "data"})
    return offered


def compiled(paper: ReadPaper, claim: Candidate, *offered: OfferedAsset, config=CONFIG) -> ClaimSpec:
    outcome = compile_claim(paper, claim, config, offered)
    assert isinstance(outcome, ClaimSpec), outcome
    return outcome


@pytest.mark.parametrize(
    ("metric", "unit", "counts", "low", "high"),
    [
        ("Accuracy", "%", EVEN, "25", "25"),
        ("Test accuracy", "", EVEN, "0.25", "0.25"),
        ("Accuracy", "%", UNEVEN, "52", "60"),
        ("Error rate", "%", UNEVEN, "40", "48"),
        ("Balanced accuracy", "%", UNEVEN, "50", "50"),
        ("Macro-F1", "%", EVEN, "10", "25"),
        ("Macro-F1", "%", UNEVEN, "37.5", "50"),
        ("Micro F1", "%", UNEVEN, "52", "60"),
        ("F1", "%", UNEVEN, "0", "75"),
        ("F1 score", "%", EVEN, "10", "25"),
        ("AUROC", "", UNEVEN, "0.5", "0.5"),
        ("Cohen's kappa", "", UNEVEN, "0", "0"),
        ("MCC", "", UNEVEN, "0", "0"),
    ],
)
def test_chance_follows_from_the_shares_of_the_labels(metric: str, unit: str, counts, low: str, high: str):
    chance = chance_of(metric, unit, counts)
    assert chance is not None
    assert (chance.low, chance.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    "metric", ["Loss", "Top-5 accuracy", "Recall", "Regret", "pass@1", "Expected calibration error"]
)
def test_what_labels_do_not_decide_has_no_chance_level(metric: str):
    assert chance_of(metric, "%", EVEN) is None


def test_one_label_alone_has_no_chance_level():
    assert chance_of("Accuracy", "%", {"a": 10}) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on the Reedbank data set", True),
        ("REEDBANK-data-set", True),
        ("Table 1: results on reedbank.", True),
        ("the Reedbanks of England", False),
        ("on another data set", False),
    ],
)
def test_an_asset_is_named_by_whole_words(reedbank: OfferedAsset, text: str, named: bool):
    assert names_asset(text, reedbank) is named


def test_each_claim_of_the_sample_asks_its_levels_to_fall_to_chance(paper, claims, reedbank):
    specs = [compiled(paper, claim, reedbank) for claim in claims]
    assert len(specs) == 9
    for spec in specs:
        (plan,) = [one for one in spec.probe_plans if one.name == "data"]
        assert (plan.asset, [one.name for one in spec.assets]) == ("reedbank", ["reedbank"])
        assert resists_memory(spec, contract_of(spec))
        assert all(probe.asset is None for probe in contract_of(spec).probes)
        levels = [one for one in plan.expectations if one.metric == "k_nn_accuracy"]
        assert all(one.value == pytest.approx((25.66 + 30) / 2) for one in levels)
        # Half-way between the best blind answer and what the paper prints.
        assert all(one.value + one.abs == pytest.approx((30 + 89.3) / 2, abs=1e-3) for one in levels)


def test_what_chance_gives_is_no_secret(paper, claims, reedbank):
    spec = compiled(paper, claims[0], reedbank)
    assert not [one for one in secrets_of(spec).hidden if "probe data" in one.what]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (None, "no_asset"),
        ({"aliases": (), "name": "lakes"}, "no_asset"),
        ({"counts": {}}, "no_labels"),
        ({"counts": {"one": 600}}, "no_labels"),
        ({"counts": {"one": 20, "two": 10}}, "no_power"),
    ],
)
def test_why_a_claim_has_no_data_probe(paper, claims, reedbank, change, reason):
    offered = []
    if change is not None:
        name = change.get("name", "reedbank")
        asset = reedbank.asset.model_copy(update={"name": name})
        offered = [reedbank.model_copy(update={"asset": asset} | {k: v for k, v in change.items() if k != "name"})]
    spec = compiled(paper, claims[0], *offered)
    assert spec.probes.missing["data"] == reason
    assert bool(spec.assets) is (reason != "no_asset")


def test_two_data_sets_of_one_claim_leave_open_whose_labels_to_permute(paper, claims, reedbank):
    other = reedbank.model_copy(update={"asset": reedbank.asset.model_copy(update={"name": "second"})})
    assert compiled(paper, claims[0], reedbank, other).probes.missing["data"] == "several_assets"


def test_runs_that_do_not_fit_are_left_out(paper, claims, reedbank):
    hours = CONFIG.verification.model_copy(update={"max_hours": 0.7})
    spec = compiled(paper, claims[0], reedbank, config=CONFIG.model_copy(update={"verification": hours}))
    assert spec.probes.missing["data"] == "over_verification_budget"
