"""Defects that no run shows are not mended by hiding what the rule looks at, nor by taking away what it is about."""

import re
from functools import cache

import pytest

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.effects import allows
from reproducegym.families.auditor.executing.grading import FixGrade, grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.planting.edit import edits_between, lines_of
from reproducegym.planting.plant import Damaged, all_operators, joined, sites_of
from reproducegym.planting.project import base_projects
from reproducegym.sandbox.namespaces import NamespacesSandbox

LINES = (
    "command-of-old-flag",
    "command-of-old-script",
    "docker-base-floats",
    "docker-pip-floats",
    "requirement-floats",
    "requirement-follows-branch",
    "requirement-misnamed",
    "requirement-of-one-series",
)


@cache
def planted(operator: str, library: str = "numpy") -> Damaged:
    """The first project of a library in which an operator has its effect, with that one defect."""
    one = next(one for one in all_operators() if one.id == operator)
    for project in base_projects(library=library):
        site = next((site for site in sites_of(project, one) if allows(project, site)), None)
        if site is not None:
            return joined(project, [(one, site)])
    raise LookupError(operator)


def graded(damaged: Damaged, file: str, text: str) -> FixGrade:
    court = Court(NamespacesSandbox(), "", LocalExecutor(2))
    edits = tuple(edits_between(file, damaged.files.get(file, ""), text))
    (found,) = grade(court, References(), damaged, [Fix(planted=0, edits=edits)]).fixes
    return found


def with_line(damaged: Damaged, line: str) -> tuple[str, str]:
    """The damaged file with this line in the place of the damaged ones; `{}` in it stands for them."""
    one = damaged.planted[0]
    lines = lines_of(damaged.files[one.file])
    told = "".join(lines[one.first_line - 1 : one.last_line]).rstrip("\n")
    lines[one.first_line - 1 : one.last_line] = [line.replace("{}", told)]
    return one.file, "".join(lines)


@pytest.mark.parametrize("operator", [*LINES, "flag-unread", "flag-overridden", "weights-uninitialized"])
def test_a_comment_that_silences_the_rule_mends_nothing(operator: str):
    damaged = planted(operator)
    found = graded(damaged, *with_line(damaged, f"{{}}  # ml-audit: ignore[{damaged.planted[0].rule}] meant so\n"))
    assert (found.earned, found.reason) == (False, "effect_remains")


@pytest.mark.parametrize("line", ["", "# {}\n"], ids=["deleted", "as a comment"])
@pytest.mark.parametrize("operator", LINES)
def test_what_is_about_something_is_not_mended_by_its_absence(operator: str, line: str):
    damaged = planted(operator)
    found = graded(damaged, *with_line(damaged, line))
    assert (found.earned, found.reason) == (False, "effect_remains"), found


def test_a_command_may_name_its_program_by_another_path():
    damaged = planted("command-of-old-script")
    lines = lines_of(damaged.project.files["README.md"])
    right = lines[damaged.planted[0].first_line - 1]
    found = graded(damaged, *with_line(damaged, right.replace("python ", "python ./")))
    assert (found.earned, found.reason) == (True, "earned"), (right, found)


def test_a_requirement_of_another_version_that_there_is_is_a_fix_and_one_that_there_is_not_is_none():
    damaged = planted("requirement-of-one-series")
    name, file = re.split(r"[=~<>]", lines_of(damaged.files["requirements.txt"])[-1])[0], damaged.planted[0].file
    assert (name, file) == ("numpy", "requirements.txt")
    told = {line: graded(damaged, *with_line(damaged, f"{line}\n")) for line in ("numpy==1.26.4", "numpy==0.0.1")}
    assert [one.reason for one in told.values()] == ["earned", "effect_remains"]
    assert told["numpy==0.0.1"].detail == "requirements.txt requires a numpy that there is not: ==0.0.1"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('setattr({owner}, "{name}", {value})', "setattr"),
        ("for {owner}.{name} in ({value},): pass", "statements"),
        ("other = {owner}; other.{name} = {value}", "statements"),
        ("{owner}.{name} = {value} if True else {owner}.{name}", "statements"),
    ],
    ids=["by name", "loop", "other name", "condition"],
)
def test_a_setting_that_is_overridden_by_other_words_is_overridden(code: str, told: str):
    damaged = planted("flag-overridden")
    one = damaged.planted[0]
    line = lines_of(damaged.files[one.file])[one.first_line - 1]
    space, owner, name, value = re.match(r"(\s*)(\w+)\.(\w+) = (.+)", line).groups()
    found = graded(damaged, *with_line(damaged, space + code.format(owner=owner, name=name, value=value) + "\n"))
    assert (found.earned, found.reason) == (False, "effect_remains")
    assert told in found.detail


def test_a_python_that_there_never_was_is_not_said():
    damaged = planted("python-unsaid")
    assert graded(damaged, ".python-version", "0.1\n").reason == "effect_remains"
