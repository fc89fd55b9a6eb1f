"""Gives every run its assets: the operator's own bytes, but for label files, of which a run may have its own copy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from reproducegym.errors import AssetError, StorageError
from reproducegym.pipeline.assets.labels import rows_shuffled, with_labels_permuted
from reproducegym.pipeline.assets.tree import asset_files
from reproducegym.pipeline.files import write_alike
from reproducegym.schema.asset import Asset, Labels
from reproducegym.scratch import scratch_directory

__all__ = ["ASSETS", "ASSET_COPY", "DRAW_BELOW", "agent_mounts", "run_mounts"]

ASSETS = "/assets"
"""Where assets stand in every sandbox, each in a directory of its name (`REPRODUCEGYM_ASSETS`)."""
ASSET_COPY = "asset"
"""Purpose of the scratch directories that hold runs' own copies of label files."""
DRAW_BELOW = 2**62
"""A run's order of labels and rows follows from one number below this."""


def agent_mounts(assets: Sequence[Asset], places: Mapping[str, Path]) -> dict[str, Path]:
    """What stands where for an agent: every asset as the operator has it.

    Raises:
        AssetError: no place is known of one.
    """
    mounts: dict[str, Path] = {}
    for asset in assets:
        if asset.name not in places:
            raise AssetError(f"the task needs the asset {asset.name}; say where it is: --asset {asset.name}=PATH")
        place = places[asset.name].resolve()
        inside = f"{ASSETS}/{asset.name}"
        mounts[inside if place.is_dir() else f"{inside}/{place.name}"] = place
    return mounts


@contextmanager
def run_mounts(
    assets: Sequence[Asset], places: Mapping[str, Path], probed: frozenset[str], permuted: str | None, drawn: int
) -> Iterator[dict[str, Path]]:
    """The same for one run, with label files of its own in an order that follows from `drawn`.

    Every run has such copies of the assets that some probe permutes (`probed`) or whose rows are free, made in one way,
    so that nothing tells the run whose `permuted` asset has its labels dealt out anew. They go with the context.

    Raises:
        AssetError: no place is known of an asset.
        StorageError: a copy cannot be written.
    """
    mounts = agent_mounts(assets, places)
    with scratch_directory(ASSET_COPY) as root:
        try:
            root.chmod(0o755)
            for asset in assets:
                if asset.labels is None or not (asset.name in probed or asset.rows == "free"):
                    continue
                files = asset_files(asset.name, places[asset.name])
                for number, name in enumerate(asset.labels.files):
                    stream = _stream(f"{drawn} {asset.name} {name}")
                    data = _own(files[name].read_bytes(), asset, asset.labels, stream, permuted=asset.name == permuted)
                    copy = root / asset.name / str(number)
                    write_alike(copy, data, files[name])
                    mounts[f"{ASSETS}/{asset.name}/{name}"] = copy
        except OSError as error:
            line = f"cannot copy labels to {root}: {error.strerror}; set TMPDIR to a directory with more room"
            raise StorageError(line) from error
        yield mounts


def _own(data: bytes, asset: Asset, labels: Labels, draw: Callable[[int], int], *, permuted: bool) -> bytes:
    data = with_labels_permuted(data, labels, draw) if permuted else data
    return rows_shuffled(data, labels, draw) if asset.rows == "free" else data


def _stream(key: str) -> Callable[[int], int]:
    """Numbers below a bound that only the key decides."""
    words = _words(key)
    return lambda bound: next(words) % bound


def _words(key: str) -> Iterator[int]:
    number = 0
    while True:
        block = sha256(f"{key} {number}".encode()).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8))
        number += 1
