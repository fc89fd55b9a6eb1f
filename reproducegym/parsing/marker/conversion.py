"""Runs marker on a PDF in this process, on its text layer alone, and gives its JSON."""

import io
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from reproducegym.errors import MisuseError, UnreadablePaperError
from reproducegym.ports import Availability

if TYPE_CHECKING:
    from surya.fast_layout.server import LayoutEngine

__all__ = ["marker_availability", "marker_json", "marker_version"]

_PACKAGE = "marker-pdf"
_INSTALL = "install it with: pip install 'reproducegym[marker]'"
_LONGEST = 120
_SETTINGS = {
    "mode": "fast",
    "disable_ocr": True,  # numbers are taken from the text layer; a guessed one is worth nothing
    "extract_images": False,
    "pdftext_workers": 1,
    "disable_tqdm": True,
}


def marker_version() -> str:
    """The version that is installed; empty without it."""
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return ""


def marker_availability() -> Availability:
    """Whether marker is installed; its models are fetched at first use."""
    found = marker_version()
    return Availability(bool(found), f"{_PACKAGE} {found}" if found else f"not installed; {_INSTALL}")


def marker_json(content: bytes, origin: str) -> str:
    """What marker makes of a PDF: pages with their blocks in reading order, as its JSON renderer writes them.

    Raises:
        MisuseError: marker is not installed, or its models are not here and cannot be fetched.
        UnreadablePaperError: marker fails on this PDF.
    """
    try:
        from marker.converters.pdf import PdfConverter
        from surya.fast_layout.server import LayoutEngine
    except ImportError as error:
        raise MisuseError(f"--parser marker: {_PACKAGE} is {_missing(error)}; or use --parser pymupdf") from error
    try:
        layout = _Layout(LayoutEngine())
        models = {
            "layout_model": layout,
            "fast_layout_model": layout,
            "recognition_model": None,
            "ocr_error_model": None,
        }
        convert = PdfConverter(models, renderer="marker.renderers.json.JSONRenderer", config=dict(_SETTINGS))
    except Exception as error:
        raise MisuseError(
            f"--parser marker: its models are not here and cannot be fetched ({_line(error)}); "
            "connect to the network once, or use --parser pymupdf"
        ) from error
    try:
        return str(convert(io.BytesIO(content)).model_dump_json())
    except Exception as error:
        raise UnreadablePaperError(f"marker cannot read {origin} ({_line(error)}); use --parser pymupdf") from error


class _Layout:
    """Marker's layout model in this process; marker's own client starts a server that outlives us."""

    disable_tqdm = True

    def __init__(self, engine: "LayoutEngine") -> None:
        self._engine = engine

    def __call__(self, images: Sequence[object], use_order: bool = False) -> list[object]:
        """The layout of each page image; where there is text, marker takes the order from it."""
        return list(self._engine.run_batch(list(images), [{"use_order": use_order} for _ in images]))


def _missing(error: ImportError) -> str:
    return f"not installed; {_INSTALL}" if not marker_version() else f"damaged ({_line(error)}); {_INSTALL}"


def _line(error: Exception) -> str:
    said = " ".join(str(error).split())
    said = said if len(said) <= _LONGEST else said[:_LONGEST] + "…"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
