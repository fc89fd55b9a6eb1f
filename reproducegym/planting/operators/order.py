"""Order: files as the file system lists them, label ids as a set gives them."""

from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import python_files

__all__ = ["DATALOADER"]

DATALOADER = operators("dataloader_reproducibility")

_LISTINGS = {"glob.glob", "glob.iglob", "os.listdir", "os.scandir"}
_PATH_LISTINGS = {"glob", "rglob", "iterdir"}


@DATALOADER(
    "listing-unsorted",
    rule="unsorted-listing",
    effect="dynamic",
    summary="sorted() around a listing of files is removed",
)
def listing_unsorted(files: Texts, operator: str) -> Iterator[Site]:
    """`sorted(listing)` with nothing else, where the list is kept."""
    for one in python_files(files):
        for call in one.calls:
            if call.name != "builtins.sorted" or len(call.node.args) != 1 or not _is_kept(one.parent(call.node)):
                continue
            inner = call.node.args[0].value
            if not isinstance(inner, cst.Call):
                continue
            name = one.name(inner.func)
            of_path = isinstance(inner.func, cst.Attribute) and inner.func.attr.value in _PATH_LISTINGS
            if name in _LISTINGS or of_path:
                bare = name in {"glob.glob", "os.listdir"}
                new = inner if bare else call.node.with_changes(func=cst.Name("list"))
                yield Site(operator=operator, edits=one.replaced(call.node, new), subject=f"listing:{one.path}")


def _is_kept(around: cst.CSTNode | None) -> bool:
    return isinstance(around, cst.Assign | cst.Return | cst.For | cst.CompFor)
