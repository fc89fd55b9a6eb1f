"""The GitHub Action, its steps run as the runner runs them; and the hook of pre-commit, run as pre-commit does."""

import json
import re
import shlex
import subprocess
import sysconfig
from importlib.metadata import requires
from pathlib import Path

import jsonschema
import pytest
import yaml
from action_runner import Ran, run_action
from packaging.requirements import Requirement
from speaking_github import FILES, archive, speaking

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github" / "actions" / "ml-audit"
SCHEMA = Path(__file__).parent / "sarif" / "sarif-schema-2.1.0.json"
EVIL = "$(touch pwned)`touch pwned`';touch pwned;'\n::set-output name=x::y"


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a small repository of ours, and files in it that would stand in for modules of ours."""
    workspace = tmp_path_factory.mktemp("job") / "work"
    workspace.mkdir()
    (workspace.parent / "temp").mkdir()
    for name, content in FILES.items():
        (workspace / name).write_bytes(content)
    (workspace / "part one").mkdir()
    (workspace / "part one" / "train.py").write_bytes(FILES["train.py"])
    for trap in ("json.py", "ml_audit.py", "rich.py"):
        (workspace / trap).write_text("raise SystemExit('a file of the repository was run')\n")
    return workspace


def act(job: Path, **inputs: str) -> Ran:
    """Run the action with what is installed here in reach of its pip, which then downloads nothing."""
    environ = {"PYTHONPATH": sysconfig.get_path("purelib"), "PIP_NO_INDEX": "1", "HOME": str(job.parent)}
    named = {name.replace("_", "-"): value for name, value in inputs.items()}
    return run_action(ACTION, named, job, job.parent / "temp", environ)


def test_a_repository_above_the_threshold_passes_and_leaves_its_reports(job: Path):
    ran = act(job, fail_under="0.5")
    assert (ran.code, ran.steps) == (0, ["Install", "Audit"]), ran.log
    report = json.loads(Path(ran.outputs["json"]).read_text())
    assert ran.outputs["score"] == str(report["score"])
    assert ran.outputs["risk"] == report["risk"] == "HIGH"
    assert ran.outputs["findings"] == str(len(report["findings"]))
    assert ran.summary.startswith("## Reproducibility of `work`: ")
    assert "python-seed-missing" in ran.summary
    comment = Path(ran.outputs["comment"]).read_text()
    assert comment.startswith("<!-- ml-audit -->\n## Reproducibility of `work`: ")
    log = json.loads(Path(ran.outputs["sarif"]).read_text())
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text())).validate(log)
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"]} >= {
        "train.py"
    }
    assert Path(ran.outputs["html"]).read_text().startswith("<!doctype html>")


def test_below_the_threshold_it_fails_after_everything_is_written(job: Path):
    ran = act(job, path="./part one/", fail_under="9.5")
    assert (ran.code, ran.steps[-1]) == (1, "Fail below the threshold")
    assert re.search(r"^::error title=ml-audit::part one: \d\.\d\d is below 9\.5$", ran.log, re.MULTILINE)
    assert ran.summary
    (run,) = json.loads(Path(ran.outputs["sarif"]).read_text())["runs"]
    places = {found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for found in run["results"]}
    assert places == {"part%20one", "part%20one/train.py"}, "relative to the workspace"
    assert Path(ran.outputs["comment"]).is_file()


def test_a_repository_on_a_server_is_audited_with_the_token(job: Path):
    with speaking() as github:
        github.holds(archive(FILES))
        ran = act(job, repo_url="ann/work", api_url=f"{github.base}/api/v3", token="the-key-never-shown")
        assert github.seen[0][1]["authorization"] == "Bearer the-key-never-shown"
    assert ran.code == 0, ran.log
    assert "`ann/work`" in ran.summary
    left = [p for p in (job.parent / "temp").rglob("*") if p.is_file() and "venv" not in p.parts]
    assert not any(b"the-key-never-shown" in p.read_bytes() for p in left)
    assert "the-key-never-shown" not in ran.log


@pytest.mark.parametrize(
    ("inputs", "code", "told"),
    [
        ({"path": EVIL}, 3, "no such directory"),
        ({"repo_url": EVIL}, 2, "write OWNER/NAME"),
        ({"repo_url": f"a/{EVIL}"}, 3, "no such directory"),
        ({"fail_under": EVIL}, 2, "is not a score"),
        ({"repo_url": "ann/work", "path": "."}, 2, "not both"),
    ],
)
def test_inputs_are_never_run_and_wrong_ones_are_one_line(job: Path, inputs: dict[str, str], code: int, told: str):
    ran = act(job, **inputs)
    assert ran.code == code, ran.log
    commands = [line for line in ran.log.splitlines() if line.startswith("::")]
    assert len(commands) == 1, ran.log
    assert commands[0].startswith("::error title=ml-audit::")
    assert told in commands[0]
    assert not list(job.parent.rglob("pwned"))
    assert ran.summary == ""


def test_an_old_python_is_told(job: Path):
    ran = run_action(ACTION, {"python": "no-such-python"}, job, job.parent, {})
    assert (ran.code, ran.steps) == (2, ["Install"])
    assert "Python 3.11 or newer is needed" in ran.log


def test_the_action_installs_all_that_ml_audit_needs_and_no_more():
    listed = subprocess.run(
        ["python3", str(ACTION / "locked.py"), str(ROOT / "requirements" / "base.lock")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    needed, waiting = set[str](), ["pydantic", "rich", "jinja2", "pyyaml", "httpx", "python-dotenv"]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in needed:
            needed.add(name)
            asked = [Requirement(text) for text in requires(name) or []]
            waiting += [r.name for r in asked if r.marker is None or r.marker.evaluate({"extra": ""})]
    assert set(re.findall(r"^([\w-]+)==", listed, re.MULTILINE)) == needed


def test_the_hook_audits_the_repository_as_pre_commit_runs_it(job: Path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("ml-audit", "python", False)
    watched = re.compile(hook["files"])
    assert all(watched.search(name) for name in ("src/train.py", "a.ipynb", "Dockerfile", "requirements.txt"))
    assert not watched.search("figures/a.png")
    command = [*shlex.split(hook["entry"]), *hook["args"]]
    bin_of_hook = sysconfig.get_path("scripts")
    answer = subprocess.run(
        [f"{bin_of_hook}/{command[0]}", *command[1:]], cwd=job, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 1
    assert re.search(r"work: \d\.\d\d is below 4\.5", answer.stderr)


def test_the_documented_workflow_uses_what_the_action_has():
    text = (ROOT / "docs" / "ml-audit.md").read_text()
    workflow, hooks = (yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S))
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    steps = workflow["jobs"]["audit"]["steps"]
    (ours,) = [step for step in steps if "/ml-audit@" in step.get("uses", "")]
    assert set(ours["with"]) <= set(action["inputs"])
    assert set(re.findall(r"steps\.audit\.outputs\.(\w+)", json.dumps(steps))) <= set(action["outputs"])
    assert all("${{" not in step.get("run", "") for step in steps)
    assert hooks["repos"][0]["hooks"][0]["id"] == "ml-audit"
