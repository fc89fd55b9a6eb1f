"""Order and loading of data: files as the file system lists them, label ids as a set gives them, unseeded loaders."""

from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import PythonFile, python_files, without
from reproducegym.planting.operators.random_state import unseeded_calls

__all__ = ["DATALOADER"]

DATALOADER = operators("dataloader_reproducibility")

_LISTINGS = {"glob.glob", "glob.iglob", "os.listdir", "os.scandir"}
_PATH_LISTINGS = {"glob", "rglob", "iterdir"}


def _sorted_calls(one: PythonFile) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """Calls of `sorted` with nothing but what is sorted, where the order is kept."""
    for call in one.calls:
        kept = isinstance(one.parent(call.node), cst.Assign | cst.Return | cst.For | cst.CompFor)
        if kept and call.name == "builtins.sorted" and len(call.node.args) == 1:
            yield call.node, call.node.args[0].value


def _is_listing(one: PythonFile, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.Call):
        return False
    of_path = isinstance(node.func, cst.Attribute) and node.func.attr.value in _PATH_LISTINGS
    return one.name(node.func) in _LISTINGS or of_path


@DATALOADER(
    "listing-unsorted",
    rule="unsorted-listing",
    effect="dynamic",
    summary="sorted() around a listing of files is removed",
)
def listing_unsorted(files: Texts, operator: str) -> Iterator[Site]:
    """`sorted(listing)` becomes the listing, or a list of it."""
    for one in python_files(files):
        for node, inner in _sorted_calls(one):
            if _is_listing(one, inner) and isinstance(inner, cst.Call):
                bare = one.name(inner.func) in {"glob.glob", "os.listdir"}
                new = inner if bare else node.with_changes(func=cst.Name("list"))
                line = one.place(node).first_line
                yield Site(operator=operator, edits=one.replaced(node, new), subject=f"listing:{one.path}:{line}")


@DATALOADER(
    "listing-filtered-unsorted",
    rule="unsorted-listing",
    effect="dynamic",
    summary="sorted() around a filtered listing of files becomes a plain list",
)
def listing_filtered_unsorted(files: Texts, operator: str) -> Iterator[Site]:
    """`sorted(path for path in listing if …)` becomes a list in the order of the file system."""
    for one in python_files(files):
        for node, inner in _sorted_calls(one):
            if isinstance(inner, cst.GeneratorExp) and _is_listing(one, inner.for_in.iter):
                new = cst.ListComp(elt=inner.elt, for_in=inner.for_in)
                line = one.place(node).first_line
                yield Site(operator=operator, edits=one.replaced(node, new), subject=f"listing:{one.path}:{line}")


@DATALOADER(
    "labels-from-set",
    rule="labels-from-set",
    effect="dynamic",
    summary="sorted() around a set of names that are numbered is replaced by list()",
)
def labels_from_set(files: Texts, operator: str) -> Iterator[Site]:
    """`sorted(set(…))` or `sorted({…})` becomes a list or tuple, in an order that the hash seed decides."""
    for one in python_files(files):
        for node, inner in _sorted_calls(one):
            of_set = isinstance(inner, cst.Call) and one.name(inner.func) == "builtins.set"
            if not of_set and not isinstance(inner, cst.Set | cst.SetComp):
                continue
            for maker in ("list", "tuple"):
                new = node.with_changes(func=cst.Name(maker))
                line = one.place(node).first_line
                yield Site(operator=operator, edits=one.replaced(node, new), subject=f"set:{one.path}:{line}")


@DATALOADER(
    "hash-of-text",
    rule="hash-of-text",
    effect="dynamic",
    summary="a checksum of a text that chooses a bucket or a fold becomes the built-in hash()",
)
def hash_of_text(files: Texts, operator: str) -> Iterator[Site]:
    """`zlib.crc32(name.encode())`, whose value is the same in each process."""
    for one in python_files(files):
        for call in one.calls:
            if call.name in ("zlib.crc32", "zlib.adler32", "binascii.crc32") and len(call.node.args) == 1:
                given = call.node.args[0].value
                text = (
                    given.func.value if isinstance(given, cst.Call) and isinstance(given.func, cst.Attribute) else given
                )
                new = cst.Call(cst.Name("hash"), [cst.Arg(text)])
                line = call.place.first_line
                yield Site(operator=operator, edits=one.replaced(call.node, new), subject=f"hash:{one.path}:{line}")


@DATALOADER(
    "split-unseeded",
    rule="sklearn-random-state-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("sklearn",),
    summary="a split or a cross-validation has no random_state",
)
def split_unseeded(files: Texts, operator: str) -> Iterator[Site]:
    """`train_test_split(…, random_state=seed)`, `KFold(…, shuffle=True, random_state=seed)` and their like."""
    yield from unseeded_calls(
        files, operator, lambda call: call.name.startswith("sklearn.model_selection.") and "Search" not in call.last
    )


@DATALOADER(
    "loader-generator-removed",
    rule="loader-workers-unseeded",
    effect="state",
    libraries=("torch",),
    summary="a shuffling loader with workers loses its generator",
)
def loader_generator_removed(files: Texts, operator: str) -> Iterator[Site]:
    """`DataLoader(…, shuffle=True, num_workers=2, generator=g)`; PyTorch from 1.9 on seeds NumPy in workers itself."""
    for one in python_files(files):
        for call in one.calls:
            generator = call.argument("generator")
            works = call.argument("num_workers") is not None and call.argument("shuffle") is not None
            if (
                call.last == "DataLoader"
                and works
                and generator is not None
                and call.argument("worker_init_fn") is None
            ):
                edits = one.replaced(call.node, without(call.node, generator))
                yield Site(
                    operator=operator,
                    edits=edits,
                    subject=f"loader:{one.path}:{call.place.first_line}",
                    also=(call.place,),
                )
