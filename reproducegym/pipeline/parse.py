"""Stage 00: a source becomes a parsed paper on disk."""

import re
from collections.abc import Callable, Mapping, Sequence

from reproducegym import __version__
from reproducegym.errors import MisuseError, SchemaError
from reproducegym.pipeline.printed.paper_markdown import image_name
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Files, Parser, ReadPaper
from reproducegym.schema.base import digest
from reproducegym.schema.evidence import FigureEntry, FigureIndex
from reproducegym.schema.paper import Document, Parsed, ParseRecord, Source

__all__ = ["figure_entries", "parse", "source_digest"]

_LICENCE_LENGTH = 200
_ARXIV_VERSION = re.compile(r"arXiv:\S+v\d+")
_ADDRESS = re.compile(rb"https?://[^\s{}<>()\"'\\\]]{1,500}")
_WRITTEN = (".tex", ".bib", ".bbl", ".md", ".sty")
_MOST_LINKS = 2000


def parse(
    store: PaperStore,
    parser: Parser,
    source: Source,
    *,
    licence: str | None = None,
    warnings: Sequence[str] = (),
    draw: Callable[[ReadPaper], Files] | None = None,
) -> Document:
    """Read a source and keep everything of it under `00-parse/`, as one unit.

    `draw` gives the images of `overlay/`; without it the images of an earlier parse are removed.

    `warnings` tell what of the source could not be had; they stand before those of the parser.

    `licence` says under what terms the paper's text may be passed on; without it what an earlier parse was told
    stays, else it is `unknown`.

    Raises:
        UnreadablePaperError: the source cannot be read.
        MisuseError: another paper already stands under this id, or the licence is no line of text.
        BusyError: another process is working on this paper.
        StorageError: it cannot be written; then nothing is there.
    """
    if licence is not None and (not licence.strip() or not licence.isprintable() or len(licence) > _LICENCE_LENGTH):
        raise MisuseError(f"a licence is one line of at most {_LICENCE_LENGTH} characters, e.g. CC-BY-4.0")
    sha256 = source_digest(source)
    _earlier(
        store, source, sha256
    )  # refused before the work; and a paper that cannot be read leaves nothing, not even a lock
    read = parser.parse(source, store.paper_id)
    told = read.document.model_copy(update={"warnings": (*warnings, *read.document.warnings)})
    parsed = read.model_copy(update={"document": told})
    paper = ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)
    images = None if draw is None else draw(paper)
    with store.writing():
        earlier = _earlier(store, source, sha256)
        known = "unknown" if earlier is None else earlier.licence
        store.remove_overlay()  # first, so that a killed run leaves no images beside what they don't show
        index = FigureIndex(schema_version=1, paper_id=store.paper_id, figures=figure_entries(paper))
        store.write_parse(
            lambda files: _record(source, sha256, parsed, licence or known, files), paper, parsed.paper_md, index
        )
        if images is not None:
            store.write_overlay(images)
    return parsed.document


def source_digest(source: Source) -> str:
    """sha256 of a source of one file; of several that of the list of their digests and names, the main one first."""
    if not source.beside:
        return digest(source.content)
    lines = [f"{digest(source.content)} {source.kind}"]
    lines += [f"{digest(content)} {name}" for name, content in sorted(source.beside.items())]
    return digest("\n".join(lines).encode())


def _links(source: Source, parsed: Parsed) -> tuple[str, ...]:
    """Addresses that its links lead to, and those that stand in a written source, whose text may not show them."""
    texts = [content for name, content in source.beside.items() if name.endswith(_WRITTEN)]
    texts += [source.content] if source.kind != "pdf" else []
    written = {found.decode("ascii", "replace") for text in texts for found in _ADDRESS.findall(text)}
    return tuple(sorted({*parsed.links, *written})[:_MOST_LINKS])


def _earlier(store: PaperStore, source: Source, sha256: str) -> ParseRecord | None:
    """What stands there already; None too for a record that cannot be read, which parsing again is to mend.

    Raises:
        MisuseError: it is another paper.
    """
    if not store.has_parse():
        return None
    try:
        earlier = store.parse_record()
    except SchemaError:
        return None
    same_version = earlier.origin == source.origin and _ARXIV_VERSION.fullmatch(source.origin) is not None
    if earlier.sha256 != sha256 and not same_version:  # its LaTeX source may have been out of reach the other time
        raise MisuseError(f"{store.root} already holds another paper ({earlier.origin}); choose another --paper-id")
    return earlier


def figure_entries(paper: ReadPaper) -> tuple[FigureEntry, ...]:
    """Every figure in a line, with the digest of its image."""
    entries = []
    for figure in paper.document.figures:
        name = image_name(figure)
        image = paper.figures[name] if name is not None and name in paper.figures else None
        entries.append(
            FigureEntry(
                id=figure.id,
                label=figure.label,
                page=figure.page,
                bbox=figure.bbox,
                caption=figure.caption.text if figure.caption else None,
                image=None if image is None else name,
                image_sha256=None if image is None else digest(image),
            )
        )
    return tuple(entries)


def _record(source: Source, sha256: str, parsed: Parsed, licence: str, files: Mapping[str, str]) -> ParseRecord:
    document = parsed.document
    return ParseRecord(
        schema_version=1,
        paper_id=document.paper_id,
        origin=source.origin,
        sha256=sha256,
        licence=licence,
        parser=parsed.parser,
        parser_version=parsed.parser_version,
        reproducegym_version=__version__,
        pages=len(document.pages),
        tables=len(document.tables),
        figures=len(document.figures),
        warnings=document.warnings,
        links=_links(source, parsed),
        files=dict(files),
    )
