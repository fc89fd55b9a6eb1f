"""What an operator offers as an asset: plain files with one digest, and a card that says what they are."""

import os
from pathlib import Path

import pytest

from reproducegym.errors import AssetError, MisuseError
from reproducegym.pipeline.assets.card import offered_assets, read_places
from reproducegym.pipeline.assets.tree import asset_files, check_assets, tree_digest

CARD = 'licence = "CC0-1.0"\nabout = "three ponds"\n'
LABELLED = CARD + '[labels]\nfiles = ["ponds.csv"]\ncolumn = "plants"\n'
TABLE = "depth,plants\n1,reed\n2,reed\n3,algae\n"


def pond(root: Path, card: str = LABELLED) -> Path:
    place = root / "ponds"
    place.mkdir(parents=True)
    (place / "ponds.csv").write_text(TABLE)
    (place / "asset.toml").write_text(card)
    return place


def digest(place: Path) -> str:
    return tree_digest("ponds", asset_files("ponds", place))


def test_the_digest_is_over_names_and_bytes_alone(tmp_path: Path):
    first, second = pond(tmp_path / "a"), pond(tmp_path / "b")
    os.utime(second / "ponds.csv", (1, 1))
    (second / "ponds.csv").chmod(0o600)
    assert digest(first) == digest(second)
    (second / "ponds.csv").rename(second / "lakes.csv")
    renamed = digest(second)
    (second / "lakes.csv").write_text(TABLE + "4,reed\n")
    assert len({digest(first), renamed, digest(second)}) == 3


def test_a_single_file_is_an_asset_under_its_own_name(tmp_path: Path):
    file = tmp_path / "ponds.csv"
    file.write_text(TABLE)
    (tmp_path / "ponds.csv.asset.toml").write_text(LABELLED)
    (offered,) = offered_assets({"ponds": file})
    assert (offered.asset.files, offered.asset.size) == (1, len(TABLE))
    assert offered.counts == {"algae": 1, "reed": 2}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: (place / "link").symlink_to("/etc/passwd"), "is a link or a device"),
        (lambda place: os.mkfifo(place / "pipe"), "is a link or a device"),
        (lambda place: (place / "a\nb").write_text(""), "control character"),
        (lambda place: (place / "asset.toml").unlink(), "no card at"),
        (lambda place: (place / "ponds.csv").unlink(), "labels stand in ponds.csv, which is not there"),
        (lambda place: (place / "ponds.csv").write_text("depth\n1\n"), '"plants" names 0 columns of depth'),
        (lambda place: (place / "ponds.csv").write_text("depth,plants\n"), "and there are none"),
        (lambda place: (place / "asset.toml").write_text("licence = 3\n"), "licence: Input should be a valid string"),
        (lambda place: (place / "asset.toml").write_text("licence"), "cannot be read"),
        (lambda place: (place / "asset.toml").write_text(CARD + 'rows = "free"\n'), "needs labels in a table"),
        (lambda place: (place / "asset.toml").write_text(CARD + 'colour = "red"\n'), "colour: Extra inputs"),
    ],
)
def test_what_cannot_be_an_asset_is_refused_in_one_line(tmp_path: Path, spoil, said: str):
    place = pond(tmp_path)
    spoil(place)
    with pytest.raises(AssetError) as error:
        offered_assets({"ponds": place})
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("asset ponds: ")


def test_an_empty_or_missing_place_is_refused(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(AssetError, match="holds no file"):
        asset_files("ponds", tmp_path / "empty")
    with pytest.raises(AssetError, match="there is no file or directory"):
        asset_files("ponds", tmp_path / "nowhere")


def test_a_task_takes_only_the_bytes_that_it_was_built_with(tmp_path: Path):
    place = pond(tmp_path)
    (offered,) = offered_assets({"ponds": place})
    assert set(check_assets([offered.asset], {"ponds": place, "other": tmp_path / "gone"})) == {"ponds"}
    with pytest.raises(AssetError, match="--asset ponds=PATH"):
        check_assets([offered.asset], {})
    (place / "ponds.csv").write_text(TABLE.replace("3,algae", "3,reed"))
    with pytest.raises(AssetError, match="is not what the task was built with"):
        check_assets([offered.asset], {"ponds": place})


@pytest.mark.parametrize("option", ["ponds", "ponds=", "=here", "Ponds=here", "a/b=here"])
def test_an_option_of_another_form_is_a_misuse(option: str):
    with pytest.raises(MisuseError, match="--asset"):
        read_places((option,))


def test_a_name_is_given_once():
    assert read_places(("ponds=a=b",)) == {"ponds": Path("a=b")}
    with pytest.raises(MisuseError, match="twice"):
        read_places(("ponds=a", "ponds=b"))
