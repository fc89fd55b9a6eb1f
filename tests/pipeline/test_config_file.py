"""Stories of reading the configuration once, strictly."""

import shutil
from decimal import Decimal

import pytest

from reproducegym.errors import MisuseError
from reproducegym.pipeline.config_file import load_config


@pytest.fixture
def copy(root, tmp_path):
    """A function that gives a copy of the shipped configuration with one replacement in one of its files."""
    shutil.copytree(root / "config", tmp_path / "config")

    def changed(old, new, name="default.toml"):
        path = tmp_path / "config" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path / "config" / "default.toml"

    return changed


def test_the_shipped_configuration_holds_every_knob():
    config = load_config(None)
    assert config.verification.max_seeds == 5
    assert len(config.tolerances.rows) == 7


def test_a_copy_with_a_changed_knob_is_read(copy):
    assert load_config(copy("max_claims = 12", "max_claims = 3")).build.max_claims == 3


def test_prices_and_models_of_steps_are_read(copy):
    named = '[llm.prices]\n"a/model:7b" = { prompt = "0.25", completion = "2.00" }'
    assert load_config(copy("[llm.prices]", named)).llm.prices["a/model:7b"].completion == Decimal("2.00")
    assert load_config(copy("[llm.steps]", '[llm.steps]\nread_panel = "sees"')).llm.steps == {"read_panel": "sees"}


def test_a_copy_alone_in_its_directory_takes_the_shipped_tolerances(root, tmp_path):
    shutil.copy(root / "config" / "default.toml", tmp_path / "mine.toml")
    assert load_config(tmp_path / "mine.toml").tolerances == load_config(None).tolerances


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("max_claims = 12", "max_claim = 12", "build.max_claim"),
        ("max_claims = 12", "max_claims = 12\nmax_claim = 1", "build.max_claim"),
        ("max_claims = 12", 'max_claims = "12"', "build.max_claim"),
        ("max_claims = 12", "max_claims = 0", "build.max_claim"),
        ("max_claims = 12", "max_claims = 1979-05-27", "build.max_claim"),
        ('paper_text = "masked"', 'paper_text = "hidden"', "build.paper_text"),
        ("max_hours = 8.0", "max_hours = nan", "verification.max_hours"),
        ('joint_error = "0.02"', 'joint_error = "1.2"', "verification.joint_error"),
        ("XL = 600", "XXL = 600", "verification.run_multiples.XXL"),
        ("temperature = 0.0", 'temperature = "none"', "llm.temperature"),
        ("concurrency = 4", "concurrency = 0", "llm.concurrency"),
        ('max_dollars_per_paper = "none"', 'max_dollars_per_paper = "0"', "llm.max_dollars_per_paper"),
        ('max_dollars_per_paper = "none"', 'max_dollars_per_paper = "two"', "llm.max_dollars_per_paper"),
        ("[llm.steps]", '[llm.steps]\nextrakt = "m"', "llm.steps.extrakt"),
        ("[llm.prices]", '[llm.prices]\nm = { prompt = "1" }', "llm.prices.m.completion"),
        ("networks = []", 'networks = ["10.1.2.3/24"]', "egress.networks: 10.1.2.3/24 has host bits set; a network"),
        ("networks = []", 'networks = ["10.0.0.0"]', "egress.networks: '10.0.0.0' has no prefix; a network like"),
        ("networks = []", 'networks = ["here"]', "egress.networks: 'here' has no prefix"),
        ("networks = []", 'networks = ["here/8"]', "egress.networks: 'here/8' does not appear to be"),
        (
            "[egress.environment]",
            '[egress.environment]\n"A B" = "c"',
            "egress.environment: 'A B' cannot name a variable",
        ),
        (
            "[egress.environment]",
            '[egress.environment]\n"A=B" = "c"',
            "egress.environment: 'A=B' cannot name a variable",
        ),
        ("[egress.environment]", '[egress.environment]\n"" = "c"', "egress.environment: '' cannot name a variable"),
        ("[egress.environment]", '[egress.environment]\nA = "b\\nc"', "egress.environment: A: 'b\\nc' is not one line"),
        ("[egress.environment]", '[egress.environment]\nHTTPS_PROXY = ""', "egress.environment: HTTPS_PROXY is set by"),
        ("[build]", "[biuld]", "biuld"),
        ("[build]", "[build", "not TOML"),
    ],
)
def test_what_does_not_fit_is_named_by_its_key(copy, old, new, key):
    with pytest.raises(MisuseError) as caught:
        load_config(copy(old, new))
    assert f"default.toml: {key}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('unknown_items_factor: "1.5"', 'unknown_items_factor: "many"', "unknown_items_factor"),
        ("kind: loss", "kind: lossy", "rows.2.kind"),
        ("kind: loss", "kind: rate", "rows"),
        ("rows:", "rows: [", "not YAML"),
    ],
)
def test_tolerances_are_held_to_the_same(copy, old, new, key):
    with pytest.raises(MisuseError) as caught:
        load_config(copy(old, new, "tolerances.yaml"))
    assert f"tolerances.yaml: {key}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_misuse(tmp_path):
    with pytest.raises(MisuseError, match=r"absent\.toml: cannot be read"):
        load_config(tmp_path / "absent.toml")


def test_a_key_that_is_misspelt_is_named(copy):
    with pytest.raises(MisuseError, match=r"default\.toml: run\.retires: unknown key"):
        load_config(copy("retries =", "retires ="))
