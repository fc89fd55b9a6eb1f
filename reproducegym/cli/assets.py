"""Finds the assets of tasks: where an option says, else where they stood when the paper was built."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reproducegym.pipeline.assets.card import read_places
from reproducegym.pipeline.assets.tree import check_assets
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.store import PaperStore

__all__ = ["places_of", "with_assets"]


def places_of(given: Sequence[str] | None, store: PaperStore, order: Order) -> dict[str, Path]:
    """Where each asset of a task is, checked before anything starts.

    Raises:
        AssetError: one is missing, unreadable, or not the one that the task names.
        MisuseError: an option is not NAME=PATH.
    """
    named = read_places(tuple(given or ()))
    kept = store.asset_places().places if order.spec.assets else {}
    places = {name: Path(place) for name, place in kept.items()} | named
    check_assets(order.spec.assets, places)
    return {asset.name: places[asset.name] for asset in order.spec.assets}


def with_assets(judge: Judge, places: dict[str, Path]) -> Judge:
    """The judge who knows these places."""
    return replace(judge, assets=places)
