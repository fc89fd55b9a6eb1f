"""Finds the assets of tasks: where an option says, else where they stood when the paper was built."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reproducegym.errors import MisuseError
from reproducegym.pipeline.assets.card import read_places
from reproducegym.pipeline.assets.tree import check_assets
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.store import PaperStore

__all__ = ["places_of", "places_of_all", "with_assets"]


def places_of(given: Sequence[str] | None, store: PaperStore, order: Order) -> dict[str, Path]:
    """Where each asset of a task is, checked before anything starts.

    Raises:
        AssetError: one is missing, unreadable, or not the one that the task names.
        MisuseError: an option is not NAME=PATH, or names what the task does not need.
    """
    (found,) = places_of_all(given, [(store, order)])
    return found


def places_of_all(given: Sequence[str] | None, orders: Sequence[tuple[PaperStore, Order]]) -> list[dict[str, Path]]:
    """The same for several tasks; an option is for those that need its asset, and some task must.

    Raises:
        AssetError, MisuseError: as `places_of`.
    """
    named = read_places(tuple(given or ()))
    needed = {asset.name for _, order in orders for asset in order.spec.assets}
    for name in sorted(named.keys() - needed):
        task = orders[0][1].entry.claim_id if len(orders) == 1 else "no task"
        raise MisuseError(f"--asset {name}: {task} needs {_only(needed)}")
    return [_places(named, store, order) for store, order in orders]


def _only(needed: Collection[str]) -> str:
    return f"{', '.join(sorted(needed))} and no other asset" if needed else "no asset"


def _places(named: Mapping[str, Path], store: PaperStore, order: Order) -> dict[str, Path]:
    kept = store.asset_places().places if order.spec.assets else {}
    places = {name: Path(place) for name, place in kept.items()} | dict(named)
    check_assets(order.spec.assets, places)
    return {asset.name: places[asset.name] for asset in order.spec.assets}


def with_assets(judge: Judge, places: dict[str, Path]) -> Judge:
    """The judge who knows these places."""
    return replace(judge, assets=places)
