"""An effect that few seeds leave in the noise gets its null probe from more of them, where these fit."""

import pytest
from compiler_paper import candidate, cell_point, paper

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.proving.proof import prove
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)


def compiled(treatment: str, baseline: str, runs: int = 9, **verification: object) -> ClaimSpec:
    """What UCB against Greedy compiles to, each a mean and its standard deviation over so many seeds."""
    source = paper({"UCB": {"Regret": treatment}, "Greedy": {"Regret": baseline}})
    points = {
        role: cell_point(source, row, "Regret", text.split()[0], spread=text.split()[-1], n=runs)
        for role, row, text in (("treatment", "UCB", treatment), ("baseline", "Greedy", baseline))
    }
    config = CONFIG.model_copy(update={"verification": CONFIG.verification.model_copy(update=verification)})
    outcome = compile_claim(source, candidate(points), config)
    assert isinstance(outcome, ClaimSpec), outcome
    assert all(check.passed for check in prove(outcome))
    return outcome


def seeds(spec: ClaimSpec) -> dict[str, int]:
    return {plan.name: plan.seeds for plan in spec.probe_plans}


def test_a_small_effect_has_its_null_probe_and_its_quiet_zone():
    spec = compiled("86.5 ± 0.6", "84.6 ± 0.3")
    assert seeds(spec)["null"] == CONFIG.verification.max_probe_seeds
    (null,) = [plan.expectations[0] for plan in spec.probe_plans if plan.name == "null"]
    assert null.rms is not None
    assert spec.reward_curves["regret_difference"].points[0] == (null.abs, 0.0)


def test_where_single_runs_are_too_noisy_at_any_number_the_mean_is_asked():
    spec = compiled("82.5 ± 1.4", "77.9 ± 1.2")
    (null,) = [plan.expectations[0] for plan in spec.probe_plans if plan.name == "null"]
    assert null.rms is None
    assert 0 < null.abs < 4.6 / 2


def test_a_spread_of_few_runs_says_less_of_how_two_of_its_kind_differ():
    (many,) = [plan.expectations[0] for plan in compiled("86.5 ± 0.6", "84.6 ± 0.3").probe_plans if plan.name == "null"]
    (few,) = [
        plan.expectations[0] for plan in compiled("86.5 ± 0.6", "84.6 ± 0.3", 5).probe_plans if plan.name == "null"
    ]
    assert many.abs < few.abs < 1.9 / 2
    assert few.rms is None, "that single runs stay below it can't be said"


def test_no_budget_probe_asks_untrained_methods_to_agree_more_closely_than_they_may():
    """Two strategies reach the goal in 99.9 and 99.0 of 100 trained episodes, and in unlike shares of the first one."""
    assert compiled("82.5 ± 1.4", "77.9 ± 1.2").probes.missing["budget"] == "no_power"


def test_a_large_effect_keeps_few_seeds():
    assert seeds(compiled("47.3 ± 0.4", "60.1 ± 0.6")) == {"null": 2, "budget": 6}


@pytest.mark.parametrize("hours", [2.4, 2.2])
def test_more_seeds_never_cost_a_task_its_re_runs(hours: float):
    spec = compiled("82.5 ± 1.4", "77.9 ± 1.2", max_hours=hours)
    assert spec.evidence_level == "reexecute"
    fits = hours * 3600 / spec.run_budget_s
    assert spec.seeds.count + sum(seeds(spec).values()) <= fits
    assert "over_verification_budget" in spec.probes.missing.values()
