"""Seeds: global generators that nothing seeds any more, or that get another seed in each run."""

from collections.abc import Iterator

from reproducegym.planting.edit import Place, Texts
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import python_files

__all__ = ["RANDOM_SEEDS"]

RANDOM_SEEDS = operators("random_seeds")

KEEPS = {
    "seed",
    "RandomState",
    "default_rng",
    "Generator",
    "SeedSequence",
    "get_state",
    "set_state",
    "PCG64",
    "MT19937",
}


@RANDOM_SEEDS(
    "numpy-seed-removed",
    rule="numpy-seed-missing",
    effect="dynamic",
    libraries=("numpy",),
    summary="the one call of numpy.random.seed is removed, and global draws stay",
)
def numpy_seed_removed(files: Texts, operator: str) -> Iterator[Site]:
    """The only seeding call of NumPy's global generator, in a project that draws from it."""
    told = list(python_files(files))
    draws = [
        Place(file=one.path, first_line=call.first_line, last_line=call.last_line)
        for one in told
        for call in one.calls
        if call.name.startswith("numpy.random.") and call.name.rpartition(".")[2] not in KEEPS
    ]
    seeds = [(one, call) for one in told for call in one.calls if call.name == "numpy.random.seed"]
    if len(seeds) != 1 or not draws:
        return
    one, call = seeds[0]
    statement = one.statement(call.node)
    if statement is not None and len(statement.body) == 1:
        yield Site(operator=operator, edits=one.removed(statement), subject="numpy", also=tuple(draws))
