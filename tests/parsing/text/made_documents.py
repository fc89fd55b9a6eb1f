"""Sets papers of known text with Typst, in the styles of venues: what stands in them is the truth for the tests."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import typst

__all__ = ["Block", "Style", "Truth", "made_blocks", "made_pdf", "truth_of"]

_WORDS = re.findall(
    r"\S+",
    "the of a in to and with for on that we this model training evaluation generalization efficient offline sufficient "
    "different coefficients representations optimization regularization hyperparameters distribution reinforcement "
    "environments approximately significantly benchmark baseline transformer initialization unsupervised architecture "
    "performance learning reward policy gradient network layers data each which over under when both more than",
)


@dataclass(frozen=True)
class Style:
    """How a paper looks."""

    columns: int = 1
    font: str = "New Computer Modern"
    size: float = 10
    numbering: str = "arabic"
    """`arabic` ("3.1"), `dotted` ("3.1."), `roman` ("III.", "A.") or `none`."""
    capitals: str = "plain"
    """`plain`, `upper` or `small` capitals for top headings."""
    abstract: str = "heading"
    """`heading`, `run-in` or `wide` (over both columns, with a heading)."""
    run_in: str = "bold"
    """`bold` with a full stop, `gap` (bold, then a wide space) or `italic` with a full stop."""
    running_head: str = "none"
    """`none`, `same` on all pages, or `changing` with the section."""
    line_numbers: bool = False
    indent: bool = True


@dataclass(frozen=True)
class Block:
    """A piece of a paper; `level` of a heading, 4 for run-in ones; `note` is a footnote in a paragraph."""

    kind: str
    text: str = ""
    number: str | None = None
    level: int = 0
    note: str = ""


@dataclass(frozen=True)
class Truth:
    """What must be read: sections as (number, title, level), paragraphs as (role, text), equation labels."""

    sections: list[tuple[str | None, str, int]] = field(default_factory=list)
    paragraphs: list[tuple[str, str]] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    equations: list[str] = field(default_factory=list)


def _sentence(rng: random.Random) -> str:
    words = [rng.choice(_WORDS) for _ in range(rng.randint(8, 18))]
    words.insert(4, rng.choice(("12.5%", "0.31", "1,024", "3e-4", "PPO", "CIFAR-10", "state-of-the-art")))
    return " ".join(words).capitalize().replace("Cifar", "CIFAR") + "."


def _prose(rng: random.Random, sentences: int, extra: Sequence[str] = ()) -> str:
    made = [_sentence(rng) for _ in range(sentences)]
    for k, text in enumerate(extra):
        made.insert(min(len(made), 2 * k + 1), text)
    return " ".join(made)


def _numbers(style: Style, top: int, inner: int | None = None) -> str | None:
    if style.numbering == "none":
        return None
    if style.numbering == "roman":
        return ("I", "II", "III", "IV", "V")[top - 1] if inner is None else "ABCD"[inner - 1]
    return str(top) if inner is None else f"{top}.{inner}"


def made_blocks(seed: int, style: Style) -> list[Block]:
    """The pieces of one paper."""
    rng = random.Random(seed)
    heads = ["Introduction", "Related Work", "Method", "Experiments and Results", "Conclusion"]
    inner = {
        3: ["Problem Setting", "A Long Heading That Does Not Fit on a Single Line of One Column and Goes On"],
        4: [],
    }
    blocks = [Block("abstract", _prose(rng, 5))]
    for top, title in enumerate(heads, 1):
        blocks.append(Block("heading", title, _numbers(style, top), 1))
        blocks.append(Block("paragraph", _prose(rng, 5, ["As Fig. 1 (b) and Section 3.2 show, it works."])))
        if top == 1:
            blocks.append(Block("paragraph", _prose(rng, 4), note="Code is at the usual place of such code."))
            blocks += [Block("item", _prose(rng, 1)), Block("item", _prose(rng, 2)), Block("item", _prose(rng, 1))]
            blocks.append(Block("paragraph", _prose(rng, 6, ["See Eq. (1) and Tables 1 and 2."])))
        for k, name in enumerate(inner.get(top, ()), 1):
            blocks.append(Block("heading", name, _numbers(style, top, k), 2))
            blocks.append(Block("paragraph", _prose(rng, 7)))
            blocks.append(Block("equation", number=str(k)))
            blocks.append(Block("paragraph", _prose(rng, 4)))
        if top == 4:
            for name in ("Datasets", "Training details", "Main results"):
                blocks.append(Block("run-in", name, None, 4))
                blocks.append(Block("paragraph", _prose(rng, 6)))
    blocks.append(Block("heading", "Acknowledgements", None, 1))
    blocks.append(Block("paragraph", _prose(rng, 2)))
    blocks.append(Block("heading", "References", None, 1))
    blocks += [
        Block("entry", f"[{k}] A. Author and B. Other. {_sentence(rng)} In Proceedings, {2000 + k}.")
        for k in range(1, 6)
    ]
    if style.numbering in ("arabic", "dotted"):
        blocks.append(Block("heading", "Proofs", "A", 1))
        blocks.append(Block("paragraph", _prose(rng, 3)))
        blocks.append(Block("heading", "More Details", "A.1", 2))
        blocks.append(Block("paragraph", _prose(rng, 8)))
    return blocks


def truth_of(blocks: Sequence[Block], style: Style) -> Truth:
    """What must be read in a paper of these pieces."""
    truth = Truth()
    standing = 0
    for block in blocks:
        if block.kind == "abstract":
            if style.abstract != "run-in":
                truth.sections.append((None, "Abstract", 1))
            truth.paragraphs.append(("abstract", block.text))
        elif block.kind == "heading":
            truth.sections.append((block.number, _shown(block, style), block.level))
            standing = block.level
        elif block.kind == "run-in":
            truth.sections.append((None, block.text, standing + 1))
        elif block.kind == "equation":
            truth.equations.append(block.number or "")
        else:
            role = {"paragraph": "body", "item": "list", "entry": "reference"}[block.kind]
            text = block.text[:-1] + "¹." if block.note else block.text
            truth.paragraphs.append((role, f"• {text}" if role == "list" else text))
            if block.note:
                truth.footnotes.append(f"¹{block.note}")
    return truth


def _shown(block: Block, style: Style) -> str:
    return block.text.upper() if style.capitals == "upper" and block.level == 1 else block.text


def made_pdf(blocks: Sequence[Block], style: Style) -> bytes:
    """The paper as PDF."""
    wide = style.columns > 1
    head = f"""#set page(paper: "a4", margin: 2.4cm, columns: {style.columns}, header: {_header(style)},
  footer: context align(center, counter(page).display()))
#set text(font: "{style.font}", size: {style.size}pt, hyphenate: true, lang: "en")
#set par(justify: true, {"first-line-indent: 1.2em, spacing: 0.65em" if style.indent else "spacing: 1.1em"})
{'#set par.line(numbering: "1")' if style.line_numbers else ""}
#set footnote.entry(clearance: 1em)
#set super(typographic: false)
#set math.equation(numbering: "(1)")
#show heading: set text(size: 10pt)
#place(top + center, {"float: true," if wide else "float: true, "} scope: "parent")[
  #text(17pt)[*A Made Paper of Known Text*] \\ #v(4pt) Ada Author#super[1], Ben Builder#super[2] \\
  #super[1]First University, #super[2]Second Institute \\ ada\\@first.example
  {_abstract(blocks[0]) if style.abstract == "wide" else ""}
]
"""
    shown = blocks[1:] if style.abstract == "wide" else blocks
    body = "\n\n".join(_set(block, style) for block in shown)
    body = re.sub(r"RUNIN\n\n(.*?)(?=\n\n|$)", r"\1]", body)
    return typst.compile((head + body).encode())


def _header(style: Style) -> str:
    if style.running_head == "same":
        return "align(right)[Preprint. Under review.]"
    if style.running_head == "changing":
        return """context { let n = counter(page).get().first()
    [#n #h(1fr) #("Opening Words", "A. Author et al.", "Middle Part", "Late Part", "End").at(calc.rem(n, 5))] }"""
    return "none"


def _abstract(block: Block) -> str:
    return f"#v(4pt) #align(center, text(11pt)[*Abstract*]) #align(left)[{_escaped(block.text)}] #v(10pt)"


def _set(block: Block, style: Style) -> str:
    text = _escaped(block.text)
    if block.kind == "abstract":
        if style.abstract == "run-in":
            return f"#par(first-line-indent: 0em)[*Abstract.* {text}]"
        return _abstract(block)
    if block.kind == "heading":
        return _heading(block, style)
    if block.kind == "run-in":
        return {
            "bold": f"#v(6pt) #par(first-line-indent: 0em)[*{text}.* ",
            "gap": f"#v(6pt) #par(first-line-indent: 0em)[*{text}* #h(1em) ",
            "italic": f"#v(6pt) #par(first-line-indent: 0em)[_{text}._ ",
        }[style.run_in] + "RUNIN"
    if block.kind == "equation":
        return "$ L(theta) = 1/N sum_(i=1)^N ell (f_theta (x_i), y_i) + lambda norm(theta)^2 $"
    if block.kind == "item":
        return f"- {text}"
    if block.kind == "entry":
        return f"#par(first-line-indent: 0em, hanging-indent: 1.5em)[{text}]"
    return text[:-1] + f"#footnote[{_escaped(block.note)}]." if block.note else text


def _heading(block: Block, style: Style) -> str:
    title = _escaped(_shown(block, style))
    if style.capitals == "small" and block.level == 1:
        title = f"#smallcaps[{title}]"
    dot = "." if style.numbering in ("dotted", "roman") and block.number else ""
    number = f"{block.number}{dot} #h(0.6em) " if block.number else ""
    size = (style.size + 2 if block.level == 1 else style.size + 0.5) if style.numbering != "roman" else style.size
    weight = "bold" if style.numbering != "roman" else "regular"
    slant = 'style: "italic", ' if style.numbering == "roman" and block.level == 2 else ""
    return (
        f"#block(above: 1.6em, below: 1em, sticky: true)[#set par(justify: false)\n"
        f'#text({slant}size: {size}pt, weight: "{weight}", hyphenate: false)[{number}{title}]]'
    )


def _escaped(text: str) -> str:
    for char in "\\#*_$@<>[]`~":
        text = text.replace(char, "\\" + char)
    return text
