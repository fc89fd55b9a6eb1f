"""The compiler's answers to one claim of each pattern, byte by byte.

`PYTHONPATH=tests:tests/pipeline python tests/pipeline/test_golden_specs.py` writes them anew.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from compiler_paper import ucb_against_greedy
from pattern_claims import Case, ablations, figure_trend, guarded, near_zero, order, trend

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config

GOLDEN = Path(__file__).parents[1] / "golden" / "specs"
CASES: dict[str, Callable[[], Case]] = {
    "absolute": lambda: ucb_against_greedy(pattern="absolute"),
    "difference": ucb_against_greedy,
    "ratio": lambda: ucb_against_greedy(pattern="ratio"),
    "relative_change": lambda: ucb_against_greedy(pattern="relative_change"),
    "comparison": lambda: ucb_against_greedy(pattern="comparison"),
    "bound": lambda: ucb_against_greedy(relation="at_least"),
    "guard": guarded,
    "contrast": lambda: ablations(accuracies=("54.0", "53.8")),
    "near_zero": near_zero,
    "order": lambda: order("40.0 ± 0.4", "35.0 ± 0.4", "28.0 ± 0.3"),
    "slope": lambda: trend("slope"),
    "spearman": lambda: trend("spearman"),
    "first_reach": lambda: trend("first_reach", level="41"),
    "figure": figure_trend,
    "no_control": lambda: near_zero(control=None),
}


def answer(name: str) -> str:
    return compile_claim(*CASES[name](), load_config(None)).to_json()


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_compiler_gives_the_golden_bytes(name: str):
    assert answer(name) == (GOLDEN / f"{name}.json").read_text()


def test_every_golden_spec_has_a_claim():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CASES)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for case in CASES:
        (GOLDEN / f"{case}.json").write_text(answer(case))
