"""What a run gets of an asset: the operator's bytes, and copies of label files that look alike in every run."""

import os
from collections import Counter
from pathlib import Path

from test_asset_tree import CARD, LABELLED, TABLE, pond

from reproducegym.pipeline.assets.card import offered_assets
from reproducegym.pipeline.assets.copies import agent_mounts, run_mounts
from reproducegym.schema.asset import Asset

FREE = LABELLED.replace("[labels]", 'rows = "free"\n[labels]')
PROBED = frozenset({"ponds"})


def asset_of(place: Path) -> Asset:
    (offered,) = offered_assets({"ponds": place})
    return offered.asset


def given(place: Path, probed: frozenset[str], permuted: str | None, drawn: int) -> bytes:
    with run_mounts([asset_of(place)], {"ponds": place}, probed, permuted, drawn) as mounts:
        assert mounts["/assets/ponds"] == place.resolve()
        return mounts["/assets/ponds/ponds.csv"].read_bytes()


def test_only_the_probed_runs_have_other_labels(tmp_path: Path):
    place = pond(tmp_path)
    assert {given(place, PROBED, None, drawn) for drawn in range(10)} == {TABLE.encode()}
    seen = {given(place, PROBED, "ponds", drawn) for drawn in range(30)}
    assert seen == {
        b"depth,plants\n1,reed\n2,reed\n3,algae\n",
        b"depth,plants\n1,reed\n2,algae\n3,reed\n",
        b"depth,plants\n1,algae\n2,reed\n3,reed\n",
    }
    assert given(place, PROBED, "ponds", 7) == given(place, PROBED, "ponds", 7)
    assert (place / "ponds.csv").read_text() == TABLE


def test_copies_of_main_and_probe_runs_look_alike_and_go_with_their_run(tmp_path: Path):
    place = pond(tmp_path)
    os.utime(place / "ponds.csv", ns=(123456789, 987654321))
    told, copies = [], []
    for permuted in (None, "ponds"):
        with run_mounts([asset_of(place)], {"ponds": place}, PROBED, permuted, 3) as mounts:
            copy = mounts["/assets/ponds/ponds.csv"]
            found = copy.stat()
            told.append((found.st_size, found.st_mtime_ns, found.st_mode, copy.parts[-2:], len(copy.parts)))
            copies.append(copy)
    assert told[0] == told[1]
    assert told[0][1] == 987654321
    assert not any(copy.exists() or copy.parents[1].exists() for copy in copies)


def test_free_rows_come_in_an_order_of_their_own_in_every_run(tmp_path: Path):
    place = pond(tmp_path, FREE)
    seen = {given(place, frozenset(), None, drawn) for drawn in range(60)}
    assert len(seen) == 6
    assert {tuple(sorted(data.splitlines())) for data in seen} == {tuple(sorted(TABLE.encode().splitlines()))}
    dealt = given(place, PROBED, "ponds", 4)
    assert Counter(row.split(b",")[-1] for row in dealt.splitlines()) == {b"plants": 1, b"reed": 2, b"algae": 1}


def test_without_labels_to_permute_nothing_is_copied(tmp_path: Path):
    place = pond(tmp_path, CARD)
    asset = asset_of(place)
    with run_mounts([asset], {"ponds": place}, frozenset(), None, 1) as mounts:
        assert mounts == agent_mounts([asset], {"ponds": place}) == {"/assets/ponds": place.resolve()}


def test_a_single_file_stands_in_a_directory_of_the_assets_name(tmp_path: Path):
    file = tmp_path / "ponds.csv"
    file.write_text(TABLE)
    (tmp_path / "ponds.csv.asset.toml").write_text(LABELLED)
    asset = asset_of(file)
    assert agent_mounts([asset], {"ponds": file}) == {"/assets/ponds/ponds.csv": file}
    with run_mounts([asset], {"ponds": file}, PROBED, "ponds", 1) as mounts:
        assert set(mounts) == {"/assets/ponds/ponds.csv"}
        assert mounts["/assets/ponds/ponds.csv"] != file
