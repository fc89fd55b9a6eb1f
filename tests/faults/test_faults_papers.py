"""Papers that cannot be read: one line, exit code 3, nothing left behind."""

from pathlib import Path

import pymupdf
import pytest
from sample_paper import SAMPLE, call, one_line


def _encrypted(path: Path) -> None:
    with pymupdf.open(SAMPLE / "paper.pdf") as pdf:
        pdf.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw="secret")


def _scanned(path: Path) -> None:
    with pymupdf.open(SAMPLE / "paper.pdf") as pdf, pymupdf.open() as scan:
        for source in pdf:
            page = scan.new_page(width=source.rect.width, height=source.rect.height)
            page.insert_image(page.rect, pixmap=source.get_pixmap(dpi=50))
        scan.save(path)


def _truncated(path: Path) -> None:
    whole = (SAMPLE / "paper.pdf").read_bytes()
    path.write_bytes(whole[: len(whole) // 10])


SPOILED = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": _truncated,
    "encrypted": _encrypted,
    "scanned": _scanned,
    "no PDF": lambda path: path.write_bytes(b"GIF89a" + b"x" * 1000),
    "text": lambda path: path.write_text("Dear reviewer, the paper follows."),
    "only a header": lambda path: path.write_bytes(b"%PDF-1.7\n"),
    "missing": lambda path: None,
    "a directory": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("kind", SPOILED)
def test_an_unreadable_paper_is_one_line_and_leaves_nothing(kind: str, tmp_path: Path):
    pdf = tmp_path / "paper-x.pdf"
    SPOILED[kind](pdf)
    done = call("parse_paper.py", "--pdf", pdf, "--out", tmp_path / "runs")
    assert done.returncode == 3, done.stderr
    assert "paper-x" in one_line(done)
    assert not list((tmp_path / "runs").glob("[!.]*"))


@pytest.mark.parametrize("spoil", ["truncated", "empty"])
def test_another_paper_under_the_same_id_is_refused_and_the_good_parse_stays(paper: Path, spoil: str):
    before = (paper / "00-parse" / "document.json").read_bytes()
    broken = paper.parent / "broken.pdf"
    SPOILED[spoil](broken)
    done = call("parse_paper.py", "--pdf", broken, "--paper-id", paper.name, "--out", paper.parent)
    assert done.returncode in {2, 3}
    one_line(done)
    assert (paper / "00-parse" / "document.json").read_bytes() == before


def test_an_unreachable_url_is_one_line(tmp_path: Path):
    done = call("parse_paper.py", "--url", "http://127.0.0.1:9/paper.pdf", "--out", tmp_path / "runs")
    assert done.returncode == 10
    assert "127.0.0.1" in one_line(done)
    assert not (tmp_path / "runs").exists()
