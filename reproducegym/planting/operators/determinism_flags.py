"""Flags of libraries that ask for the same kernels each time: gone, turned off, or turned the other way."""

from collections.abc import Iterator

import libcst as cst

from reproducegym.planting.edit import Place, Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import PythonFile, python_files

__all__ = ["DETERMINISM_FLAGS"]

DETERMINISM_FLAGS = operators("determinism_flags")

_ASKS = "torch.use_deterministic_algorithms"


def _whole(told: list[PythonFile]) -> tuple[Place, ...]:
    """The files that use torch, as a whole: what nobody asks for has no line."""
    return tuple(Place(file=one.path, first_line=0, last_line=0) for one in told if "torch" in one.text)


def _settings(one: PythonFile, ending: str) -> Iterator[tuple[cst.Assign, cst.SimpleStatementLine]]:
    """Statements that assign to an attribute or item with this ending."""
    for assign in one.nodes(cst.Assign):
        statement = one.statement(assign)
        if statement is not None and one.code(assign.targets[0].target).strip().endswith(ending):
            yield assign, statement


@DETERMINISM_FLAGS(
    "deterministic-algorithms-removed",
    rule="determinism-flags-missing",
    effect="state",
    libraries=("torch",),
    summary="the one call that asks torch for deterministic algorithms is removed",
)
def deterministic_algorithms_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The statement goes where nothing else asks."""
    told = list(python_files(files))
    asked = [(one, call) for one in told for call in one.calls if call.name == _ASKS and one.is_expression(call)]
    others = any(True for one in told for _ in _settings(one, "cudnn.deterministic"))
    for one, call in asked if len(asked) == 1 and not others else ():
        statement = one.statement(call.node)
        if statement is not None:
            yield Site(operator=operator, edits=one.removed(statement), subject="flags", also=_whole(told))


@DETERMINISM_FLAGS(
    "deterministic-algorithms-off",
    rule="determinism-flags-missing",
    effect="state",
    libraries=("torch",),
    summary="torch is asked for deterministic algorithms with False",
)
def deterministic_algorithms_off(files: Texts, operator: str) -> Iterator[Site]:
    """True becomes False where nothing else asks."""
    told = list(python_files(files))
    asked = [(one, call) for one in told for call in one.calls if call.name == _ASKS]
    others = any(True for one in told for _ in _settings(one, "cudnn.deterministic"))
    for one, call in asked if len(asked) == 1 and not others else ():
        first = call.node.args[0] if call.node.args else None
        if first is not None and isinstance(first.value, cst.Name) and first.value.value == "True":
            edits = one.replaced(first, first.with_changes(value=cst.Name("False")))
            yield Site(operator=operator, edits=edits, subject="flags", also=_whole(told))


@DETERMINISM_FLAGS(
    "cudnn-deterministic-removed",
    rule="determinism-flags-missing",
    effect="state",
    libraries=("torch",),
    summary="torch.backends.cudnn.deterministic is no longer set",
)
def cudnn_deterministic_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The statement goes where nothing else asks."""
    told = list(python_files(files))
    asked = any(call.name == _ASKS for one in told for call in one.calls)
    found = [(one, statement) for one in told for _, statement in _settings(one, "cudnn.deterministic")]
    for one, statement in found if len(found) == 1 and not asked else ():
        yield Site(operator=operator, edits=one.removed(statement), subject="flags", also=_whole(told))


@DETERMINISM_FLAGS(
    "cudnn-benchmark-on",
    rule="cudnn-benchmark-on",
    effect="state",
    libraries=("torch",),
    summary="torch.backends.cudnn.benchmark becomes True",
)
def cudnn_benchmark_on(files: Texts, operator: str) -> Iterator[Site]:
    """False becomes True; where it is not set, it is set below the seeding call."""
    told = list(python_files(files))
    found = [(one, assign) for one in told for assign, _ in _settings(one, "cudnn.benchmark")]
    for one, assign in found:
        if one.code(assign.value).strip() == "False":
            edits = one.replaced(assign.value, cst.Name("True"))
            yield Site(operator=operator, edits=edits, subject="benchmark")
    if not found:
        yield from _below_seed(told, operator, "torch.backends.cudnn.benchmark = True", "benchmark")


@DETERMINISM_FLAGS(
    "tf32-on",
    rule="reduced-precision-on",
    effect="state",
    libraries=("torch",),
    summary="matrix products may use TF32",
)
def tf32_on(files: Texts, operator: str) -> Iterator[Site]:
    """Set below the seeding call, by either spelling."""
    told = list(python_files(files))
    if any("allow_tf32" in one.text or "float32_matmul" in one.text for one in told):
        return
    for code in ("torch.backends.cuda.matmul.allow_tf32 = True", 'torch.set_float32_matmul_precision("high")'):
        yield from _below_seed(told, operator, code, "tf32")


def _below_seed(told: list[PythonFile], operator: str, code: str, subject: str) -> Iterator[Site]:
    for one in told:
        for call in one.calls:
            statement = one.statement(call.node)
            if call.name == "torch.manual_seed" and one.is_expression(call) and statement is not None:
                yield Site(operator=operator, edits=one.beside(statement, code, below=True), subject=subject)


@DETERMINISM_FLAGS(
    "cublas-workspace-removed",
    rule="cublas-workspace-unset",
    effect="state",
    libraries=("torch",),
    summary="the environment variable that fixes cuBLAS's workspace is no longer set",
)
def cublas_workspace_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The one statement that sets it, in a project that asks for deterministic algorithms."""
    told = list(python_files(files))
    if sum("CUBLAS_WORKSPACE_CONFIG" in text for text in files.values()) != 1:
        return
    also = tuple(call.place for one in told for call in one.calls if call.name == _ASKS)
    for one in told:
        for assign in one.nodes(cst.Assign):
            statement = one.statement(assign)
            if statement is not None and "CUBLAS_WORKSPACE_CONFIG" in one.code(assign.targets[0].target) and also:
                yield Site(operator=operator, edits=one.removed(statement), subject="cublas", also=also)
