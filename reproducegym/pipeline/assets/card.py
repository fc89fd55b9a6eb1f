"""Reads what an operator offers to a build: an asset's card, its digest and the counts of its labels."""

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from reproducegym.errors import AssetError, MisuseError
from reproducegym.pipeline.assets.labels import LabelError, label_texts
from reproducegym.pipeline.assets.tree import asset_files, tree_digest
from reproducegym.schema.asset import Asset, AssetCard, AssetName, OfferedAsset

__all__ = ["CARD", "offered_assets", "read_places"]

CARD = "asset.toml"
_NAME: TypeAdapter[str] = TypeAdapter(AssetName)
_MANY_LABELS = 1000


def read_places(options: tuple[str, ...]) -> dict[str, Path]:
    """`NAME=PATH` options as places by name.

    Raises:
        MisuseError: one has no `=`, a name of other characters, or a name that was given before.
    """
    places: dict[str, Path] = {}
    for option in options:
        name, given, path = option.partition("=")
        try:
            _NAME.validate_python(name)
        except ValidationError as error:
            wanted = "--asset NAME=PATH is wanted, NAME of small letters, digits, - and _"
            raise MisuseError(f"--asset {option}: {wanted}") from error
        if not given or not path:
            raise MisuseError(f"--asset {option}: where is {name}? --asset {name}=PATH is wanted")
        if name in places:
            raise MisuseError(f"--asset {name} is given twice")
        places[name] = Path(path)
    return places


def offered_assets(places: Mapping[str, Path]) -> tuple[OfferedAsset, ...]:
    """Every asset with its card, in order of names.

    Raises:
        AssetError: one is not there, cannot be read, has no card or one that does not fit, or its labels are not
            where the card says.
    """
    return tuple(_offered(name, places[name]) for name in sorted(places))


def _offered(name: str, place: Path) -> OfferedAsset:
    files = asset_files(name, place)
    card = _card(name, place)
    counts: Counter[str] = Counter()
    for inside in card.labels.files if card.labels is not None else ():
        if inside not in files:
            raise AssetError(f"asset {name}: its card says that labels stand in {inside}, which is not there")
        if card.labels is not None:
            try:
                counts.update(label_texts(files[inside].read_bytes(), card.labels))
            except LabelError as error:
                raise AssetError(f"asset {name}: {inside}: {error}") from error
            except OSError as error:
                raise AssetError(f"asset {name}: {inside} cannot be read: {error.strerror}") from error
    if card.labels is not None and not counts:
        raise AssetError(f"asset {name}: its card says where labels stand, and there are none")
    asset = Asset(
        name=name,
        sha256=tree_digest(name, files),
        licence=card.licence,
        about=card.about,
        size=sum(path.stat().st_size for path in files.values()),
        files=len(files),
        rows=card.rows,
        labels=card.labels,
    )
    few = dict(sorted(counts.items())) if len(counts) <= _MANY_LABELS else {}
    return OfferedAsset(asset=asset, aliases=card.aliases, counts=few)


def _card(name: str, place: Path) -> AssetCard:
    """The card inside a directory, or beside the file or directory."""
    root = place.resolve()
    beside = root.with_name(f"{root.name}.{CARD}")
    inside = root / CARD
    path = inside if inside.is_file() else beside
    if not path.is_file():
        where = f"{inside} or {beside}" if root.is_dir() else str(beside)
        raise AssetError(f"asset {name}: no card at {where}; write one that says licence and about (docs/assets.md)")
    try:
        return AssetCard.model_validate_json(json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), default=str))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise AssetError(f"asset {name}: {path}: {key + ': ' if key else ''}{first['msg']}") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AssetError(f"asset {name}: {path} cannot be read: {error}") from error
