"""`build --host-model` with directories that hold no sound model: one line, exit code 15, nothing written."""

from pathlib import Path

import pytest
from sample_paper import ROOT, call, one_line

QUEUES = ROOT / "examples" / "papers" / "jobs-and-queues"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs")
    done = call("reproducegym", "parse", "--pdf", QUEUES / "paper.pdf", "--out", out, "--paper-id", "queues")
    assert done.returncode == 0, done.stderr
    return out / "queues"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (None, "is not a directory; --host-model wants one with card.toml and reproduce.sh"),
        ({"reproduce.sh": ""}, "has no card.toml; docs/host-models.md says what a host model holds"),
        ({"reproduce.sh": "exit 3\n", "card.toml": None}, "ended with exit code 3"),
    ],
)
def test_a_bad_model_gives_one_line_and_writes_nothing(paper: Path, tmp_path: Path, files: dict | None, said: str):
    model = tmp_path / "model"
    if files is not None:
        model.mkdir()
        card = (QUEUES / "host_model" / "card.toml").read_text("utf-8")
        for name, text in files.items():
            (model / name).write_text(card if text is None else text, "utf-8")
    before = sorted(paper.rglob("*"))
    done = call("reproducegym", "build", "--paper", paper, "--host-model", model, "--sandbox", "namespaces")
    assert done.returncode == 15
    assert said in one_line(done)
    assert [path for path in sorted(paper.rglob("*")) if path not in before and path.suffix != ".lock"] == []
