"""Running text of PDFs: reading order, paragraphs, sections, sentences, places; and figures."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pymupdf
import typst

from reproducegym.parsing import MarkdownParser, PymupdfParser
from reproducegym.parsing.sources import read_pdf
from reproducegym.schema.paper import Parsed, Source


def _parsed(content: bytes) -> Parsed:
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made")


LEFT = "Alpha sentence one goes first. Alpha sentence two follows it closely with 12.5% gain. "
RIGHT = "Omega sentence one stands right. Omega sentence two ends the page, cf. Fig. 3 for more. "


def _two_columns(*, numbered_lines: bool) -> bytes:
    head = f"""#set page(width: 500pt, height: 420pt, margin: 60pt, columns: 2, header: [Running Head of This Paper],
  footer: context align(center, counter(page).display()))
#set par(justify: true{", leading: 0.6em" if numbered_lines else ""})
{'#set par.line(numbering: "1", numbering-scope: "page")' if numbered_lines else ""}
#set text(size: 10pt, hyphenate: true, lang: "en")
#place(top + center, float: true, scope: "parent", text(18pt)[*A Paper in Two Columns*])
*Abstract* #h(0.5em)

"""
    return typst.compile(
        (
            f"{head}= 1 Introduction\n{LEFT * 6}\n\n== 1.1 Details\n{RIGHT * 12}\n\n"
            "= References\n[1] A. Author. A title. 2020."
        ).encode()
    )


def test_two_columns_are_read_one_after_the_other_without_heads_and_page_numbers() -> None:
    document = _parsed(_two_columns(numbered_lines=False)).document
    assert document.title == "A Paper in Two Columns"
    assert [(s.number, s.title, s.level) for s in document.sections if s.number] == [
        ("1", "Introduction", 1),
        ("1.1", "Details", 2),
    ]
    text = " ".join(p.text for p in document.paragraphs if p.role == "body")
    assert "Running Head" not in text
    assert text.count("Alpha sentence one goes first.") == 6
    assert text.count("Omega sentence two ends the page, cf. Fig. 3 for more.") == 12
    assert text.index("Omega") > text.rindex("Alpha")
    assert [p.role for p in document.paragraphs][-1] == "reference"


def test_line_numbers_of_review_copies_vanish() -> None:
    plain = _parsed(_two_columns(numbered_lines=False)).document
    numbered = _parsed(_two_columns(numbered_lines=True)).document
    body = [re.sub(r"\s+", " ", p.text) for p in numbered.paragraphs if p.role == "body"]
    assert "".join(body).replace(" ", "") == "".join(p.text for p in plain.paragraphs if p.role == "body").replace(
        " ", ""
    )


def test_sentences_hold_the_text_and_their_words() -> None:
    parsed = _parsed(_two_columns(numbered_lines=False))
    for paragraph in parsed.document.paragraphs:
        for sentence in paragraph.sentences:
            assert paragraph.text[sentence.start : sentence.end] == sentence.text
            found = ""
            for place in sentence.places:
                x0, y0, x1, y1 = place.bbox
                words = parsed.words[place.page - 1].words
                inside = [
                    w for w in words if x0 <= (w.bbox[0] + w.bbox[2]) / 2 <= x1 and y0 <= w.bbox[1] and w.bbox[3] <= y1
                ]
                found += " ".join(w.text for w in inside) + " "
            assert sentence.text.split()[-1] in found
    details = [p for p in parsed.document.paragraphs if p.text.startswith("Omega")]
    assert details[0].sentences[1].text == "Omega sentence two ends the page, cf. Fig. 3 for more."


def test_pages_turned_by_their_flag_read_as_they_are_seen() -> None:
    plain = pymupdf.open(stream=_two_columns(numbered_lines=False), filetype="pdf")
    upright = _parsed(plain.tobytes())
    for page in plain:
        page.set_rotation(90)
    sideways = _parsed(plain.tobytes())
    assert [w.split(":")[0] for w in sideways.document.warnings] == ["page 1 is set sideways", "page 2 is set sideways"]
    assert sideways.document.paragraphs[2].text == upright.document.paragraphs[2].text
    assert sideways.paper_md == upright.paper_md


def test_a_figure_is_found_above_its_caption_and_rendered() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 60), "A Paper With a Plot", fontsize=18)
    page.insert_textbox((72, 80, 520, 180), LEFT * 6)
    for x in (120, 320):
        page.draw_rect((x, 220, x + 150, 320))
        page.draw_polyline([(x + 10 * i, 310 - i * i) for i in range(10)], color=(1, 0, 0))
        page.insert_text((x + 60, 334), "Steps", fontsize=8)
    page.insert_text((160, 214), "(a) Bandit", fontsize=8)
    page.insert_text((360, 214), "(b) Chain", fontsize=8)
    page.insert_text((120, 355), "Figure 1: Learning curves of both tasks.", fontsize=10)
    page.insert_textbox((72, 400, 520, 500), RIGHT * 6)
    parsed = _parsed(document.tobytes())
    (figure,) = parsed.document.figures
    assert (figure.label, figure.source, figure.image) == ("1", "vector", "figure-1.png")
    assert figure.caption is not None
    assert figure.caption.text == "Figure 1: Learning curves of both tasks."
    assert [(panel.label, panel.title) for panel in figure.panels] == [("a", "Bandit"), ("b", "Chain")]
    assert parsed.figures["figure-1.png"].startswith(b"\x89PNG")
    assert "![Figure 1](figures/figure-1.png)" in parsed.paper_md
    assert "Steps" not in " ".join(p.text for p in parsed.document.paragraphs)


def _sample(root: Path) -> Path:
    return root / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf"


def test_the_sample_paper_is_read_completely(root: Path) -> None:
    parsed = PymupdfParser().parse(read_pdf(_sample(root)), "sample")
    document = parsed.document
    assert document.warnings == ()
    assert document.title.startswith("Optimism Under Small Budgets")
    assert [t.label for t in document.tables] == ["1", "2"]
    main, ablation = document.tables
    columns = {c.column_path for c in main.cells if c.kind == "body"}
    assert {path[0] for path in columns} == {"Ten-armed bandit", "Chain"}
    assert all("±" in c.text and len(c.row_path) == 1 for c in main.cells if c.kind == "body")
    assert {c.row_path[0] for c in ablation.cells if c.kind == "body"} >= {"UCB1 (full)", "w/o bonus"}
    assert [len(f.panels) for f in document.figures] == [2]
    assert sum(p.role == "abstract" for p in document.paragraphs) == 1


def test_our_own_markdown_reads_back_with_the_same_tables(root: Path) -> None:
    parsed = PymupdfParser().parse(read_pdf(_sample(root)), "sample")
    source = Source(kind="markdown", origin="paper.md", content=parsed.paper_md.encode())
    again = MarkdownParser().parse(source, "sample").document
    assert again.title == parsed.document.title
    assert [(s.number, s.title) for s in again.sections] == [(s.number, s.title) for s in parsed.document.sections]
    for before, after in zip(parsed.document.tables, again.tables, strict=True):
        named = [[(c.text, c.row_path, c.column_path) for c in t.cells if c.kind == "body"] for t in (before, after)]
        assert named[0] == named[1]


def test_same_bytes_in_any_locale_hash_seed_and_time_zone(root: Path) -> None:
    script = (
        "import sys, hashlib; from pathlib import Path; from reproducegym.parsing import PymupdfParser\n"
        "from reproducegym.parsing.sources import read_pdf\n"
        "p = PymupdfParser().parse(read_pdf(Path(sys.argv[1])), 'x')\n"
        "h = hashlib.sha256(p.model_dump_json(exclude={'figures'}).encode())\n"
        "[h.update(k.encode() + v) for k, v in sorted(p.figures.items())]\n"
        "print(h.hexdigest())"
    )
    found = set()
    for seed, zone, locale in (
        ("0", "UTC", "C"),
        ("7", "Asia/Tokyo", "de_DE.UTF-8"),
        ("99", "America/Lima", "C.UTF-8"),
    ):
        env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LANG": locale, "LC_ALL": locale}
        run = subprocess.run(
            [sys.executable, "-c", script, str(_sample(root))], env=env, capture_output=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1


def test_a_sign_set_in_a_font_of_its_own_belongs_to_its_exponent() -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_text((50, 60), "Rates of Learning", fontsize=18)
    page.insert_text((50, 100), "We train with a rate of 10", fontsize=10)
    x = 50 + pymupdf.get_text_length("We train with a rate of 10", fontsize=10)
    page.insert_text((x, 96), "-", fontsize=7, fontname="cour")
    x += pymupdf.get_text_length("-", fontsize=7, fontname="cour")
    page.insert_text((x, 96), "9", fontsize=7)
    page.insert_text((x + 4, 100), " in all runs.", fontsize=10)
    page.insert_text((50, 112), "All other settings stay as they were in the runs before.", fontsize=10)
    parsed = _parsed(document.tobytes())
    assert "a rate of 10⁻⁹ in all runs." in parsed.document.paragraphs[0].text
