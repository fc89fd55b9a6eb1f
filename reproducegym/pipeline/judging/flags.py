"""Looks at a submission for what people should look at: constants that may be remembered, work that costs nothing."""

import re
from collections.abc import Iterator
from decimal import Decimal
from statistics import median

from reproducegym.pipeline.exposure.hidden import digits_of
from reproducegym.ports import Files
from reproducegym.schema.run import Draw, Flag
from reproducegym.schema.spec import ClaimSpec

__all__ = ["flags_of"]

_NUMBER = re.compile(r"(?<![\w.])\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d{1,3})?(?![\w.]|%\w)")
_TELLING_DIGITS = 3
_NOT_ITS_OWN = ("input_files", "output")
_SHOWN = 5
_LONGEST = 2**20
_CHEAP = 1.5
"""A run at full budget that takes less than so many times the shortest one's time does no work in proportion."""


def flags_of(submission: Files, draw: Draw, spec: ClaimSpec) -> tuple[Flag, ...]:
    """Every flag that is raised. A flag is for people: it never changes a reward.

    `literal`: constants of three or more significant digits in code and data that are no protocol number. `work`: the
    main runs, or segments of a replay, took hardly longer than runs of the budget probe.
    """
    raised = (_literal(submission, spec), _work(draw))
    return tuple(flag for flag in raised if flag is not None)


def _literal(submission: Files, spec: ClaimSpec) -> Flag | None:
    exempt = {abs(number.value) for number in spec.protocol.numbers}
    exempt |= {value / 100 for value in exempt} | {Decimal(repr(knob.default)) for knob in spec.knobs}
    found = [place for name in sorted(submission) for place in _constants(name, submission[name], exempt)]
    if not found:
        return None
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return Flag(flag="literal", note=f"{', '.join(found[:_SHOWN])}{more}")


def _constants(name: str, content: bytes, exempt: set[Decimal]) -> Iterator[str]:
    """Each telling constant of one text file as `value (file:line)`; what the task gave or a run wrote is left out."""
    if name.split("/", maxsplit=1)[0] in _NOT_ITS_OWN or len(content) > _LONGEST or b"\0" in content:
        return
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        for match in _NUMBER.finditer(line):
            value = Decimal(match.group().replace("_", ""))
            if digits_of(value) >= _TELLING_DIGITS and value not in exempt:
                yield f"{match.group()} ({name}:{number})"


def _work(draw: Draw) -> Flag | None:
    seconds = {
        name: [run.seconds for run in draw.runs if run.purpose in purposes and run.outcome == "ok"]
        for name, purposes in (("main", ("main", "segment")), ("budget", ("budget",)))
    }
    if not seconds["main"] or not seconds["budget"]:
        return None
    full, least = median(seconds["main"]), median(seconds["budget"])
    if full >= _CHEAP * least:
        return None
    return Flag(flag="work", note=f"{full:.2f} s at full budget, {least:.2f} s at the budget probe's")
