"""Runs the steps of a composite action as GitHub's runner does: expressions, shells, files that steps write to."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

__all__ = ["Ran", "run_action"]

_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_CONDITION = re.compile(r"(\S+) (==|!=) '([^']*)'")


@dataclass
class Ran:
    """What an action left: whether it failed, what it printed, its outputs, and the summary of the job."""

    code: int = 0
    log: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    steps: list[str] = field(default_factory=list)


def run_action(action: Path, inputs: dict[str, str], workspace: Path, temp: Path, environ: dict[str, str]) -> Ran:
    """Run all steps, until one fails. `temp` is kept between actions of one job."""
    told = yaml.safe_load((action / "action.yml").read_text())
    unknown = set(inputs) - set(told["inputs"])
    assert not unknown, f"the action has no inputs {unknown}"
    known = {"github.token": "a-token-of-the-job"}
    for name, about in told["inputs"].items():
        known[f"inputs.{name}"] = inputs.get(name, expanded(str(about.get("default", "")), known))
    ran = Ran()
    for number, step in enumerate(told["runs"]["steps"]):
        if not _holds(step.get("if", ""), known):
            continue
        files = {name: temp / f"{name}-{number}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")}
        for file in files.values():
            file.write_text("")
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "text in a script would be run"
        script = temp / "step.sh"
        script.write_text(step["run"])
        given = {name: expanded(value, known) for name, value in step.get("env", {}).items()}
        places = {"GITHUB_ACTION_PATH": action, "GITHUB_WORKSPACE": workspace, "RUNNER_TEMP": temp, **files}
        answer = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=workspace,
            env={**environ, "PATH": os.environ["PATH"], **given, **{k: str(v) for k, v in places.items()}},
            capture_output=True,
            text=True,
            check=False,
        )
        ran.log += answer.stdout + answer.stderr
        ran.steps.append(step["name"])
        ran.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            known[f"steps.{step.get('id')}.outputs.{name}"] = value
        if answer.returncode:
            ran.code = answer.returncode
            break
    ran.outputs = {name: expanded(about["value"], known) for name, about in told["outputs"].items()}
    return ran


def expanded(text: str, known: dict[str, str]) -> str:
    """The text with its expressions replaced; an output that no step wrote is empty, as GitHub has it."""

    def value(found: re.Match[str]) -> str:
        assert found[1] in known or found[1].startswith("steps."), f"unknown expression {found[1]}"
        return known.get(found[1], "")

    return _EXPRESSION.sub(value, text)


def _holds(condition: str, known: dict[str, str]) -> bool:
    if not condition:
        return True
    found = _CONDITION.fullmatch(condition)
    assert found, f"this runner does not know {condition}"
    return (known.get(found[1], "") == found[3]) is (found[2] == "==")
