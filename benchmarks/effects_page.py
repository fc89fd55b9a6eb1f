"""Writes docs/auditor-operators.md: every operator, and the effect that it was measured to have."""

from collections.abc import Mapping, Sequence

from reproducegym.families.auditor.executing.effects import Table
from reproducegym.planting.operator import Operator

__all__ = ["page"]

_HEAD = """\
# Operators of the auditor environment

Each operator plants one kind of defect into a clean project, at one site at a time. Before an episode may use an
instance, it was run: `dynamic` means that two runs under changed circumstances gave different weights or metrics,
`state` that a process ended with another flag, variable or generator than the clean project's, `structural` that the
rule finds it in the files. Instances that did not show the effect which their operator declares, or that broke the
project, are never planted.

Written by `python -m benchmarks.effects` from `reproducegym/families/auditor/executing/effects.json`; {count} instances
measured, {used} of them with their effect, on {versions}.

| operator | category | rule it breaks | effect | with effect / measured | in projects | what it does |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page(table: Table, operators: Sequence[Operator], where: Mapping[str, Mapping[str, int]]) -> str:
    """The page; `where` counts, for each operator, projects by library in which an instance may be used."""
    all_of = list(table.instances.values())
    rows = []
    for operator in operators:
        told = [one for one in all_of if one.operator == operator.id]
        used = [one for one in told if one.used]
        keys = sorted({key for one in used for key in one.keys})
        effect = operator.effect + (f": {', '.join(f'`{key}`' for key in keys[:4])}" if keys else "")
        projects = ", ".join(f"{count} {library}" for library, count in sorted(where.get(operator.id, {}).items()))
        rows.append(
            f"| `{operator.id}` | {operator.category} | `{operator.rule}` | {effect} | {len(used)} / {len(told)} "
            f"| {projects or 'none'} | {operator.summary} |"
        )
    head = _HEAD.format(
        count=len(all_of),
        used=sum(one.used for one in all_of),
        versions=", ".join(f"{name} {version}" for name, version in table.versions.items()) or "nothing yet",
    )
    return head + "\n".join(rows) + "\n"
