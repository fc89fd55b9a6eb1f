"""Samples the cells of a wide claim: where a run of all its conditions does not fit, each verification runs some.

The judge draws one of a few samples after the agent ended. Each holds one condition of every stratum, that is of every
stretch of the claim's conditions in the order of their printed values, and is scored on what the paper prints of those.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import pairwise

from reproducegym.pipeline.targets.columns import dataset_of
from reproducegym.pipeline.targets.terms import Terms, condition_of
from reproducegym.schema.claim import Candidate, ConditionIdea, Rejected, TargetPoint
from reproducegym.schema.spec import CellSample, ClaimSpec, Probes

__all__ = ["sampled", "strata"]

_FEWEST_CONDITIONS = 4
_FEWEST_DRAWN = 2
_SAMPLES = 8
"""As many samples as are made at least where the strata hold so many."""

Compile = Callable[[Candidate, Terms, Fraction], ClaimSpec | Rejected]
"""Compiles a claim on the parts in its terms, given what share of a whole run these take."""


def sampled(candidate: Candidate, terms: Terms, compile_on: Compile) -> ClaimSpec | None:
    """The claim with samples of the largest size that fits into re-execution; None where no size does.

    An order holds on any of its conditions, and a mean over some cells is that of what is printed of them; a mean whose
    baseline or chance level is printed of the whole alone has none of a sample. Every sample must be a claim with
    power of its own and have its probes, and every condition stand in one: none can be left out unnoticed.
    """
    of_the_whole = candidate.pattern == "mean" and (terms.baseline or terms.chance)
    if candidate.pattern not in {"order", "mean"} or of_the_whole or terms.guards:
        return None
    cells = _as_cells(candidate, terms)
    count = len(terms.parts)
    if cells is None or count < _FEWEST_CONDITIONS:
        return None
    claim, bound = cells
    whole = compile_on(claim, bound, Fraction(1))
    if not isinstance(whole, ClaimSpec):
        return None
    for drawn in range(count - 1, _FEWEST_DRAWN - 1, -1):
        found: dict[tuple[int, ...], ClaimSpec] = {}
        for places in strata([part.value for part in bound.parts], drawn):
            some = replace(bound, parts=tuple(bound.parts[place] for place in places), printed=None)
            spec = compile_on(claim, some, Fraction(drawn, count))
            if not isinstance(spec, ClaimSpec):
                continue
            if spec.evidence_level != "reexecute":
                break  # it takes as long on any other conditions
            if _is_part_of(spec, whole):
                found[places] = spec
        if len(found) > 1 and {place for places in found for place in places} == set(range(count)):
            return _with_samples(whole, tuple(found.values()))
    return None


def strata(values: Sequence[Decimal], drawn: int) -> tuple[tuple[int, ...], ...]:
    """Samples of `drawn` places, one from each stretch of the values in their order; every place stands in some.

    Which of a stretch go together is decided by a digest of the values, not by their order.
    """
    order = sorted(range(len(values)), key=lambda place: (-values[place], place))
    bounds = [number * len(order) // drawn for number in range(drawn + 1)]
    mixed = [sorted(order[low:high], key=partial(_mixed, values)) for low, high in pairwise(bounds)]
    turns = range(max(_SAMPLES, *(len(stratum) for stratum in mixed)))
    picked = (_one_of_each(mixed, turn) for turn in turns)
    return tuple(dict.fromkeys(tuple(sorted(places)) for places in picked))


def _mixed(values: Sequence[Decimal], place: int) -> bytes:
    """By what the places of one stratum are put in a sequence that no order of theirs tells."""
    return sha256(f"{place} {values[place]}".encode()).digest()


def _one_of_each(mixed: Sequence[Sequence[int]], turn: int) -> Iterator[int]:
    """In its turn each of a stratum comes up; after a round the strata shift against one another."""
    for number, stratum in enumerate(mixed):
        yield stratum[(turn + number * (turn // len(stratum))) % len(stratum)]


def _as_cells(candidate: Candidate, terms: Terms) -> tuple[Candidate, Terms] | None:
    """The claim with a condition for each of its cells, since a run is given conditions and no columns.

    A mean over data sets has one condition and a column for each: here the data set becomes a switch.
    """
    if len({dataset_of(part) for part in terms.parts}) == 1:
        return candidate, terms
    ideas: list[ConditionIdea] = []
    parts: list[TargetPoint] = []
    for part in terms.parts:
        idea = condition_of(part, "part", candidate.conditions)
        if not isinstance(idea, ConditionIdea) or part.dataset is None:
            return None
        name = f"{idea.source_label} on {part.dataset}"
        own = idea.switches or {"condition": idea.source_label}
        changed = {
            "role": "part",
            "source_label": name,
            "switches": {**own, "data_set": part.dataset},
            "description": f"{idea.description}, on {part.dataset}",
        }
        ideas.append(idea.model_copy(update=changed))
        parts.append(part.model_copy(update={"condition": name, "dataset": None}))
    return candidate.model_copy(update={"conditions": tuple(ideas)}), replace(terms, parts=tuple(parts))


def _is_part_of(spec: ClaimSpec, whole: ClaimSpec) -> bool:
    """Whether a sample asks nothing that the whole does not tell the agent of: its conditions, columns and knobs."""
    told = (spec.required_outputs, spec.knobs, spec.assets) == (whole.required_outputs, whole.knobs, whole.assets)
    return told and all(one in whole.conditions for one in spec.conditions)


def _with_samples(whole: ClaimSpec, specs: tuple[ClaimSpec, ...]) -> ClaimSpec:
    """The claim as re-executed on one of its samples; a probe counts where every sample has it."""
    records = [_asked(spec) for spec in specs]
    used = tuple(name for name in records[0].used if all(name in one.used for one in records))
    missing = {name: reason for one in reversed(records) for name, reason in one.missing.items() if name not in used}
    samples = tuple(
        CellSample(**{name: getattr(spec, name) for name in CellSample.model_fields} | {"probes": record})
        for spec, record in zip(specs, records, strict=True)
    )
    changed = {
        "evidence_level": "reexecute",
        "run_budget_s": specs[0].run_budget_s,
        "seeds": max((spec.seeds for spec in specs), key=lambda seeds: seeds.count),
        "probes": Probes(used=used, missing=missing),
        "probe_plans": (),
        "samples": samples,
    }
    return whole.model_copy(update=changed)


def _asked(spec: ClaimSpec) -> Probes:
    """The probes of a sample; another row of the table is not asked for beside cells that are drawn themselves."""
    return spec.probes.model_copy(update={"missing": {**spec.probes.missing, "row": "cells_are_drawn"}})
