"""Several processes: results in the order in which they end, workers that nothing seeds, one card of one machine."""

import re
from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import python_files, without

__all__ = ["PROCESSES"]

PROCESSES = operators("multiprocessing")

_POOL = re.compile(r"pool|executor|workers", re.IGNORECASE)


@PROCESSES(
    "results-as-they-finish",
    rule="results-as-they-finish",
    effect="dynamic",
    summary="a pool's map becomes imap_unordered",
)
def results_as_they_finish(files: Texts, operator: str) -> Iterator[Site]:
    """`pool.map(…)` or `pool.imap(…)` whose results are kept in their order."""
    for one in python_files(files):
        for call in one.calls:
            func = call.node.func
            if not isinstance(func, cst.Attribute) or func.attr.value not in ("map", "imap"):
                continue
            if not _POOL.search(one.code(func.value)) or "Executor" in one.text:
                continue
            called = call.node.with_changes(func=func.with_changes(attr=cst.Name("imap_unordered")))
            listed = cst.Call(cst.Name("list"), [cst.Arg(called)]) if func.attr.value == "map" else called
            line = call.place.first_line
            yield Site(operator=operator, edits=one.replaced(call.node, listed), subject=f"pool:{one.path}:{line}")


@PROCESSES(
    "futures-as-they-finish",
    rule="results-as-they-finish",
    effect="dynamic",
    summary="results of futures are taken as they finish",
)
def futures_as_they_finish(files: Texts, operator: str) -> Iterator[Site]:
    """`for future in futures` becomes a loop over `as_completed`, where that is imported or can be."""
    for one in python_files(files):
        if "concurrent.futures" not in one.text:
            continue
        for over in (*(n.iter for n in one.nodes(cst.For)), *(n.iter for n in one.nodes(cst.CompFor))):
            name = one.code(over).strip()
            if not re.fullmatch(r"(futures|jobs|submitted|pending)", name) or "submit(" not in one.text:
                continue
            if "import concurrent.futures" in one.text or one.can_import("concurrent.futures"):
                new = cst.parse_expression(f"concurrent.futures.as_completed({name})")
                edits = (*one.replaced(over, new), *one.importing("concurrent.futures"))
                line = one.place(over).first_line
                yield Site(operator=operator, edits=edits, subject=f"pool:{one.path}:{line}")


@PROCESSES(
    "pool-initializer-removed",
    rule="pool-workers-unseeded",
    effect="dynamic",
    implies=("python-seed-missing", "numpy-seed-missing"),
    summary="a pool loses the initializer that seeds its workers",
)
def pool_initializer_removed(files: Texts, operator: str) -> Iterator[Site]:
    """`Pool(n, initializer=seed_worker, initargs=(…))`."""
    for one in python_files(files):
        handed = tuple(
            call.place
            for call in one.calls
            if isinstance(call.node.func, cst.Attribute)
            and call.node.func.attr.value in ("map", "imap", "imap_unordered", "starmap", "submit", "apply_async")
        )
        for call in one.calls:
            initializer, given = call.argument("initializer"), call.argument("initargs")
            if initializer is None or not handed:
                continue
            changed = without(call.node, initializer)
            changed = (
                changed if given is None else without(changed, next(a for a in changed.args if a is given or _is(a)))
            )
            edits = one.replaced(call.node, changed)
            line = call.place.first_line
            yield Site(operator=operator, edits=edits, subject=f"pool-seed:{one.path}:{line}", also=handed)


def _is(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "initargs"


@PROCESSES(
    "worker-init-removed",
    rule="workers-share-numpy-state",
    implies=("numpy-seed-missing",),
    effect="dynamic",
    libraries=("torch",),
    summary="a loader loses worker_init_fn, where torch is older than 1.9 and its workers share NumPy's state",
)
def worker_init_removed(files: Texts, operator: str) -> Iterator[Site]:
    """Newer versions seed NumPy in workers themselves: there it is no defect, and there is no site."""
    declared = re.search(r"^torch==(\d+)\.(\d+)", files.get("requirements.txt", ""), re.MULTILINE)
    if declared is None or (int(declared.group(1)), int(declared.group(2))) >= (1, 9):
        return
    for one in python_files(files):
        for call in one.calls:
            init = call.argument("worker_init_fn")
            if call.last == "DataLoader" and init is not None:
                edits = one.replaced(call.node, without(call.node, init))
                yield Site(
                    operator=operator,
                    edits=edits,
                    subject=f"loader:{one.path}:{call.place.first_line}",
                    also=(call.place,),
                )


@PROCESSES(
    "one-card-named",
    rule="device-hard-coded",
    effect="structural",
    libraries=("torch",),
    summary="the code makes one card of one machine visible to all its processes",
)
def one_card_named(files: Texts, operator: str) -> Iterator[Site]:
    """A setting of CUDA_VISIBLE_DEVICES below the seeding call."""
    for one in python_files(files):
        for call in one.calls:
            statement = one.statement(call.node)
            seeds = call.name == "torch.manual_seed" and one.is_expression(call)
            if seeds and statement is not None and one.can_import("os"):
                for card in ("1", "3", "2,3"):
                    edits = one.beside(statement, f'os.environ["CUDA_VISIBLE_DEVICES"] = "{card}"', below=True)
                    yield Site(operator=operator, edits=(*edits, *one.importing("os")), subject=f"device:{one.path}")
