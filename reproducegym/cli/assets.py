"""Finds the assets of tasks: where an option says, else where they stood when the paper was built."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reproducegym.errors import MisuseError
from reproducegym.pipeline.assets.card import read_places
from reproducegym.pipeline.assets.tree import check_assets
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.store import PaperStore

__all__ = ["assets_of", "places_of", "places_of_all", "with_assets"]


def places_of(given: Sequence[str] | None, store: PaperStore, order: Order) -> dict[str, Path]:
    """Where each asset of a task is, checked before anything starts.

    Raises:
        AssetError: one is missing, unreadable, or not the one that the task names.
        MisuseError: an option is not NAME=PATH, or names what the task does not need.
    """
    (found,) = places_of_all(given, [(store, order)])
    return found


def places_of_all(given: Sequence[str] | None, orders: Iterable[tuple[PaperStore, Order]]) -> Iterator[dict[str, Path]]:
    """The same for several tasks, one after the other; an option is for those that need its asset, and some must.

    Raises:
        AssetError, MisuseError: as `places_of`; that nothing needs what an option names is known after the last.
    """
    named = read_places(tuple(given or ()))
    needed: set[str] = set()
    claims: list[str] = []
    for store, order in orders:
        claims = [*claims[:1], order.entry.claim_id]
        needed |= {asset.name for asset in order.spec.assets}
        yield assets_of(named, store, order)
    for name in sorted(named.keys() - needed):
        raise MisuseError(f"--asset {name}: {claims[0] if len(claims) == 1 else 'no task'} needs {_only(needed)}")


def assets_of(named: Mapping[str, Path], store: PaperStore, order: Order) -> dict[str, Path]:
    """Where each asset of a task is: as `named`, else where it stood when the paper was built.

    Raises:
        AssetError: as `places_of`.
    """
    kept = store.asset_places().places if order.spec.assets else {}
    places = {name: Path(place) for name, place in kept.items()} | dict(named)
    check_assets(order.spec.assets, places)
    return {asset.name: places[asset.name] for asset in order.spec.assets}


def _only(needed: Collection[str]) -> str:
    return f"{', '.join(sorted(needed))} and no other asset" if needed else "no asset"


def with_assets(judge: Judge, places: dict[str, Path]) -> Judge:
    """The judge who knows these places."""
    return replace(judge, assets=places)
