"""Assets: data sets and models that an operator provides, as their card describes them and as a task names them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen, Sha256

__all__ = ["Asset", "AssetCard", "AssetName", "AssetPlaces", "Labels", "OfferedAsset"]

AssetName = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,63}$")]
Text = Annotated[str, Field(pattern=r"^\S[^\x00-\x1f\x7f]{0,499}$")]
"""One line of words."""


class Labels(Frozen):
    """Where the labels of a data set stand.

    `files` are names below the asset. Of a `table` they are the cells of `column`, which the header names, between
    `separator`s; of `lines` every line that is not empty; of `bytes` items of `width` bytes after the first `skip`.
    """

    files: Annotated[tuple[str, ...], Field(min_length=1)]
    form: Literal["table", "lines", "bytes"] = "table"
    column: str | None = None
    separator: Annotated[str, Field(pattern="^[,;|\t ]$")] = ","
    skip: Annotated[int, Field(ge=0)] = 0
    width: Annotated[int, Field(ge=1, le=64)] = 1

    @model_validator(mode="after")
    def _names_a_column(self) -> Self:
        if (self.form == "table") is (self.column is None):
            raise ValueError("a table's labels have a column, which its header names; other forms have none")
        if self.form != "bytes" and (self.skip, self.width) != (0, 1):
            raise ValueError("only labels of the form bytes have skip and width")
        return self


class AssetCard(Frozen):
    """What an operator writes of an asset (`asset.toml`).

    `about` says in a line what is in it; `aliases` are the names by which papers call it. `rows` are `free` where
    nothing depends on their order: then every run gets them in another one.
    """

    licence: Text
    about: Text
    aliases: tuple[Text, ...] = ()
    rows: Literal["fixed", "free"] = "fixed"
    labels: Labels | None = None

    @model_validator(mode="after")
    def _rows_are_whole(self) -> Self:
        if self.rows == "free" and (self.labels is None or self.labels.form != "table"):
            raise ValueError('rows = "free" needs labels in a table, whose rows hold all that belongs together')
        return self


class Asset(Frozen):
    """A named, read-only data set or model that the operator provides, as a task names it.

    `sha256` is over all names and bytes; `size` in bytes, of `files` files.
    """

    name: AssetName
    sha256: Sha256
    licence: str
    about: str
    size: int
    files: int
    rows: Literal["fixed", "free"]
    labels: Labels | None


class OfferedAsset(Frozen):
    """An asset that a build may use: what tasks say of it, how papers call it, and how often each label occurs."""

    asset: Asset
    aliases: tuple[str, ...]
    counts: dict[str, int]


class AssetPlaces(Frozen):
    """Where the assets of a paper's last builds stood on this machine, by name; outside of every identity."""

    schema_version: Literal[1]
    places: dict[AssetName, str]
