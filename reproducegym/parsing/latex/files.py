"""Puts the files of a LaTeX source together: follows \\input, adds the list of references, strips comments."""

import posixpath
import re
from collections.abc import Mapping

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.latex.source_text import SourceText, joined

__all__ = ["decoded", "flattened", "styles_of", "without_comments"]

_INPUT = re.compile(
    r"\\(?:input|include|subfile)\s*\{\s*([^{}%\n]{1,300}?)\s*\}|\\input\s+([^\s\\{}%]{1,300})"
    r"|\\(?:import|subimport)\s*\{([^{}\n]{0,200})\}\s*\{([^{}\n]{1,200})\}"
)
_BIBLIOGRAPHY = re.compile(r"\\bibliography\s*\{[^{}]*\}|\\printbibliography(?:\s*\[[^\]]*\])?")
_PACKAGES = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]{1,500})\}")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?=[^\s]))?")
_HIDDEN = re.compile(
    r"\\begin\s*\{comment\}.*?(?:\\end\s*\{comment\}|\Z)|\\iffalse(?![A-Za-z]).*?(?:\\fi(?![A-Za-z])|\Z)", re.DOTALL
)
_MAX_CHARACTERS = 2_000_000
_MAX_DEPTH = 12
_MAX_FILES = 500


def decoded(content: bytes) -> str:
    """Source as text with plain line ends: UTF-8, else Latin-1, which old sources use."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\f", "\n")


def _target(match: re.Match[str], base: str, files: Mapping[str, bytes]) -> str | None:
    """The file beside that an \\input names; nothing outside of the given files can be reached."""
    wanted = match[1] or match[2] or posixpath.join(match[3] or "", match[4] or "")
    wanted = wanted.strip().strip('"')
    here = posixpath.dirname(base)
    for folder in dict.fromkeys((here, "")):
        path = posixpath.normpath(posixpath.join(folder, wanted))
        for name in (path, path + ".tex"):
            if name in files and not name.lower().endswith((".pdf", ".png", ".jpg", ".jpeg", ".eps")):
                return name
    return None


def flattened(content: bytes, name: str, files: Mapping[str, bytes]) -> tuple[str, tuple[str, ...]]:
    """The main file with every included file in its place, and the names of those that are missing.

    Raises:
        UnreadablePaperError: more than two million characters.
    """
    missing: list[str] = []
    count = 0

    def filled(text: str, base: str, open_files: tuple[str, ...]) -> str:
        nonlocal count
        pieces: list[str] = []
        position = 0
        for match in _INPUT.finditer(text):
            if _is_commented(text, match.start()):
                continue
            target = _target(match, name, files) or _target(match, base, files)
            pieces.append(text[position : match.start()])
            position = match.end()
            if target is None:
                missing.append(match[1] or match[2] or match[4] or "")
            elif target not in open_files and len(open_files) <= _MAX_DEPTH and count < _MAX_FILES:
                count += 1
                inner = re.sub(r"\\endinput(?![A-Za-z]).*", "", decoded(files[target]), flags=re.DOTALL)
                pieces.append(filled(inner, target, (*open_files, target)))
            if sum(map(len, pieces)) > _MAX_CHARACTERS:
                raise UnreadablePaperError(f"{name} with its included files is too long; is it a paper?")
        return "".join([*pieces, text[position:]])

    text = filled(decoded(content), name, (name,))
    if len(text) > _MAX_CHARACTERS:
        raise UnreadablePaperError(f"{name} with its included files is too long; is it a paper?")
    return _with_bibliography(text, name, files), tuple(dict.fromkeys(missing))


def _with_bibliography(text: str, name: str, files: Mapping[str, bytes]) -> str:
    """The source with the list of references that BibTeX made (`.bbl`) where it is called for."""
    made = sorted(file for file in files if file.lower().endswith(".bbl"))
    own = re.sub(r"\.[^./]*$", "", name) + ".bbl"
    chosen = own if own in files else made[0] if len(made) == 1 else None
    call = next((m for m in _BIBLIOGRAPHY.finditer(text) if not _is_commented(text, m.start())), None)
    if chosen is None or call is None:
        return text
    return text[: call.start()] + decoded(files[chosen])[:_MAX_CHARACTERS] + text[call.end() :]


def _is_commented(text: str, position: int) -> bool:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return re.search(r"(?<!\\)(?:\\\\)*%", line) is not None


def styles_of(text: str, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The style files beside the paper that it loads, as text, in the order of loading."""
    names = [part.strip() + ".sty" for match in _PACKAGES.finditer(text) for part in match[1].split(",")]
    return tuple(decoded(files[name])[:_MAX_CHARACTERS] for name in dict.fromkeys(names) if name in files)


def without_comments(source: SourceText) -> SourceText:
    """The source without comments and switched-off parts; a comment takes its line end with it, as in TeX."""
    for pattern in (_COMMENT, _HIDDEN):
        pieces: list[SourceText] = []
        position = 0
        for match in pattern.finditer(source.text):
            kept = match.end(1) if pattern is _COMMENT else match.start()
            pieces.append(source.part(position, kept))
            position = match.end()
        source = joined([*pieces, source.part(position, len(source.text))])
    return source
