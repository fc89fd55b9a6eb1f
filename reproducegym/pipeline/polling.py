"""How often a run in the background is worth a look."""

__all__ = ["polling_s"]

_STEPS_S = (5, 10, 15, 30, 60, 120, 300, 600)
_LOOKS = 40
"""How often a run is looked at in its budget: what is found late costs a fortieth of it at most."""


def polling_s(run_budget_s: float) -> int:
    """How often to look at a run in the background, in seconds: the longest round interval that gives enough looks."""
    fitting = [step for step in _STEPS_S if step * _LOOKS <= run_budget_s]
    return fitting[-1] if fitting else _STEPS_S[0]
