"""Seeds: global generators that nothing seeds any more, or that get another seed in each run."""

import re
from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from reproducegym.planting.edit import Edit, Place, Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import Call, PythonFile, keyword, python_files

__all__ = ["RANDOM_SEEDS", "draws_of", "seed_flags"]

RANDOM_SEEDS = operators("random_seeds")

_NO_DRAWS = {"seed", "Random", "RandomState", "default_rng", "Generator", "SeedSequence", "PCG64", "MT19937"}
_TORCH_DRAWS = ("torch.nn.Linear", "torch.nn.Conv", "torch.nn.Embedding", "torch.nn.LSTM", "torch.nn.GRU", "torch.rand")
_ANEW = (
    ("time", "int(time.time())"),
    ("time", "time.time_ns() % 2**32"),
    ("os", "os.getpid()"),
    ("os", 'int.from_bytes(os.urandom(4), "little")'),
)


def draws_of(generator: str, told: list[PythonFile]) -> tuple[Place, ...]:
    """Every place that draws from a global generator: `numpy`, `python` or `torch`."""
    found = []
    for one in told:
        for call in one.calls:
            if generator == "torch":
                draws = call.name.startswith(_TORCH_DRAWS)
            else:
                room = "numpy.random." if generator == "numpy" else "random."
                draws = call.name.startswith(room) and call.last not in _NO_DRAWS
            if draws:
                found.append(call.place)
    return tuple(found)


def _removed(files: Texts, operator: str, generator: str, seeding: str) -> Iterator[Site]:
    """The only seeding call of a global generator that the project draws from."""
    told = list(python_files(files))
    draws = draws_of(generator, told)
    seeds = [(one, call) for one in told for call in one.calls if call.name == seeding and one.is_expression(call)]
    if len(seeds) == 1 and draws:
        one, call = seeds[0]
        statement = one.statement(call.node)
        if statement is not None:
            yield Site(operator=operator, edits=one.removed(statement), subject=f"seed:{generator}", also=draws)


@RANDOM_SEEDS(
    "numpy-seed-removed",
    rule="numpy-seed-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("numpy",),
    summary="the one call of numpy.random.seed is removed, and draws from NumPy's global generator stay",
)
def numpy_seed_removed(files: Texts, operator: str) -> Iterator[Site]:
    """NumPy's global generator."""
    yield from _removed(files, operator, "numpy", "numpy.random.seed")


@RANDOM_SEEDS(
    "python-seed-removed",
    rule="python-seed-missing",
    implies=("setting-unread",),
    effect="dynamic",
    summary="the one call of random.seed is removed, and draws from Python's global generator stay",
)
def python_seed_removed(files: Texts, operator: str) -> Iterator[Site]:
    """Python's global generator."""
    yield from _removed(files, operator, "python", "random.seed")


@RANDOM_SEEDS(
    "torch-seed-removed",
    rule="torch-seed-missing",
    implies=("setting-unread",),
    effect="dynamic",
    libraries=("torch",),
    summary="the one call of torch.manual_seed is removed, and layers are drawn unseeded",
)
def torch_seed_removed(files: Texts, operator: str) -> Iterator[Site]:
    """PyTorch's global generator, in a project without another one."""
    if not any("torch.Generator" in one.text for one in python_files(files)):
        yield from _removed(files, operator, "torch", "torch.manual_seed")


@RANDOM_SEEDS(
    "seed-from-clock",
    rule="seed-from-clock",
    implies=("setting-unread", "numpy-seed-missing", "seed-on-some-paths"),
    effect="dynamic",
    summary="a global generator is seeded with the time, the process id or the system's noise",
)
def seed_from_clock(files: Texts, operator: str) -> Iterator[Site]:
    """The one argument of a call that seeds a global generator."""
    for one in python_files(files):
        for call in one.calls:
            if call.name in ("numpy.random.seed", "random.seed", "torch.manual_seed") and len(call.node.args) == 1:
                yield from _anew(one, call, operator, f"seed:{_generator(call)}")


@RANDOM_SEEDS(
    "generator-from-clock",
    rule="seed-from-clock",
    implies=("setting-unread",),
    effect="dynamic",
    summary="a generator of one's own is seeded with the time, the process id or the system's noise",
)
def generator_from_clock(files: Texts, operator: str) -> Iterator[Site]:
    """The one argument of a call that makes a generator of NumPy."""
    for one in python_files(files):
        for call in one.calls:
            if call.name in ("numpy.random.default_rng", "numpy.random.RandomState") and len(call.node.args) == 1:
                yield from _anew(one, call, operator, f"rng:{one.path}:{call.place.first_line}")


def _anew(one: PythonFile, call: Call, operator: str, subject: str) -> Iterator[Site]:
    for module, code in _ANEW:
        if not one.can_import(module):
            continue
        changed = call.node.with_changes(args=[cst.Arg(cst.parse_expression(code))])
        edits = (*one.replaced(call.node, changed), *one.importing(module))
        if not _overlap(edits):
            yield Site(operator=operator, edits=edits, subject=subject)


def _generator(call: Call) -> str:
    return {"numpy.random.seed": "numpy", "random.seed": "python"}.get(call.name, "torch")


_RECKONS = re.compile(r"seed\s*[+*]|\[\s*(args\.)?seed\b|SeedSequence\(|int\((args\.)?seed")
"""Code that does not run without a number for the seed, or that draws a seed from nothing elsewhere."""


def _takes_seed(one: PythonFile, call: Call) -> bool:
    """Whether a generator is seeded with a name that says so, or with None."""
    given = call.node.args[0].value if len(call.node.args) == 1 else None
    return call.name in _WITH_NONE and given is not None and one.code(given).strip().endswith("seed")


_WITH_NONE = {"numpy.random.seed", "random.seed", "numpy.random.default_rng", "numpy.random.RandomState"}


def _is_reckoned(one: PythonFile, call: Call) -> bool:
    """Whether the function around a seeding call works its seed out itself: it is not what the flag says."""
    around = next((n for n in one.above(call.node) if isinstance(n, cst.FunctionDef)), None)
    name = one.code(call.node.args[0].value).strip()
    return around is not None and bool(re.search(rf"^\s*{re.escape(name)} = ", one.code(around), re.MULTILINE))


def seed_flags(told: list[PythonFile]) -> list[tuple[PythonFile, Call, cst.Arg]]:
    """The flags of parsers that name a seed and have a whole number as default."""
    return [
        (one, call, default)
        for one in told
        for call in one.calls
        if call.node.args
        and "seed"
        in one.code(call.node.args[0]).lower().replace("random-state", "seed").replace("random_state", "seed")
        and one.code(call.node.func).endswith("add_argument")
        and (default := call.argument("default")) is not None
        and isinstance(default.value, cst.Integer)
    ]


@RANDOM_SEEDS(
    "seed-default-none",
    rule="seed-off-by-default",
    implies=("generator-unseeded", "sklearn-random-state-missing", "seed-on-some-paths", "setting-unread"),
    effect="dynamic",
    summary="the flag for the seed is None by default, or has no default",
)
def seed_default_none(files: Texts, operator: str) -> Iterator[Site]:
    """The default of a flag for the seed, whose value a seeding call is given."""
    told = list(python_files(files))
    also = tuple(call.place for one in told for call in one.calls if _takes_seed(one, call))
    if not also or any(_RECKONS.search(one.text) for one in told):
        return
    for one, call, default in seed_flags(told):
        kept = [a for a in call.node.args if a is not default]
        for changed in (
            call.node.deep_replace(default, default.with_changes(value=cst.Name("None"))),
            call.node.with_changes(args=[*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]),
        ):
            if isinstance(changed, cst.Call):
                yield Site(operator=operator, edits=one.replaced(call.node, changed), subject="seed:flag", also=also)


@RANDOM_SEEDS(
    "seed-if-not-zero",
    rule="seed-off-by-default",
    effect="dynamic",
    summary="the seed is 0 by default, and 0 counts as no seed",
)
def seed_if_not_zero(files: Texts, operator: str) -> Iterator[Site]:
    """A call that seeds a global generator with a flag, put under a condition that the default does not pass."""
    told = list(python_files(files))
    flags = seed_flags(told)
    if len(flags) != 1:
        return
    holder, flag, default = flags[0]
    zeroed = flag.node.deep_replace(default, default.with_changes(value=cst.Integer("0")))
    for one in told:
        for call in one.calls:
            if call.name not in ("numpy.random.seed", "random.seed", "torch.manual_seed") or not call.node.args:
                continue
            given, statement = call.node.args[0].value, one.statement(call.node)
            if not one.code(given).strip().endswith("seed"):
                continue
            if statement is None or not one.is_expression(call) or not isinstance(zeroed, cst.Call):
                continue
            if _is_reckoned(one, call):
                continue
            guarded = cst.If(given, cst.IndentedBlock([statement.with_changes(leading_lines=())]))
            edits = (*one.replaced(statement, guarded), *holder.replaced(flag.node, zeroed))
            if not _overlap(edits):
                yield Site(operator=operator, edits=edits, subject="seed:flag", also=(flag.place,))


@RANDOM_SEEDS(
    "split-seed-constant",
    rule="splits-with-one-seed",
    implies=("setting-unread",),
    effect="structural",
    libraries=("sklearn",),
    summary="in a loop over seeds or repetitions every split has the same random_state",
)
def split_seed_constant(files: Texts, operator: str) -> Iterator[Site]:
    """A random_state in a loop that depends on it."""
    for one in python_files(files):
        for call in one.calls:
            state = call.argument("random_state")
            loop = next((n for n in one.above(call.node) if isinstance(n, cst.For)), None)
            if state is None or loop is None or "split" not in call.last.lower():
                continue
            if one.code(loop.target).strip() in one.code(state.value):
                changed = one.replaced(state, keyword("random_state", "0").with_changes(comma=state.comma))
                yield Site(operator=operator, edits=changed, subject=f"split:{one.path}:{call.place.first_line}")


def _overlap(edits: tuple[Edit, ...]) -> bool:
    """Whether edits of one file touch the same lines, or leave too little between them."""
    spans = sorted((e.file, e.first_line, e.last_line) for e in edits)
    return any(a[0] == b[0] and b[1] <= a[2] for a, b in pairwise(spans))
