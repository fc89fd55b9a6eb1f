"""PyMuPDF without the layout models that it loads with itself: a second and 90 MB for what no reader here asks."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["pymupdf"]

_UNASKED = frozenset({"pymupdf.layout", "pymupdf4llm"})


class _Without(MetaPathFinder):
    """Says of these modules that they are not installed, which PyMuPDF is prepared for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in _UNASKED:
            raise ModuleNotFoundError(f"{fullname} is left out", name=fullname)
        return None


_without = _Without()
sys.meta_path.insert(0, _without)
try:
    import pymupdf
finally:
    sys.meta_path.remove(_without)
