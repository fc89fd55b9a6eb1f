"""Which probes ask for more than a table to remember."""

__all__ = ["memory_resistant"]

_RESISTANT = frozenset({"budget", "data", "curve", "counterfactual"})


def memory_resistant(used: tuple[str, ...]) -> bool:
    """Whether a task's probes cannot be answered by remembering the headline numbers alone."""
    return not _RESISTANT.isdisjoint(used)
