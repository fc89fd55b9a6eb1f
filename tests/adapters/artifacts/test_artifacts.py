"""Papers and attempts go to a directory, to memory and to an S3 server of our own, and come back as they were."""

import gzip
import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer
from sample_paper import call

from reproducegym.adapters.artifacts.moving import pull_paper, push_paper
from reproducegym.adapters.artifacts.warehouse import Warehouse
from reproducegym.errors import InfrastructureError, MisuseError, StorageError, TamperedError
from reproducegym.pipeline.judging.transfer import archive_of
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.base import digest

KEY = "soup-of-the-day"
COUNT = itertools.count()


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made paper of two tasks with one attempt at each."""
    out = tmp_path_factory.mktemp("artifacts") / "runs"
    done = call("reproducegym", "simulate", "--out", out, "--papers", "1", "--attempts", "2")
    assert done.returncode == 0, done.stderr
    return out / "made-00001"


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an S3 server on loopback with one bucket, which the environment names for clients."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    told = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "us", "AWS_SECRET_ACCESS_KEY": KEY}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**told, "AWS_DEFAULT_REGION": "us-east-1"}.items():
            patch.setenv(name, value)
        import boto3

        boto3.client("s3").create_bucket(Bucket="runs")
        yield "s3://runs"
    server.stop()


@pytest.fixture(params=["file", "memory", "s3"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "s3":
        return f"{request.getfixturevalue('s3')}/{next(COUNT)}"
    return f"file://{tmp_path}/warehouse" if request.param == "file" else f"memory://warehouse-{next(COUNT)}"


def tree(root: Path) -> dict[str, bytes | list[bytes]]:
    """Every file but the log of timings; of the list of attempts its lines, which stand in the order of their ends."""
    found: dict[str, bytes | list[bytes]] = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "timings.jsonl"
    }
    index = found["04-run/index.jsonl"]
    assert isinstance(index, bytes)
    return {**found, "04-run/index.jsonl": sorted(index.splitlines())}


def test_what_comes_back_is_what_was_sent_and_nothing_goes_twice(paper: Path, url: str, tmp_path: Path):
    store, warehouse = PaperStore(paper.parent, paper.name), Warehouse(url)
    first = push_paper(store, warehouse)
    assert (first.moved, first.standing) == (3, 0)
    again = push_paper(store, warehouse)
    assert (again.moved, again.standing, again.size) == (0, 3, 0)
    got = pull_paper(paper.name, tmp_path / "runs", warehouse)
    assert (got.moved, got.standing) == (3, 0)
    assert tree(tmp_path / "runs" / paper.name) == tree(paper)
    assert pull_paper(paper.name, tmp_path / "runs", warehouse).standing == 3


def test_a_push_that_was_cut_off_leaves_no_unit_and_goes_on(
    paper: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    warehouse, sent = Warehouse(url), []
    write = warehouse._write

    def cut(place: str, data: bytes) -> None:
        if sent:
            raise InfrastructureError("the link is gone")
        sent.append(len(data))
        write(place, data)

    monkeypatch.setattr(warehouse, "_write", cut)
    store = PaperStore(paper.parent, paper.name)
    with pytest.raises(InfrastructureError):
        push_paper(store, warehouse)
    assert Warehouse(url).names() == ()
    later = Warehouse(url)
    monkeypatch.setattr(
        later, "_write", lambda place, data: (sent.append(len(data)), type(later)._write(later, place, data))
    )
    push_paper(store, later)
    assert len(sent) == 6  # three archives, each once, and three units
    assert pull_paper(paper.name, tmp_path / "runs", Warehouse(url)).moved == 3


def test_another_build_or_attempt_under_the_same_name_is_refused(paper: Path, tmp_path: Path):
    warehouse = Warehouse(f"file://{tmp_path}/warehouse")
    push_paper(PaperStore(paper.parent, paper.name), warehouse)
    pull_paper(paper.name, tmp_path / "runs", warehouse)
    other = PaperStore(tmp_path / "runs", paper.name)
    (attempt, _) = other.attempt_directories()
    (attempt / "verification" / "draw.json").write_text("{}")
    with pytest.raises(TamperedError, match="another attempt"):
        push_paper(other, warehouse)
    (other.root / "CLAIMS.md").write_text("mine")
    with pytest.raises(TamperedError, match=r"CLAIMS\.md differs"):
        pull_paper(paper.name, tmp_path / "runs", warehouse)
    assert (other.root / "CLAIMS.md").read_text() == "mine"


@pytest.mark.parametrize("harm", ["cut", "gone", "another", "outside"])
def test_a_damaged_warehouse_gives_nothing(paper: Path, tmp_path: Path, harm: str):
    place = tmp_path / "warehouse"
    warehouse = Warehouse(f"file://{place}")
    push_paper(PaperStore(paper.parent, paper.name), warehouse)
    unit = place / "units" / paper.name / "build.json"
    sha256 = json.loads(unit.read_text())["archive"]["sha256"]
    archive = place / "contents" / sha256[:2] / f"{sha256}.tar.gz"
    if harm == "cut":
        archive.write_bytes(archive.read_bytes()[:-100])
    elif harm == "gone":
        archive.unlink()
    else:
        packed = gzip.compress(archive_of({"unit/xx/CLAIMS.md": b"x"}, executable=(), uid=0), mtime=0)
        if harm == "outside":
            packed = gzip.compress(gzip.decompress(packed).replace(b"xx/", b"../"), mtime=0)
        told = json.loads(unit.read_text())
        told["archive"] = {"sha256": digest(packed), "size": len(packed)}
        if harm == "outside":
            told["files"] = {"../CLAIMS.md": {"sha256": digest(b"x"), "size": 1}}
        unit.write_text(json.dumps(told))
        (place / "contents" / digest(packed)[:2]).mkdir(exist_ok=True)
        (place / "contents" / digest(packed)[:2] / f"{digest(packed)}.tar.gz").write_bytes(packed)
    with pytest.raises(TamperedError, match="push the unit again"):
        pull_paper(paper.name, tmp_path / "runs", warehouse)
    assert not (tmp_path / "runs" / paper.name).exists()


def test_a_batch_that_was_stopped_is_finished_on_another_machine(paper: Path, s3: str, tmp_path: Path):
    sent = call("reproducegym", "artifacts", "push", f"{s3}/shared", "--runs", paper.parent)
    assert sent.returncode == 0, sent.stderr
    elsewhere = tmp_path / "elsewhere"
    got = call("reproducegym", "artifacts", "pull", f"{s3}/shared", "--runs", elsewhere, "--json")
    assert got.returncode == 0, got.stderr
    (lost, _) = sorted((elsewhere / paper.name).glob("04-run/*/*/00?"))
    subprocess.run(["rm", "-r", lost], check=True)
    done = call("reproducegym", "simulate", "--out", elsewhere, "--papers", "1", "--attempts", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["attempts"] == 1
    listed = call("reproducegym", "artifacts", "list", f"{s3}/shared")
    assert f"{paper.name}: 2 attempts" in listed.stderr


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("warehouse", 2, "warehouse is no URL; name a place as"),
        ("nosuch://place", 2, "nosuch://place: Protocol not known"),
        ("s3://missing/x", 8, "s3://missing/x"),
        ("s3:///x", 2, "s3:///x names no bucket"),
        ("file:///proc/nothing", 8, "cannot write file:///proc/nothing/"),
    ],
)
def test_a_bad_place_is_one_line(paper: Path, s3: str, url: str, code: int, said: str):
    done = call("reproducegym", "artifacts", "push", url, "--runs", paper.parent)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert said in done.stderr
    assert KEY not in done.stderr


def test_an_empty_place_is_named_too():
    with pytest.raises(MisuseError, match=r"^'' is no URL; name a place as"):
        Warehouse("")


def test_a_bucket_that_is_not_there_is_no_empty_list(s3: str):
    assert Warehouse(f"{s3}/nothing-here").names() == ()
    with pytest.raises(StorageError, match="there is no bucket missing"):
        Warehouse("s3://missing/x").names()
    with pytest.raises(InfrastructureError, match="404"):
        Warehouse(os.environ["AWS_ENDPOINT_URL"] + "/none").put("a", {"b": b"c"})


def test_a_server_that_is_gone_is_infrastructure(paper: Path, s3: str):
    env = {**os.environ, "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_MAX_ATTEMPTS": "1"}
    done = call("reproducegym", "artifacts", "push", "s3://runs/x", "--runs", paper.parent, env=env)
    assert done.returncode == 12, done.stderr
    assert done.stderr.endswith("; try again\n")
    assert done.stderr.count("\n") == 1
