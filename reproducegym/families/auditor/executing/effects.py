"""What each operator was measured to do to each project: only instances whose effect was seen are used."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.double import double_run
from reproducegym.families.auditor.executing.references import EngineFailedError, References
from reproducegym.families.auditor.executing.rules import found_by
from reproducegym.families.auditor.executing.state import changed_keys
from reproducegym.planting.edit import Edit
from reproducegym.planting.operator import Effect, Operator, Site
from reproducegym.planting.plant import joined
from reproducegym.planting.project import BaseProject
from reproducegym.schema.base import Frozen, ShortDigest, digest

__all__ = ["Measured", "Table", "allows", "committed", "key_of", "measure"]

_DOUBLES = 3
"""In how many double runs a defect has to show, each of them: what chance alone hides now and then pays for nothing."""
Seen = Literal["dynamic", "state", "structural", "none", "broken"]


class Measured(Frozen):
    """What one instance does; `keys` are what it changes in the state of a process."""

    operator: str
    seen: Seen
    keys: tuple[str, ...] = ()

    @property
    def used(self) -> bool:
        """Whether episodes may have it."""
        return self.seen not in ("none", "broken")


class Table(Frozen):
    """All that was measured, by `key_of`, and the versions that it holds for (Python's, and those of libraries)."""

    versions: Mapping[str, str]
    instances: Mapping[ShortDigest, Measured]


@cache
def committed() -> Table:
    """The table that ships with the program."""
    return Table.from_json((files("reproducegym.families.auditor.executing") / "effects.json").read_bytes())


def allows(project: BaseProject, site: Site) -> bool:
    """Whether this instance showed the effect that its operator declares; a changed project has to be measured anew."""
    one = committed().instances.get(key_of(project, site.id, site.edits))
    return one is not None and one.used


def key_of(project: BaseProject, site: str, edits: Iterable[Edit]) -> ShortDigest:
    """Names a site, by its id and edits, in a project of these files and this command.

    No run reads Markdown: it counts only where the site itself is in it, so that better words cost no new measurement.
    """
    edited = {edit.file for edit in edits}
    told = [project.name, *project.entry, site]
    told += [
        f"{name} {digest(text.encode())}"
        for name, text in sorted(project.files.items())
        if name in edited or not name.endswith(".md")
    ]
    return digest("\0".join(told).encode())[:16]


def measure(court: Court, references: References, project: BaseProject, operator: Operator, site: Site) -> Measured:
    """Plant one defect alone, run it where runs can show it, and say which effect it has.

    Raises:
        EngineFailedError: the engine failed, or the clean project cannot be run.
    """
    seen, keys = _seen(court, references, project, operator.effect, joined(project, [(operator, site)]).files, operator)
    return Measured(operator=operator.id, seen=seen, keys=keys)


def _seen(
    court: Court,
    references: References,
    project: BaseProject,
    declared: Effect,
    damaged: Mapping[str, str],
    operator: Operator,
) -> tuple[Seen, tuple[str, ...]]:
    told = found_by(operator.rule, damaged) > found_by(operator.rule, project.files)
    if declared == "structural":
        return ("structural" if told else "none"), ()
    clean = references.clean(court, project)
    for _ in range(_DOUBLES if declared == "dynamic" else 1):
        double = double_run(court, project, damaged, other_seed=False)
        if double.engine_failed:
            raise EngineFailedError("infra", double.engine_failed)
        if double.failed is not None:
            return "broken", ()
        if declared == "dynamic" and double.equal:
            return "none", ()
    if declared == "dynamic":
        return "dynamic", ()
    keys = changed_keys(clean.state, double.state)
    return ("state" if keys and told else "none"), keys
