"""Hard files are read as far as they go, and the warnings say what could not be read."""

import re

import pymupdf
import pytest
from hard_files import TEXT, damaged_page, raw_pdf, small_paper, typst_paper, with_boxes

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import PymupdfParser
from reproducegym.parsing.guard import Limits
from reproducegym.parsing.pages.letters import plain, speller
from reproducegym.schema.paper import Parsed, Source


def parsed(content: bytes) -> Parsed:
    return PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=content), "x")


def word_box(content: bytes, word: str) -> tuple[float, ...]:
    """Where MuPDF sees a word on a page that is not turned, in points."""
    page = pymupdf.open(stream=content, filetype="pdf")[0]
    return next(found[:4] for found in page.get_text("words") if found[4] == word)


def words_on(read: Parsed, page: int) -> list[str]:
    return [word.text for word in read.words[page - 1].words]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("media", "crop"),
    [
        ("[0 0 600 800]", "[0 0 600 800]"),
        ("[0 0 600 800]", "[50 100 550 780]"),
        ("[-100 -200 500 600]", "[-60 -150 450 550]"),
    ],
)
def test_boxes_are_those_of_the_page_as_it_is_seen(media: str, crop: str, turn: int) -> None:
    content = with_boxes(media, crop, turn)
    page = pymupdf.open(stream=content, filetype="pdf")[0]
    read = parsed(content)
    if turn:  # upright in the file, turned on screen: read turned back, and said so
        assert ("set upside down" if turn == 180 else "set sideways") in read.document.warnings[0]
    seen = (page.rect.width, page.rect.height)
    assert (read.document.pages[0].width, read.document.pages[0].height) == pytest.approx(
        seen if turn in (0, 180) else seen[::-1]
    )
    words = {word.text: word.bbox for word in read.words[0].words}
    assert ("outside" in words) == (crop == media)
    assert words["WITNESS"] == pytest.approx(word_box(with_boxes(media, crop, 0), "WITNESS"), abs=0.05)


def test_a_scanned_page_between_pages_of_text_is_named() -> None:
    document = small_paper(2)
    picture = document[0].get_pixmap(dpi=40)
    page = document.new_page()
    page.insert_image(page.rect, pixmap=picture)
    document.new_page()
    read = parsed(document.tobytes())
    assert [page.content for page in read.document.pages] == ["text", "text", "scan", "empty"]
    assert "page 3 is a scan without a text layer; run OCR on it" in read.document.warnings
    assert "page 4 has no text" in read.document.warnings


DAMAGED = {
    "content is no stream": lambda document, page: document.xref_set_key(page.xref, "Contents", "(nothing)"),
    "fonts are gone": lambda document, page: document.xref_set_key(page.xref, "Resources", "<<>>"),
    "box is no box": lambda document, page: document.xref_set_key(page.xref, "MediaBox", "[1 2]"),
    "box is empty": lambda document, page: document.xref_set_key(page.xref, "MediaBox", "[0 0 0 0]"),
    "box is huge": lambda document, page: document.xref_set_key(page.xref, "MediaBox", "[0 0 1e9 1e9]"),
    "rotation is odd": lambda document, page: document.xref_set_key(page.xref, "Rotate", "45"),
    "it is no page": lambda document, page: document.update_object(page.xref, "<</Type/Nothing>>"),
}


@pytest.mark.parametrize("name", sorted(DAMAGED))
def test_a_damaged_page_does_not_cost_the_others(name: str) -> None:
    read = parsed(damaged_page(DAMAGED[name]))
    assert words_on(read, 1)[:2] == ["Page", "1."]
    assert words_on(read, len(read.document.pages))[:2] == ["Page", "3."]


def test_a_page_tree_that_bites_its_tail_is_read_or_refused() -> None:
    content = raw_pdf(
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 2>>", "<</Type/Pages/Kids[2 0 R]/Count 2>>"
    )
    with pytest.raises(UnreadablePaperError, match="truncated or damaged"):
        parsed(content)


def test_a_file_that_says_it_has_a_billion_pages_is_refused() -> None:
    content = raw_pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 1000000000>>")
    with pytest.raises(UnreadablePaperError, match="pages"):
        parsed(content)


def test_a_file_without_pages_is_refused() -> None:
    content = raw_pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>")
    with pytest.raises(UnreadablePaperError, match="no page can be read"):
        parsed(content)


def test_a_file_of_which_no_page_can_be_read_says_what_the_first_one_took() -> None:
    source = Source(kind="pdf", origin="p.pdf", content=small_paper(2).tobytes())
    with pytest.raises(
        UnreadablePaperError, match=r"p\.pdf cannot be read: not one page can \(took longer than 1e-06 s\);"
    ):
        PymupdfParser(Limits(page_s=1e-6)).parse(source, "x")


def test_forms_in_forms_are_followed() -> None:
    inner = small_paper()
    for _ in range(12):
        outer = pymupdf.open()
        page = outer.new_page()
        page.show_pdf_page(page.rect, inner, 0)
        inner = pymupdf.open(stream=outer.tobytes(), filetype="pdf")
    assert TEXT.split(",")[0] in parsed(inner.tobytes()).paper_md.replace("\n", " ")


def test_hundreds_of_tiny_pages_are_read() -> None:
    document = pymupdf.open()
    for number in range(700):
        document.new_page(width=200, height=80).insert_text((10, 40), f"tiny page {number} holds a few words")
    read = parsed(document.tobytes())
    assert len(read.document.pages) == 700
    assert words_on(read, 700)[:3] == ["tiny", "page", "699"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Die Größe der Tür überrascht, weil fünf Mäuse daran ziehen und sie trotzdem nicht öffnen können."),
        ("ru", "Дверь открывается медленно, потому что пять мышей тянут её одновременно и без отдыха."),
        ("el", "Η πόρτα ανοίγει αργά, επειδή πέντε ποντίκια την τραβούν ταυτόχρονα."),
    ],
)
def test_other_languages_keep_their_letters(language: str, sentence: str) -> None:
    read = parsed(typst_paper(f'#set text(lang: "{language}", hyphenate: false)\n{sentence} {sentence}'))
    assert sentence in read.paper_md.replace("\n", " ")


@pytest.mark.parametrize(
    ("font", "sentence"),
    [
        ("china-s", "这是一篇关于门的论文。结果见表一。"),
        ("japan", "これは扉についての論文です。精度は三位でした。"),
        ("korea", "문은 천천히 열린다. 쥐 다섯 마리가 문을 당긴다."),
    ],
)
def test_chinese_japanese_and_korean_are_read_sentence_by_sentence(font: str, sentence: str) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for k in range(4):
        page.insert_text((72, 72 + 18 * k), sentence, fontname=font)
    read = parsed(document.tobytes()).document
    sentences = [one.text for paragraph in read.paragraphs for one in paragraph.sentences]
    assert sentences[:2] == [part.strip() for part in re.split(r"(?<=[。.])", sentence)[:2]]


def test_words_set_from_right_to_left_keep_their_letters_in_reading_order() -> None:
    hebrew, arabic = "הדלת נפתחת לאט כי חמישה עכברים מושכים בה", "الباب يفتح ببطء"
    read = parsed(
        typst_paper(
            f'#set text(lang: "he")\n{hebrew}\n\n{hebrew}\n\n#set text(lang: "ar", font: "DejaVu Sans Mono")\n{arabic}'
        )
    )
    assert hebrew in read.paper_md
    assert set(arabic.split()) <= set(words_on(read, 1))


def without_letters(content: bytes, fonts: int) -> bytes:
    """The PDF with that many of its fonts robbed of the map that tells their letters."""
    document = pymupdf.open(stream=content, filetype="pdf")
    mapped = [n for n in range(1, document.xref_length()) if document.xref_get_key(n, "ToUnicode")[0] != "null"]
    assert len(mapped) >= fonts
    for number in mapped[:fonts]:
        document.xref_set_key(number, "ToUnicode", "null")
    return document.tobytes()


def test_a_paper_whose_fonts_do_not_tell_their_letters_is_refused() -> None:
    with pytest.raises(UnreadablePaperError, match="if text shows, run OCR on it first"):
        parsed(without_letters(typst_paper(TEXT * 5), 1))


def test_a_page_whose_font_does_not_tell_its_letters_is_named() -> None:
    content = typst_paper(f'#text(font: "DejaVu Sans Mono")[{TEXT}]\n#pagebreak()\n{TEXT * 3}')
    read = parsed(without_letters(content, 1))
    (page,) = [n for n in (1, 2) if "doors" not in words_on(read, n)]
    assert read.document.warnings[0] == f"page {page} has text in fonts that do not tell its letters; run OCR on it"


def test_letters_of_mathematics_are_letters_even_where_a_font_cuts_their_codes() -> None:
    assert speller("the number \ud441 of rows")("\ud441rows") == "Nrows"
    assert speller("\ud55c\uad6d\uc5b4 \ud441")("\ud441") == "\ud441"
    assert speller("")("epoc\u210e \U0001d6fc") == "epoch α"


def test_marks_without_width_break_no_words() -> None:
    assert plain("pa\u200bper \u202eturned\ufeff") == "paper turned"
    read = parsed(typst_paper(f"{TEXT} #h(1em)num\u200bber {TEXT}"))
    assert "number" in words_on(read, 1)
    assert "number" in read.paper_md
