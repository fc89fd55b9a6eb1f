"""Files of a paper: whole or not at all, read back checked, and one clear line when something is wrong."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from made_paper import SOURCE, ReadsNothing, document, spec

from reproducegym.errors import (
    AmbiguousError,
    BusyError,
    MisuseError,
    NotFoundError,
    SchemaError,
    StorageError,
    TamperedError,
)
from reproducegym.pipeline.directories import read_tree, write_tree
from reproducegym.pipeline.files import write_file
from reproducegym.pipeline.locks import locked
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore, open_paper, open_task, papers
from reproducegym.schema.paper import Source
from reproducegym.schema.reading import read_yaml, to_yaml
from reproducegym.schema.spec import ClaimSpec


@pytest.fixture
def store(tmp_path: Path) -> PaperStore:
    found = PaperStore(tmp_path / "runs", "bandits")
    parse(found, ReadsNothing(), SOURCE)
    return found


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "-a", "a b", "a..b", ".hidden", "x" * 101, "a\0"])
def test_a_paper_id_never_leaves_its_directory(tmp_path: Path, name: str) -> None:
    with pytest.raises(MisuseError, match="not a paper id"):
        PaperStore(tmp_path, name)


@pytest.mark.parametrize("name", ["..", "../../etc", "a/b", ""])
def test_no_name_leaves_the_paper(store: PaperStore, name: str) -> None:
    for call in (store.versions, lambda one: store.read_task(one, "x"), lambda one: store.read_spec("c", one + "/..")):
        with pytest.raises(NotFoundError):
            call(name)


def test_a_parsed_paper_is_read_back_as_it_was(store: PaperStore) -> None:
    paper = store.read_paper()
    assert paper.document == document()
    assert sorted(paper.figures) == ["f1.png", "f2.png"]
    assert open_paper(store.root).paper_id == "bandits"
    assert papers(store.out) == ("bandits",)
    assert json.loads((store.root / "00-parse" / "figures.index.json").read_text())["figures"][0]["image"] == "f1.png"


def test_an_unknown_paper_names_the_known_ones(store: PaperStore) -> None:
    with pytest.raises(NotFoundError, match="known there: bandits"):
        open_paper(store.out / "other")


def test_another_paper_does_not_overwrite_the_first(store: PaperStore) -> None:
    with pytest.raises(MisuseError, match="already holds another paper"):
        parse(store, ReadsNothing(), Source(kind="markdown", origin="b.md", content=b"# Another"))


def test_a_spec_goes_to_yaml_and_back_exactly(store: PaperStore) -> None:
    claim = spec()
    store.write_spec(claim)
    assert store.read_spec(claim.claim_id, claim.spec_hash) == claim
    text = to_yaml(claim).decode()
    assert "value: '-55.1'" in text, "decimals stay strings"
    assert to_yaml(read_yaml(ClaimSpec, text.encode(), "x")) == text.encode()
    assert text.startswith("schema_version: 1\npaper_id: bandits\n")


@pytest.mark.parametrize(
    ("was", "becomes"), [("run_budget_s: 600", "run_budget_s: 1"), ("value: '-55.1'", "value: '-1.0'")]
)
def test_a_changed_spec_is_refused(store: PaperStore, was: str, becomes: str) -> None:
    claim = spec()
    store.write_spec(claim)
    path = store.root / "02-spec" / f"{claim.claim_id}.{claim.spec_hash}.yaml"
    text = path.read_text()
    assert was in text
    path.write_text(text.replace(was, becomes))
    with pytest.raises(TamperedError, match=rf"{path.name} was changed"):
        store.read_spec(claim.claim_id, claim.spec_hash)


def test_a_wrong_field_is_named_with_its_path(store: PaperStore) -> None:
    path = store.root / "00-parse" / "parse.json"
    changed = json.loads(path.read_text())
    changed["pages"] = "three"
    path.write_text(json.dumps(changed))
    with pytest.raises(SchemaError, match=r"parse.json: \$.pages: 'three' is not of type 'integer'; parse it again"):
        store.parse_record()


@pytest.mark.parametrize("file", ["document.json", "words.json", "paper.md", "figures.index.json", "figures/f1.png"])
def test_a_changed_or_missing_file_of_a_parse_is_named(store: PaperStore, file: str) -> None:
    path = store.root / "00-parse" / file
    whole = path.read_bytes()
    path.write_bytes(whole + b" ")
    with pytest.raises(TamperedError, match=rf"{file} was changed: .*; parse it again"):
        store.read_paper()
    path.unlink()
    with pytest.raises(TamperedError, match=rf"{file} is missing; parse it again"):
        store.read_paper()
    parse(store, ReadsNothing(), SOURCE)
    assert path.read_bytes() == whole
    assert store.read_paper().document == document()


def test_a_file_that_no_parse_wrote_is_no_part_of_the_paper(store: PaperStore) -> None:
    (store.root / "00-parse" / "figures" / "f3.png").write_bytes(b"planted")
    assert sorted(store.read_paper().figures) == ["f1.png", "f2.png"]


@pytest.mark.parametrize("text", ["{}", "[]", "not json"])
def test_a_broken_record_of_a_parse_is_mended_by_parsing_again(store: PaperStore, text: str) -> None:
    path = store.root / "00-parse" / "parse.json"
    whole = path.read_bytes()
    path.write_text(text)
    with pytest.raises(SchemaError, match="parse it again"):
        store.read_paper()
    parse(store, ReadsNothing(), SOURCE)
    assert path.read_bytes() == whole


def test_a_parse_of_another_paper_is_refused(store: PaperStore) -> None:
    there = store.root.rename(store.out / "renamed")
    with pytest.raises(SchemaError, match=r"parse.json: \$.paper_id: 'bandits' is not 'renamed'; parse it again"):
        open_paper(there).read_paper()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema_version": 2}', "written by a newer reproducegym .schema 2; this one reads 1.; upgrade"),
        ("{", "is not JSON: .*; build again with --refresh"),
        ('{"tasks": [{"a": 1, "a": 2}]}', "is not JSON: an object has the name 'a' twice"),
        ('{"schema_version": NaN}', "NaN is not a JSON number"),
        ("\udcff", "is not JSON"),
        ("[]", r"\$: \[\] is not of type 'object'; build again with --refresh"),
    ],
)
def test_a_broken_or_newer_manifest_is_one_clear_line(store: PaperStore, text: str, message: str) -> None:
    (store.root / "task_manifest.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SchemaError, match=message) as found:
        store.manifest()
    assert "\n" not in str(found.value)


def test_two_versions_need_a_hash(store: PaperStore) -> None:
    store.write_task("c001_x", "aaaa", {"data_entry.json": b"{}"})
    assert store.find_task("c001_x", None) == ("c001_x", "aaaa")
    store.write_task("c001_x", "bbbb", {"data_entry.json": b"{}"})
    with pytest.raises(AmbiguousError, match="--spec-hash: aaaa, bbbb"):
        store.find_task("c001_x", None)
    assert store.find_task("c001_x", "bbbb") == ("c001_x", "bbbb")
    with pytest.raises(NotFoundError, match="it has: aaaa, bbbb"):
        store.find_task("c001_x", "cccc")
    with pytest.raises(NotFoundError, match="it has: c001_x"):
        store.find_task("c009", None)
    assert open_task(store.task_directory("c001_x", "aaaa"))[1:] == ("c001_x", "aaaa")


def added(store: PaperStore, said: str) -> int:
    with store.begin_attempt("c001_x", "aaaa") as begun:
        (begun.trace / "said").write_text(said)
        return store.add_attempt(begun, lambda number: {"n": str(number).encode(), "reproduce.sh": b""})


def test_attempts_are_numbered_and_kept_with_their_trace(store: PaperStore) -> None:
    assert added(store, "first") == 1
    assert added(store, "second") == 2
    assert store.read_attempt("c001_x", "aaaa", 2) == {"n": b"2", "reproduce.sh": b""}
    kept = store.attempt_directory("c001_x", "aaaa", 2)
    assert (kept / "trace" / "said").read_text() == "second"
    assert {path.name for path in kept.parent.iterdir()} == {"001", "002"}
    with pytest.raises(NotFoundError, match="there are: 1, 2"):
        store.read_attempt("c001_x", "aaaa", 3)


def test_an_attempt_that_was_begun_and_not_added_leaves_nothing(store: PaperStore) -> None:
    with pytest.raises(KeyError), store.begin_attempt("c001_x", "aaaa") as begun:
        assert begun.trace.stat().st_mode & 0o777 == 0o700
        assert store.attempts("c001_x", "aaaa") == ()
        raise KeyError
    assert not (store.root / "04-run").exists()


def test_leftovers_of_a_killed_build_go_at_the_next_start(store: PaperStore) -> None:
    half = store.root / ".tmp-task_manifest.json"
    half.write_text("{")
    with store.writing():
        assert not half.exists()


def test_one_writer_at_a_time(store: PaperStore) -> None:
    with (
        store.writing(),
        pytest.raises(BusyError, match="another process is working on paper bandits"),
        store.writing(),
    ):
        pass
    with store.writing():
        pass


def test_a_lock_dies_with_its_owner(tmp_path: Path) -> None:
    code = f"""
        import os, signal
        from pathlib import Path
        from reproducegym.pipeline.locks import locked
        with locked(Path({str(tmp_path / "lock")!r}), "x", wait=False):
            os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    with locked(tmp_path / "lock", "x", wait=False):
        pass


def test_a_tree_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_tree(tmp_path / "t", {"a/b": b"1", "run.sh": b"x"})
    write_tree(tmp_path / "t", {"c": b"2"})
    assert read_tree(tmp_path / "t") == {"c": b"2"}
    assert [child.name for child in tmp_path.iterdir()] == ["t"]


def test_an_unchanged_file_and_tree_are_left_alone(tmp_path: Path) -> None:
    for _ in range(2):
        write_file(tmp_path / "f", b"1")
        write_tree(tmp_path / "t", {"a": b"1"})
        found = (tmp_path / "f").stat().st_ino, (tmp_path / "t").stat().st_ino
    write_file(tmp_path / "f", b"1")
    write_tree(tmp_path / "t", {"a": b"1"})
    assert found == ((tmp_path / "f").stat().st_ino, (tmp_path / "t").stat().st_ino)


def test_a_file_in_the_way_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(StorageError, match="a file stands where a directory is needed"):
        parse(PaperStore(tmp_path / "runs", "bandits"), ReadsNothing(), SOURCE)


def test_a_size_limit_leaves_nothing_behind(tmp_path: Path) -> None:
    code = f"""
        import resource
        from pathlib import Path
        from reproducegym.errors import StorageError
        from reproducegym.pipeline.directories import write_tree
        from reproducegym.pipeline.files import write_file
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        for write in (lambda: write_file(Path({str(tmp_path)!r}) / "f", b"x" * 5000),
                      lambda: write_tree(Path({str(tmp_path)!r}) / "t", {{"a": b"x", "b": b"x" * 5000}})):
            try:
                write()
            except StorageError as error:
                print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, capture_output=True, text=True)
    assert done.stdout.count("would pass the size limit") == 2, done.stderr
    assert not list(tmp_path.iterdir())


def _has_mounts() -> bool:
    if shutil.which("unshare") is None:
        return False
    probe = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(probe, check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("options", "message"), [("size=16k", "the disk is full"), ("ro", "the file system is read-only")]
)
def test_a_full_or_read_only_disk_is_one_clear_line(tmp_path: Path, options: str, message: str) -> None:
    if not _has_mounts():
        pytest.skip("this machine allows no private mounts (unshare)")
    code = textwrap.dedent("""
        import sys
        from pathlib import Path
        from reproducegym.errors import StorageError
        from reproducegym.pipeline.directories import write_tree
        out = Path(sys.argv[1])
        try:
            write_tree(out / "t", {"a": b"x" * 100, "b": b"x" * 50000})
        except StorageError as error:
            print(error)
        print([child.name for child in out.iterdir()])
    """)
    mounted = 'mount -t tmpfs -o "$1" none "$2" && exec "$3" -c "$4" "$2"'
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mounted, "sh"]
    done = subprocess.run(
        [*inside, options, str(tmp_path), sys.executable, code], check=True, capture_output=True, text=True
    )
    line, left = done.stdout.splitlines()
    assert line.startswith(f"cannot write {tmp_path}/t: {message}")
    assert left == "[]"


def test_no_permission_is_one_clear_line(tmp_path: Path) -> None:
    code = textwrap.dedent("""
        import sys
        from pathlib import Path
        from reproducegym.errors import StorageError
        from reproducegym.pipeline.files import write_file
        try:
            write_file(Path(sys.argv[1]) / "f", b"1")
        except StorageError as error:
            print(error)
    """)
    tmp_path.chmod(0o500)
    as_root = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    done = subprocess.run(
        [*as_root, sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True
    )
    assert "no permission" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_lock_is_free_when_its_owner_leaves_it_though_a_child_was_forked_meanwhile(tmp_path: Path) -> None:
    program = f"""
        import os, signal
        from pathlib import Path
        from reproducegym.pipeline.locks import locked
        place = Path({str(tmp_path / "lock")!r})
        with locked(place, "x", wait=False):
            child = os.fork() or (signal.alarm(30), signal.pause())
        with locked(place, "x", wait=False):
            os.kill(child, signal.SIGKILL)
            print("free")
    """
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert told.stdout == "free\n", told.stderr
