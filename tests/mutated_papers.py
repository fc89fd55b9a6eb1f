"""Damaged PDFs and odd Markdown files by number: the same number always gives the same file."""

import random
import re
from collections.abc import Callable
from functools import cache

import typst
from sample_paper import ROOT

__all__ = ["mutated_pdf", "random_markdown", "seeds"]

_SAMPLE = ROOT / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf"
_TYPST = r"""
#set page(columns: COLUMNS, width: 14cm, height: 12cm, margin: 1cm)
#set text(size: 8pt)
#set heading(numbering: "1.1")
#align(center)[#text(size: 14pt, weight: "bold")[A Small Paper About Doors]]
= Introduction
We compare doors of NUMBER kinds; Table 1 and Figure 1 show what came out. #lorem(40)
#figure(kind: table, caption: [Doors opened.], table(columns: 3,
  [Method], [Accuracy], [Loss], [Push], [81.3 ± 0.2], [0.41], [Pull], [NUMBER.5 ± 0.4], [0.39]))
= Results
#figure(caption: [Doors over time.], box(width: 4cm, height: 2cm, {
  place(line(start: (0cm, 2cm), end: (4cm, 0.3cm), stroke: red))
  place(rect(width: 4cm, height: 2cm))}))
#lorem(60)
"""
_WORDS = (
    "# Title\n",
    "## 2.1 A section\n",
    "| a | b |\n",
    "|---|---|\n",
    "| 1.2 | ± 3 |\n",
    "|:--:|",
    "\n\n",
    "```\n",
    "$$x^2$$",
    "![Figure 1](fig.png)",
    "Table 1: Scores.\n",
    "<table><tr><td rowspan=2>",
    "</td>",
    "</table>",
    "- item\n",
    "> quote\n",
    "[1]: x\n",
    "**bold",
    "\\begin{tabular}",
    "é✓±",
    "\u202eright to left",
    "\x00",
    "\t",
    "1e999",
    "&nbsp;",
    "word ",
    "0.5",
    "<script>",
    "[[",
    "](",
    "~~~\n",
    "\r\n",
    "|" * 40,
    "#" * 9,
    " " * 30,
    "\ud7ff",
    "\U0001d54f",
)


@cache
def seeds() -> tuple[bytes, ...]:
    """The sample paper and small papers set by Typst, in one and two columns."""
    made = []
    for columns, number in ((1, "73"), (2, "9")):
        made.append(typst.compile(_TYPST.replace("COLUMNS", str(columns)).replace("NUMBER", number).encode()))
    return (*made, _SAMPLE.read_bytes())


def mutated_pdf(number: int) -> bytes:
    """A seed with one kind of damage."""
    chance = random.Random(number)
    seed = seeds()[number % len(seeds())]
    damages: tuple[Callable[[random.Random, bytes], bytes], ...] = (
        _flipped, _object_removed, _stream_cut, _cut_short, _numbers_changed, _piece_doubled,
    )  # fmt: skip
    return damages[number // len(seeds()) % len(damages)](chance, seed)


def random_markdown(number: int) -> bytes:
    """Pieces of Markdown in any order; some are no UTF-8."""
    chance = random.Random(number)
    words = _WORDS if number % 7 == 0 else tuple(word for word in _WORDS if word != "\x00")
    text = "".join(chance.choice(words) for _ in range(chance.randrange(400)))
    data = text.encode("utf-8", "surrogatepass")
    return data if number % 10 else data + bytes(chance.randrange(256) for _ in range(50))


def _flipped(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 10, 100, 1000))):
        changed[chance.randrange(20, len(changed))] = chance.randrange(256)
    return bytes(changed)


def _object_removed(chance: random.Random, data: bytes) -> bytes:
    objects = list(re.finditer(rb"\n\d+ 0 obj.*?endobj", data, re.DOTALL))
    for found in sorted(chance.sample(objects, min(len(objects), chance.randint(1, 3))), key=lambda m: -m.start()):
        data = data[: found.start()] + b"\n" + data[found.end() :]
    return data


def _stream_cut(chance: random.Random, data: bytes) -> bytes:
    found = chance.choice(list(re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL)))
    kept = chance.randrange(max(1, len(found[1])))
    return data[: found.start(1) + kept] + data[found.end(1) :]


def _cut_short(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def _numbers_changed(chance: random.Random, data: bytes) -> bytes:
    """Numbers outside of streams: sizes, counts, references."""
    places = list(re.finditer(rb"(?<=[ \[])\d{1,4}(?=[ \]\n/])", data))
    for found in sorted(chance.sample(places, min(len(places), 5)), key=lambda m: -m.start()):
        new = chance.choice((b"0", b"-1", b"99999999", b"1e30", b"2", str(chance.randrange(50)).encode()))
        data = data[: found.start()] + new + data[found.end() :]
    return data


def _piece_doubled(chance: random.Random, data: bytes) -> bytes:
    start = chance.randrange(len(data))
    end = min(len(data), start + chance.randrange(1, 4000))
    at = chance.randrange(len(data))
    return data[:at] + data[start:end] + data[at:]
