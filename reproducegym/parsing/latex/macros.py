"""Expands the macros that a paper defines for itself, within bounds; every character keeps its place."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reproducegym.parsing.latex.source_text import SourceText

__all__ = ["Macro", "expanded", "macros_of"]

_DEFINING = frozenset({"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"})
_DOCUMENT_COMMANDS = frozenset({"NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand"})
_PRIMITIVE = frozenset({"def", "gdef", "edef", "xdef"})
_KEPT = frozenset({
    "begin", "end", "input", "include", "label", "ref", "eqref", "cref", "Cref", "autoref", "nameref",
    "caption", "item", "footnote", "appendix", "section", "subsection", "subsubsection", "paragraph",
    "subparagraph", "chapter", "part", "title", "author", "abstract", "maketitle", "cite", "citet", "citep",
    "multicolumn", "multirow", "toprule", "midrule", "bottomrule", "cmidrule", "hline", "cline", "textbf",
    "textit", "emph", "underline", "textcolor", "includegraphics", "bibitem", "documentclass", "usepackage",
    "newcommand", "renewcommand", "def", "let", "par",
})  # fmt: skip
_COUNTER = re.compile(r"the(?:table|figure|section|subsection|equation|chapter)")
_MAX_CALLS = 30_000
_ALWAYS_WRITTEN = 60_000
_TIMES_WRITTEN = 4
_MAX_ARGUMENT = 60_000


@dataclass(frozen=True, slots=True)
class Macro:
    """What a macro writes: `#1`..`#9` stand for its arguments; `default` is that of an optional first one."""

    arguments: int
    default: str | None
    body: str


class _Reader:
    """Characters still to be read, the next one last."""

    def __init__(self, source: SourceText) -> None:
        self._left = list(zip(reversed(source.text), reversed(source.origins), strict=True))

    def peek(self) -> str:
        """The next character, or nothing at the end."""
        return self._left[-1][0] if self._left else ""

    def take(self) -> tuple[str, int]:
        """The next character and its origin."""
        return self._left.pop()

    def back(self, text: Iterable[tuple[str, int]]) -> None:
        """Put characters in front of the rest."""
        self._left.extend(reversed(list(text)))

    def blanks(self) -> list[tuple[str, int]]:
        """Take white space up to the next paragraph."""
        taken: list[tuple[str, int]] = []
        while self.peek().isspace():
            taken.append(self.take())
        return taken

    def name(self) -> list[tuple[str, int]]:
        """A control sequence's name: letters, or one other character; the backslash was taken."""
        taken = [self.take()] if self.peek() else []
        if taken and (taken[0][0].isalpha() or taken[0][0] == "@"):
            while self.peek().isalpha() or self.peek() == "@":
                taken.append(self.take())
        return taken

    def delimited(self, opening: str, closing: str) -> list[tuple[str, int]] | None:
        """What stands between a pair of delimiters that comes next; None and nothing taken where none does."""
        blanks = self.blanks()
        if self.peek() != opening:
            self.back(blanks)
            return None
        first = self.take()
        inside: list[tuple[str, int]] = []
        depth = 0
        while self.peek() and len(inside) < _MAX_ARGUMENT:
            char, origin = self.take()
            if char == closing and depth == 0:
                return inside
            depth += (char == "{") - (char == "}")
            inside.append((char, origin))
            if char == "\\" and self.peek():
                inside.append(self.take())
        self.back([*blanks, first, *inside])
        return None

    def argument(self) -> list[tuple[str, int]]:
        """One argument: a group, a control sequence or a character."""
        group = self.delimited("{", "}")
        if group is not None:
            return group
        self.blanks()
        if not self.peek():
            return []
        first = self.take()
        return [first, *self.name()] if first[0] == "\\" else [first]


def _text(characters: Iterable[tuple[str, int]]) -> str:
    return "".join(char for char, _ in characters)


class _Expander:
    """One pass over a source."""

    def __init__(self, source: SourceText, known: Mapping[str, Macro]) -> None:
        self.macros = dict(known)
        self.written: list[tuple[str, int]] = []
        self._reader = _Reader(source)
        self._calls = 0
        self._left = _ALWAYS_WRITTEN + _TIMES_WRITTEN * len(source.text)

    def run(self) -> None:
        reader = self._reader
        while reader.peek():
            char = reader.take()
            if char[0] != "\\":
                self.written.append(char)
                continue
            name = reader.name()
            self._control([char, *name], _text(name))

    def _control(self, spelled: list[tuple[str, int]], name: str) -> None:
        reader = self._reader
        if name in _DEFINING or name in _DOCUMENT_COMMANDS or name == "DeclareMathOperator":
            self._define(spelled, name)
        elif name in _PRIMITIVE:
            self._define_primitive()
        elif name == "let":
            self._let()
        elif name in ("newenvironment", "renewenvironment"):
            self._star()
            reader.argument()
            while reader.delimited("[", "]") is not None:
                pass
            reader.argument()
            reader.argument()
        elif name == "cmidrule":
            reader.delimited("[", "]")
            reader.delimited("(", ")")
            self.written += spelled
        elif name in self.macros and self._calls < _MAX_CALLS and self._left > 0:
            self._call(spelled, self.macros[name])
        else:
            self.written += spelled

    def _star(self) -> None:
        if self._reader.peek() == "*":
            self._reader.take()

    def _call(self, spelled: list[tuple[str, int]], macro: Macro) -> None:
        reader = self._reader
        given: list[list[tuple[str, int]]] = []
        first, last = spelled[0][1], spelled[-1][1]
        if macro.default is not None:
            optional = reader.delimited("[", "]")
            given.append(optional if optional is not None else [(char, last) for char in macro.default])
        given += [reader.argument() for _ in range(macro.arguments - len(given))]
        if not macro.arguments and spelled[-1][0].isalpha():
            blanks = reader.blanks()  # TeX takes the spaces after a name, but a blank line ends a paragraph
            if _text(blanks).count("\n") > 1:
                reader.back(blanks)
        out: list[tuple[str, int]] = []
        position = 0
        for match in re.finditer(r"#([1-9#])", macro.body):
            out += _spread(macro.body[position : match.start()], first, last, len(out))
            if match[1] == "#":
                out.append(("#", last))
            elif int(match[1]) <= len(given):
                out += given[int(match[1]) - 1]
            position = match.end()
        out += _spread(macro.body[position:], first, last, len(out))
        self._calls += 1
        self._left -= len(out)
        following = reader.peek()
        if re.search(r"\\[A-Za-z]+$", macro.body) and following.isalpha():
            out.append((" ", last))
        reader.back(out)

    def _define(self, spelled: list[tuple[str, int]], kind: str) -> None:
        reader = self._reader
        self._star()
        name = _text(reader.argument()).strip().lstrip("\\")
        if _COUNTER.fullmatch(name) and kind == "renewcommand":
            # How a number is printed matters where it is said: it stays in the text.
            body = reader.argument()
            last = spelled[-1][1]
            self.written += [*spelled, *((char, last) for char in f"{{\\{name}}}{{"), *body, ("}", last)]
            return
        count, default = 0, None
        if kind in _DOCUMENT_COMMANDS:
            shape = re.sub(r"\s", "", _text(reader.argument()))
            if not re.fullmatch(r"(?:o|O\{[^{}]*\})?m{0,9}", shape):
                reader.argument()
                return
            optional = re.match(r"o|O\{([^{}]*)\}", shape)
            default = (optional[1] or "") if optional else None
            count = shape.count("m") + (optional is not None)
        elif kind != "DeclareMathOperator":
            number = reader.delimited("[", "]")
            count = int(text) if number and (text := _text(number).strip()) in list("123456789") else 0
            optional_default = reader.delimited("[", "]") if number is not None else None
            default = _text(optional_default) if optional_default is not None else None
        body_text = _text(reader.argument())
        if kind == "DeclareMathOperator":
            body_text = f"\\operatorname{{{body_text}}}"
        if kind == "providecommand" and name in self.macros:
            return
        self._keep(name, Macro(max(count, 1) if default is not None else count, default, body_text))

    def _define_primitive(self) -> None:
        reader = self._reader
        reader.blanks()
        if reader.peek() != "\\":
            return
        reader.take()
        name = _text(reader.name())
        shape = ""
        while reader.peek() not in ("{", "") and len(shape) < 100:
            shape += reader.take()[0]
        body = reader.delimited("{", "}")
        if body is None or not re.fullmatch(r"\s*(?:#[1-9]\s*)*", shape):
            self.macros.pop(name, None)
            return
        self._keep(name, Macro(shape.count("#"), None, _text(body)))

    def _let(self) -> None:
        reader = self._reader
        reader.blanks()
        name = _text(reader.argument()).lstrip("\\")
        reader.blanks()
        if reader.peek() == "=":
            reader.take()
        meaning = _text(reader.argument())
        if meaning.startswith("\\"):
            self._keep(name, self.macros.get(meaning[1:], Macro(0, None, meaning + " ")))

    def _keep(self, name: str, macro: Macro) -> None:
        """Remember a macro, unless the reader knows it better or it calls itself."""
        recursive = re.search(rf"\\{re.escape(name)}(?![A-Za-z])", macro.body) is not None
        if name and name not in _KEPT and "@" not in name and not recursive:
            self.macros[name] = macro


def _spread(body: str, first: int, last: int, done: int) -> list[tuple[str, int]]:
    """What a macro wrote, laid over the characters of its name."""
    return [(char, min(first + done + k, last)) for k, char in enumerate(body)]


def macros_of(text: str, known: Mapping[str, Macro]) -> Mapping[str, Macro]:
    """The macros that are known after a style file was read."""
    reading = _Expander(SourceText(text, (0,) * len(text)), known)
    reading.run()
    return reading.macros


def expanded(source: SourceText, known: Mapping[str, Macro]) -> SourceText:
    """The source without definitions and with every call of a defined macro replaced by what it writes.

    Calls are bounded in number and in what they write; past the bound they stay as they are.
    """
    reading = _Expander(source, known)
    reading.run()
    return SourceText(_text(reading.written), tuple(origin for _, origin in reading.written))
