"""Writes docs/auditor-operators.md: every operator, and the effect that it was measured to have on which versions."""

from collections.abc import Mapping, Sequence

from reproducegym.families.auditor.executing.effects import Table
from reproducegym.planting.operator import Operator
from reproducegym.planting.project import Library

__all__ = ["page"]

_HEAD = """\
# Operators of the auditor environment

Each operator plants one kind of defect into a clean project, at one site at a time. Before an episode may use an
instance, it was run: `dynamic` means that two runs under changed circumstances gave different weights or metrics, three
times over, `state` that a process ended with another flag, variable or generator than the clean project's, `structural`
that the rule finds it in the files, whichever versions are installed. Instances that did not show the effect that their
operator declares, or that broke the project, are never planted.

Written by `python -m benchmarks.effects` from `reproducegym/families/auditor/executing/effects.json`: {count} instances
measured, {used} of them with their effect, in {projects} projects. Versions: {versions}.

| operator | category | rule it breaks | effect | measured | projects with it, and without | what it does |
| --- | --- | --- | --- | --- | --- | --- |
"""
_NAMED: Mapping[Library, str] = {"numpy": "numpy", "stub": "numpy", "sklearn": "scikit-learn", "torch": "torch"}
"""The distribution whose version matters in projects of a library."""
_UNMEASURED = {
    "worker-init-removed": "not run: it needs PyTorch before 1.9, which has no build for this Python; from 1.9 on the "
    "loader seeds NumPy in its workers itself, and there is no site",
}


def page(
    table: Table, operators: Sequence[Operator], where: Mapping[tuple[str, Library, bool], int], projects: int
) -> str:
    """The page; `where` counts projects by operator, library, and whether an instance there has its effect."""
    all_of = list(table.instances.values())
    rows = []
    for operator in operators:
        told = [one for one in all_of if one.operator == operator.id]
        used = [one for one in told if one.used]
        keys = sorted({key for one in used for key in one.keys})
        effect = operator.effect + (f": {', '.join(f'`{key}`' for key in keys[:4])}" if keys else "")
        measured = f"{len(used)} of {len(told)}" if told else _UNMEASURED.get(operator.id, "no project has a site")
        rows.append(
            f"| `{operator.id}` | {operator.category} | `{operator.rule}` | {effect} | {measured} "
            f"| {_projects(operator, table, where)} | {operator.summary} |"
        )
    head = _HEAD.format(
        count=len(all_of),
        used=sum(one.used for one in all_of),
        projects=projects,
        versions=", ".join(f"{name} {version}" for name, version in table.versions.items()) or "nothing yet",
    )
    return head + "\n".join(rows) + "\n"


def _projects(operator: Operator, table: Table, where: Mapping[tuple[str, Library, bool], int]) -> str:
    """`3 on numpy 2.4.6, 2 on torch 2.13.0; none in 1 on torch 2.13.0`."""
    parts = []
    for has, words in ((True, "{}"), (False, "no effect in {}")):
        counts: dict[str, int] = {}
        for (one, library, with_it), count in where.items():
            if one == operator.id and with_it is has:
                name = _NAMED[library]
                named = f"{name} {table.versions.get(name, '')}".strip()
                label = library if operator.effect == "structural" else f"on {named}"
                counts[label] = counts.get(label, 0) + count
        if counts:
            parts.append(words.format(", ".join(f"{count} {label}" for label, count in sorted(counts.items()))))
    return "; ".join(parts) or "none"
