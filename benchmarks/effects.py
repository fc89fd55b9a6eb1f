"""`python -m benchmarks.effects`: runs every operator on projects where it has a site, and writes down what it does.

The table (reproducegym/families/auditor/executing/effects.json) says which instances episodes may use, and
docs/auditor-operators.md shows it by operator. What was measured on the same files is kept; `--again` measures anew,
`--library numpy` that library's projects alone, `--effect structural` operators of that effect alone (after a change of
rules: nothing has to be run), `--minutes 20` stops then and keeps what there is. Projects whose library is in another
environment need `--packages DIR`, its site-packages.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.effects_page import page
from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.effects import Measured, Table, committed, key_of, measure
from reproducegym.families.auditor.executing.references import EngineFailedError, References
from reproducegym.planting.operator import Operator, Site
from reproducegym.planting.plant import all_operators, sites_of
from reproducegym.planting.project import BaseProject, Library, base_projects
from reproducegym.sandbox.namespaces import NamespacesSandbox

_ROOT = Path(__file__).resolve().parent.parent
_TABLE = _ROOT / "reproducegym" / "families" / "auditor" / "executing" / "effects.json"
_READ = 3
"""Sites of an operator in a project that are looked at where nothing has to be run, at least."""
_PAGE = _ROOT / "docs" / "auditor-operators.md"


def main() -> int:
    """Measure, and write both files."""
    asked = _asked()
    packages = tuple(Path(p) for p in asked.packages) or None
    court = Court(NamespacesSandbox(), "", LocalExecutor(2), packages=packages)
    versions, instances = dict(committed().versions), {}
    end = time.monotonic() + 60 * asked.minutes
    missing: set[str] = set()
    for project, operator, site, place in list(_instances()):
        key = key_of(project, site.id, site.edits)
        known = committed().instances.get(key)
        seen = {one.operator for one in {**committed().instances, **instances}.values() if one.used}
        wanted = not (asked.first and operator.id in seen)
        wanted = (
            wanted
            and place < max(asked.sites, _READ * (operator.effect == "structural"))
            and asked.library in (None, project.library)
            and asked.effect in (None, operator.effect)
            and project.name not in missing
            and time.monotonic() < end
        )
        if not wanted or (known is not None and not asked.again):
            instances.update({} if known is None else {key: known})
            continue
        try:
            instances[key] = measure(court, _references(project), project, operator, site)
            if operator.effect != "structural":
                python = _references(project).clean(court, project).first.ran.python
                versions |= {"python": python, **court.libraries(project).versions}
        except (MisuseError, EngineFailedError) as error:
            missing.add(project.name)
            sys.stderr.write(f"{project.name} is left out: {error}\n")
            continue
        _say(project, instances[key])
        _TABLE.write_text(_written(_table(versions, {**committed().instances, **instances})), "utf-8")
    table = _table(versions, instances)
    _TABLE.write_text(_written(table), "utf-8")
    _PAGE.write_text(page(table, all_operators(), _where(table), len(base_projects())), "utf-8")
    return 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effects", description=__doc__)
    parser.add_argument("--library", choices=["numpy", "sklearn", "torch", "stub"])
    parser.add_argument("--effect", choices=["dynamic", "state", "structural"])
    parser.add_argument("--packages", action="append", default=[])
    parser.add_argument("--sites", type=int, default=3, help="of one operator in one project, the first ones")
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--first", action="store_true", help="only operators of which no effect was seen yet")
    return parser.parse_args()


def _instances() -> Iterator[tuple[BaseProject, Operator, Site, int]]:
    """All there are, what takes longest last, each with its place among the sites of its operator in its project."""
    for project in sorted(base_projects(), key=lambda one: (one.library == "torch", one.split == "train")):
        for operator in all_operators():
            for place, site in enumerate(sites_of(project, operator)):
                yield project, operator, site, place


_LAST: dict[str, References] = {}


def _references(project: BaseProject) -> References:
    """Those of one project at a time: outputs of all would fill memory."""
    if project.name not in _LAST:
        _LAST.clear()
        _LAST[project.name] = References()
    return _LAST[project.name]


def _where(table: Table) -> Counter[tuple[str, Library, bool]]:
    """In how many projects of a library an operator was measured, with its effect in some site or in none."""
    found: Counter[tuple[str, Library, bool]] = Counter()
    for project in base_projects():
        for operator in all_operators():
            keys = [key_of(project, site.id, site.edits) for site in sites_of(project, operator)]
            measured = [table.instances[key].used for key in keys if key in table.instances]
            if measured:
                found[operator.id, project.library, any(measured)] += 1
    return found


def _say(project: BaseProject, one: Measured) -> None:
    sys.stdout.write(f"{project.name} {one.operator}: {one.seen} {', '.join(one.keys)}\n")
    sys.stdout.flush()


def _table(versions: dict[str, str], instances: dict[str, Measured]) -> Table:
    return Table(versions=dict(sorted(versions.items())), instances=dict(sorted(instances.items())))


def _written(table: Table) -> str:
    """One line for each instance, so that changes of the table are easy to read."""
    rows = [f"  {json.dumps(key)}: {one.model_dump_json()}" for key, one in table.instances.items()]
    versions = json.dumps(dict(table.versions), indent=1)
    return f'{{"versions": {versions},\n "instances": {{\n' + ",\n".join(rows) + "\n}}\n"


if __name__ == "__main__":
    raise SystemExit(main())
