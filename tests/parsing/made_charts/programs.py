"""Other programs that make the PDF of a matplotlib figure: cairo, and what turns matplotlib's SVG into PDF.

TeX (matplotlib's `pgf`) and a converter of PostScript are no packages of Python, and are left out.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO, StringIO
from pathlib import Path

import matplotlib
import pymupdf
import typst
from matplotlib.figure import Figure

_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def _matplotlib(figure: Figure) -> bytes:
    target = BytesIO()
    figure.savefig(target, format="pdf", metadata={"CreationDate": None})
    return target.getvalue()


def _cairo(figure: Figure) -> bytes:
    target = BytesIO()
    figure.savefig(target, format="pdf", backend="cairo")
    return target.getvalue()


def _svg(figure: Figure) -> str:
    """The figure as SVG with its words as text."""
    target = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    return target.getvalue()


def _typst(figure: Figure) -> bytes:
    wide, high = (72 * float(side) for side in figure.get_size_inches())
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "drawing.svg").write_text(_svg(figure), encoding="utf-8")
        page = f'#set page(width: {wide}pt, height: {high}pt, margin: 0pt)\n#image("drawing.svg", width: {wide}pt)\n'
        (folder / "drawing.typ").write_text(page, encoding="utf-8")
        return typst.compile(folder / "drawing.typ", ignore_system_fonts=True, font_paths=[str(_FONTS)], timestamp=0)


def _mupdf(figure: Figure) -> bytes:
    with pymupdf.open(stream=_svg(figure).encode(), filetype="svg") as drawing:
        return drawing.convert_to_pdf()


def _reportlab(figure: Figure) -> bytes:
    from reportlab.graphics import renderPDF
    from svglib.fonts import register_font
    from svglib.svglib import svg2rlg

    for name, file in (("DejaVu Sans", "DejaVuSans.ttf"), ("STIXGeneral", "STIXGeneral.ttf")):
        register_font(name, str(_FONTS / file))
    return renderPDF.drawToString(svg2rlg(BytesIO(_svg(figure).encode())))


PROGRAMS: dict[str, Callable[[Figure], bytes]] = {
    "matplotlib": _matplotlib,
    "cairo": _cairo,
    "Typst": _typst,
    "MuPDF": _mupdf,
    "ReportLab": _reportlab,
}
_PROGRAM: ContextVar[str] = ContextVar("program", default="matplotlib")


@contextmanager
def drawn_by(program: str) -> Iterator[None]:
    """Figures that are finished meanwhile get their PDF from this program."""
    token = _PROGRAM.set(program)
    try:
        yield
    finally:
        _PROGRAM.reset(token)


def pdf_of(figure: Figure) -> bytes:
    """The figure as PDF, by the program that is chosen."""
    return PROGRAMS[_PROGRAM.get()](figure)
