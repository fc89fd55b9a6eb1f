"""The repository speaks of the product alone: no machine, no secret, no leftover."""

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def lines_matching(pattern: str) -> list[str]:
    wanted = re.compile(pattern)
    found = []
    for path in tracked():
        if path.suffix in {".pdf", ".png", ".lock"} or path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.relative_to(ROOT)}:{n}" for n, line in enumerate(text.splitlines(), 1) if wanted.search(line)]
    return found


def test_no_path_of_a_developers_machine():
    assert lines_matching(r"/work/(main|shared)|/root/\.pyenv|/home/[a-z]+/|/Users/") == []


def test_no_registry_host_is_written_down():
    assert lines_matching(r"(pypi\.org|pythonhosted|registry\.npmjs|deb\.debian\.org|archive\.ubuntu)") == []


def test_no_secret():
    assert lines_matching(r"sk-[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|ghp_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}") == []


def test_nothing_is_left_for_later():
    assert lines_matching(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!%)") == []


def test_generated_and_private_files_stay_out():
    names = {p.relative_to(ROOT).parts[0] for p in tracked()}
    assert not names & {"runs", ".env", ".venv"}


def test_the_lock_files_fit_what_the_project_declares():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = declared["optional-dependencies"]
    base = [*declared["dependencies"], *extras["docker"], *extras["build"]]
    dev = [*base, *extras["llm"], *extras["agents"], *extras["ray"], *extras["samples"], *extras["dev"]]
    for name, wanted in (("base", base), ("dev", dev)):
        pinned = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements" / f"{name}.lock").read_text(), re.MULTILINE)
        locked = {canonicalize_name(key): version for key, version in pinned}
        for text in wanted:
            requirement = Requirement(text)
            version = locked.get(canonicalize_name(requirement.name))
            assert version, f"{requirement.name} is not in requirements/{name}.lock: run make lock"
            assert requirement.specifier.contains(version), f"{name}.lock has {requirement.name} {version}"
