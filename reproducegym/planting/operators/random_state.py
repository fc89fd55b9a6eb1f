"""scikit-learn's `random_state`: the calls that are given one, and the sites where they lose it."""

from collections.abc import Callable, Iterator

import libcst as cst

from reproducegym.planting.edit import Texts
from reproducegym.planting.operator import Site
from reproducegym.planting.operators.python import Call, python_files, without

__all__ = ["unseeded_calls"]


def unseeded_calls(
    files: Texts, operator: str, draws: Callable[[Call], bool], *, spelled_out: bool = False
) -> Iterator[Site]:
    """Every call that `draws` and has a random_state, without it; `spelled_out` makes it None instead."""
    for one in python_files(files):
        for call in one.calls:
            state = call.argument("random_state")
            if state is None or not draws(call):
                continue
            if spelled_out:
                edits = one.replaced(state, state.with_changes(value=cst.Name("None")))
            else:
                edits = one.replaced(call.node, without(call.node, state))
            subject = f"state:{one.path}:{call.place.first_line}"
            yield Site(operator=operator, edits=edits, subject=subject, also=(call.place,))
