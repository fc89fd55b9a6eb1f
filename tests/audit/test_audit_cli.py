"""The program: what it prints, what it refuses, how it ends; and the directory that it reads."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
import pytest

from ml_audit import LocalDirectory, Report, SourceError, audit
from ml_audit.cli import main

TRAIN = "import random\nrandom.random()\nx = [1]  # ml-audit: ignore[labels-from-set] for later\n"
NAMES = 37


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "hidden.py").write_text("import torch\n")
    (root / "train.py").write_text(TRAIN)
    return root


def test_json_fits_its_schema_and_has_all_names(checkout: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(checkout), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert main(["schema"]) == 0
    jsonschema.validate(report, json.loads(capsys.readouterr().out))
    assert len(report["signals"]) == NAMES
    assert {"repository", "score", "risk", "analysis", "quality", "patterns", "insights", "findings"} <= set(report)
    assert len(report["score_breakdown"]) == 8
    assert report["analysis"]["has_readme"] is False
    assert report["coverage"]["files_seen"] == 1


def test_the_published_schema_is_that_of_the_report():
    published = Path(__file__).resolve().parents[2] / "ml_audit" / "report.schema.json"
    assert json.loads(published.read_text()) == Report.model_json_schema()


def test_several_repositories_give_a_list(checkout: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(checkout), str(checkout), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_scores_below_the_bar_end_with_one(checkout: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(checkout), "--fail-under", "9.9"]) == 1
    out = capsys.readouterr()
    assert "work: " in out.err
    assert "\x1b" not in out.out
    assert main([str(checkout), "--fail-under", "0"]) == 0


WRONG = [
    ["--fail-under", "11", "."],
    [],
    ["explain"],
    ["explain", "no-such-rule"],
    ["rules", "--json"],
    ["schema", "audit.json"],
]


def test_a_rule_that_is_misspelled_is_guessed(capsys: pytest.CaptureFixture[str]):
    assert main(["explain", "torch-sed-mising"]) == 2
    assert "did you mean torch-seed-missing" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_calls_end_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    try:
        code = main(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    assert code == 2
    assert capsys.readouterr().err


def test_a_missing_directory_is_one_line_and_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(tmp_path / "none")]) == 3
    assert capsys.readouterr().err.startswith("error: ")
    (tmp_path / "empty").mkdir()
    assert main([str(tmp_path / "empty")]) == 3


def test_what_is_no_checkout_is_one_line_that_says_what_it_is(checkout: Path, capsys: pytest.CaptureFixture[str]):
    bare = checkout.parent / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    wrong = {
        str(checkout / "train.py"): "a file, not",
        str(bare): "git's own directory",
        str(checkout.parent / "no\nne"): "no such",
    }
    for named, told in wrong.items():
        assert main([named, "--json"]) == 3
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert told in printed.err
    assert main([""]) == 2
    assert "is empty" in capsys.readouterr().err


def test_what_cannot_be_read_is_noted(capsys: pytest.CaptureFixture[str]):
    with tempfile.TemporaryDirectory() as made:  # one that another user reaches
        root = Path(made)
        root.chmod(0o755)
        for name in ("train.py", "closed.py", "room/in.py"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(TRAIN)
        (root / "closed.py").chmod(0)
        (root / "room").chmod(0)
        user = os.geteuid()
        try:
            if user == 0:
                os.seteuid(65534)  # root reads everything
            assert main([made, "--json"]) == 0
        finally:
            os.seteuid(user)
            (root / "room").chmod(0o700)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["coverage"]["notes"] == [
        "1 directories cannot be listed: room",
        "1 files cannot be read: closed.py",
    ]
    assert printed.err.count("cannot be") == 2


def test_a_directory_of_pictures_is_noted(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(os.urandom(1000))
    assert audit(LocalDirectory(tmp_path).read()).coverage.notes == ("none of its 1 files is of a kind that is read",)


def test_rules_are_listed_and_explained(capsys: pytest.CaptureFixture[str]):
    assert main(["rules"]) == 0
    assert "jax-key-reused" in capsys.readouterr().out
    assert main(["explain", "labels-from-set"]) == 0
    out = capsys.readouterr().out
    assert "enumerate(set(labels))" in out
    assert "sorted(set(labels))" in out


def test_a_comment_silences_its_line_and_unused_ones_are_reported(checkout: Path):
    (checkout / "train.py").write_text(
        "import random\n\nrandom.random()  # ml-audit: ignore[python-seed-missing] a demonstration\n"
    )
    report = audit(LocalDirectory(checkout).read())
    assert [f.rule for f in report.suppressed] == ["python-seed-missing"]
    (checkout / "train.py").write_text(TRAIN)
    report = audit(LocalDirectory(checkout).read())
    assert [(f.file, f.line) for f in report.findings if f.rule == "unused-suppression"] == [("train.py", 3)]


def test_links_are_not_followed_and_long_files_not_read(checkout: Path, tmp_path: Path):
    (tmp_path / "secret.py").write_text("import torch\n")
    (checkout / "link.py").symlink_to(tmp_path / "secret.py")
    (checkout / "room").symlink_to(tmp_path)
    (checkout / "long.py").write_text("x = 1\n" * 1_400_000)
    os.mkfifo(checkout / "pipe.py")
    read = LocalDirectory(checkout).read()
    assert set(read.files) == {"train.py"}
    assert read.coverage is not None
    assert read.coverage.seen == 4


def test_a_sample_depends_on_names_alone(checkout: Path):
    for n in range(40):
        (checkout / f"m{n}.py").write_text("x = 1\n")
    one = LocalDirectory(checkout, most_files=10).read()
    assert len(one.files) == 10
    assert one.coverage is not None
    assert one.coverage.sampled
    assert list(LocalDirectory(checkout, most_files=10).read().files) == list(one.files)


def test_no_directory_is_an_error(tmp_path: Path):
    with pytest.raises(SourceError, match="no such directory"):
        LocalDirectory(tmp_path / "none").read()


def test_answers_do_not_depend_on_the_hash_seed(checkout: Path):
    printed = set()
    for seed in ("0", "7"):
        command = [sys.executable, "-m", "ml_audit", str(checkout), "--json"]
        printed.add(
            subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        )
    assert len(printed) == 1


def test_safe_changes_are_shown_made_and_only_once(checkout: Path, capsys: pytest.CaptureFixture[str]):
    wrong = "import torch\r\ntorch.backends.cudnn.benchmark = True\r\nids = list(set(labels))"
    (checkout / "train.py").write_bytes(wrong.encode())
    assert main([str(checkout), "--diff"]) == 0
    assert "+ids = list(sorted(set(labels)))" in capsys.readouterr().out
    assert (checkout / "train.py").read_bytes() == wrong.encode()
    assert main([str(checkout), "--fix"]) == 0
    after = (checkout / "train.py").read_bytes().decode()
    assert after == wrong.replace("True", "False").replace("list(set(labels))", "list(sorted(set(labels)))")
    capsys.readouterr()
    assert main([str(checkout), "--fix"]) == 0
    assert capsys.readouterr().out == ""
