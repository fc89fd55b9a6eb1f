"""Python files and notebooks to syntax trees whose lines are those of the file on disk."""

import ast
import json
import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass

from ml_audit.code.older import without_line, younger

__all__ = ["Cell", "Module", "parse_notebook", "parse_python"]

_MAGIC = re.compile(r"^\s*(?:[%!?].*|[\w.]+\?+\s*|[\w, ]+=\s*[!%].*)$")
_PYTHON_CELLS = ("%%time", "%%capture", "%%prun", "%%wandb")
_SOURCE = re.compile(r'"(?:source|input)"\s*:\s*')
_NEWLINE = re.compile("\n")
MOST_BROKEN = 12
LONGEST_BROKEN = 200_000
"""Characters: longer broken files are not tried again."""

LONGEST_CODE = 3_000_000
"""Characters of code in one file; longer ones are generated, and not parsed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell of a notebook: its first line in the module's text, and the number it was run as, if any."""

    line: int
    run_as: int | None


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed file: `broken` says what its syntax breaks and on which line, and `tree` is the rest of it, if any."""

    path: str
    text: str
    tree: ast.Module | None
    raw_lines: tuple[int, ...] | None = None
    broken: tuple[tuple[int, str], ...] = ()
    cells: tuple[Cell, ...] = ()

    def line(self, number: int) -> int:
        """The line of the file on disk for a line of the tree, both from 1."""
        if self.raw_lines is None:
            return number
        return self.raw_lines[min(max(number, 1), len(self.raw_lines)) - 1] if self.raw_lines else 1


def parse_python(path: str, content: bytes) -> Module:
    """Parse a Python file; never raises on its content."""
    text = _decoded(content)
    tree, problem = _tree(text)
    if problem is None:
        return Module(path, text, tree)
    return Module(path, text, _rest_of(text), broken=(problem,))


def _rest_of(text: str) -> ast.Module | None:
    """What can be read of a broken file, its lines kept: as older Python, and without up to `MOST_BROKEN` lines."""
    if len(text) > LONGEST_BROKEN:
        return None
    tried = younger(text)
    for _ in range(MOST_BROKEN):
        tree, problem = _tree(tried)
        if problem is None:
            return tree
        shorter = without_line(tried, problem[0])
        if shorter == tried:
            return None
        tried = shorter
    return None


def parse_notebook(path: str, content: bytes) -> Module:
    """Parse the code cells of a notebook as one module; a cell with broken syntax is left out and named."""
    text = content.decode("utf-8", errors="replace")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Module(path, "", None, raw_lines=(1,), broken=((getattr(error, "lineno", 1), f"no JSON: {error}"),))
    lines: list[str] = []
    raw: list[int] = []
    cells: list[Cell] = []
    broken: list[tuple[int, str]] = []
    for code, places, run_as in _code_cells(told, text):
        cells.append(Cell(len(lines) + 1, run_as))
        shown = code
        tree, problem = _tree("\n".join(shown))
        if tree is None:
            shown = _plain(code)
            tree, problem = _tree("\n".join(shown))
        if tree is None and problem is not None:
            broken.append((places[min(problem[0], len(places)) - 1], problem[1]))
            shown = [""] * len(shown)
        lines += shown
        raw += places
    joined = "\n".join(lines)
    return Module(path, joined, _tree(joined)[0], tuple(raw), tuple(broken), tuple(cells))


def _decoded(content: bytes) -> str:
    encoding = "utf-8-sig"
    if found := re.match(rb"(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", content):
        encoding = found.group(1).decode("ascii", errors="replace")
    try:
        return content.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return content.decode("utf-8-sig", errors="replace")


def _tree(text: str) -> tuple[ast.Module | None, tuple[int, str] | None]:
    if len(text) > LONGEST_CODE:
        return None, (1, "too long to be written by hand; not parsed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), None
    except SyntaxError as error:
        return None, (error.lineno or 1, error.msg or "broken syntax")
    except (ValueError, RecursionError, MemoryError) as error:
        return None, (1, str(error) or type(error).__name__)


def _plain(code: list[str]) -> list[str]:
    """A cell without its magic commands; a cell in another language is empty."""
    first = next((line for line in code if line.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON_CELLS):
        return [""] * len(code)
    return [f"{line[: len(line) - len(line.lstrip())]}pass" if _MAGIC.match(line) else line for line in code]


def _code_cells(told: object, text: str) -> list[tuple[list[str], list[int], int | None]]:
    cells = _cells_of(told)
    starts = [0, *(m.end() for m in _NEWLINE.finditer(text))]
    keys = [m.end() for m in _SOURCE.finditer(text)]
    aligned = len(keys) == len(cells)
    found = []
    cursor = 0
    for number, cell in enumerate(cells):
        if aligned:
            cursor = keys[number]
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        pieces = source if isinstance(source, list) else [source]
        lines: list[str] = []
        places: list[int] = []
        for piece in pieces:
            if not isinstance(piece, str):
                continue
            cursor = _after(text, piece, cursor)
            here = bisect_right(starts, max(cursor - 1, 0))
            for line in piece.split("\n") if not piece.endswith("\n") else piece[:-1].split("\n"):
                lines.append(line)
                places.append(here)
        if lines:
            run_as = cell.get("execution_count", cell.get("prompt_number"))
            found.append((lines, places, run_as if isinstance(run_as, int) else None))
    return found


def _after(text: str, piece: str, cursor: int) -> int:
    for ascii_only in (False, True):
        encoded = json.dumps(piece, ensure_ascii=ascii_only)
        at = text.find(encoded, cursor)
        if at >= 0:
            return at + len(encoded)
    return cursor


def _cells_of(told: object) -> list[dict[str, object]]:
    if not isinstance(told, dict):
        return []
    cells = told.get("cells")
    if cells is None and isinstance(sheets := told.get("worksheets"), list):
        cells = [c for sheet in sheets if isinstance(sheet, dict) for c in sheet.get("cells", [])]
    return [c for c in cells if isinstance(c, dict)] if isinstance(cells, list) else []
