"""Looks for hidden numbers in the text files of the assets that an agent gets with its task."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from reproducegym.errors import AssetError
from reproducegym.pipeline.assets.tree import asset_files
from reproducegym.pipeline.exposure.hidden import Secrets, judge, secrets_of, words_of
from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.schema.asset import Asset
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import LeakFinding

__all__ = ["scan_assets"]

_LARGEST = 64 * 2**20
_TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


def scan_assets(spec: ClaimSpec, places: Mapping[str, Path]) -> tuple[LeakFinding, ...]:
    """Every place in the assets of a task that shows a hidden number as such.

    Prose, file names, JSON and the like are scanned as any file of the task. In a table of data a number tells
    something only where its column is named like what the claim measures, or its row speaks of the claim: measurements
    meet hidden numbers by chance, and tell nothing by it. Binary files, and files of more than 64 MiB, are not read.

    Raises:
        AssetError: a file cannot be read.
    """
    found: list[LeakFinding] = []
    secrets = secrets_of(spec)
    for asset in spec.assets:
        for name, path in asset_files(asset.name, places[asset.name]).items():
            shown = f"assets/{asset.name}/{name}"
            text = _text(asset, path)
            if text is None:
                found += scan({shown: b""}, spec)
            elif path.suffix.lower() in _TABLES:
                found += scan({shown: b""}, spec)
                found += _in_table(shown, text, _TABLES[path.suffix.lower()], asset, secrets)
            else:
                found += scan({shown: text.encode()}, spec)
    return tuple(dict.fromkeys(found))


def _text(asset: Asset, path: Path) -> str | None:
    """What a file says; None for one that is binary or too large to be read through."""
    try:
        data = path.read_bytes() if path.stat().st_size <= _LARGEST else b"\0"
    except OSError as error:
        raise AssetError(f"asset {asset.name}: {path} cannot be read: {error.strerror}") from error
    try:
        return None if b"\0" in data else data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _in_table(file: str, text: str, separator: str, asset: Asset, secrets: Secrets) -> Iterator[LeakFinding]:
    rows = csv.reader(text.splitlines(), delimiter=separator)
    header = next(rows, [])
    telling = {at for at, head in enumerate(header) if not secrets.metric_words.isdisjoint(words_of(head))}
    labels = {at for at, head in enumerate(header) if asset.labels is not None and head == asset.labels.column}
    for row in rows:
        words = " ".join(cell for at, cell in enumerate(row) if at not in labels and any(map(str.isalpha, cell)))
        speaks = bool(words) and secrets.linked(words)
        for at, cell in enumerate(row):
            if at in labels or not (speaks or at in telling):
                continue
            number = read_number(cell)
            context = f"{words} {header[at] if at < len(header) else ''}".strip()
            verdict = None if number is None else judge(number, words_of(context), linked=True, secrets=secrets)
            if verdict is not None and number is not None:
                yield LeakFinding(
                    file=file, spelling=number.text, context=f"{context}: {cell}", blocking=verdict[0] == "hidden"
                )
