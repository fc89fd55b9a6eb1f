"""Building a paper's tasks: the same bytes everywhere, nothing lost, the manifest as downstream reads it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_paper import SOURCE, HandMadeClaims, ReadsNothing, document, paragraph, spec

from reproducegym.errors import MisuseError, NotFoundError, SchemaError, TamperedError
from reproducegym.pipeline.build import build
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.seal import check_digest, sealed, task_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Proposal, ReadPaper
from reproducegym.schema.paper import Parsed, Source
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ClaimReport, Manifest
from reproducegym.schema.triage import SelectedClaims

SECOND = spec(claim_id="c002_again", claim_uid="clm_1111111111111111")
LEAKING = spec(
    claim_id="c003_leak",
    claim_uid="clm_3333333333333333",
    agent_statement="UCB1 reaches a regret of 97.3.",
)


@pytest.fixture
def store(tmp_path: Path) -> PaperStore:
    found = PaperStore(tmp_path / "runs", "bandits")
    parse(found, ReadsNothing(), SOURCE)
    return found


def built(
    store: PaperStore,
    *specs: ClaimSpec,
    claim_ids: tuple[str, ...] = (),
    max_claims: int | None = None,
    refresh: bool = False,
    progress: Callable[[str], None] = lambda line: None,
) -> Manifest:
    family = HandMadeClaims(*specs)
    return build(
        store,
        family,
        load_config(None),
        claim_ids=claim_ids,
        max_claims=max_claims,
        refresh=refresh,
        progress=progress,
    )


def test_a_build_leaves_every_file_of_the_paper(store: PaperStore) -> None:
    manifest = built(store, spec())
    names = set(read_tree(store.root))
    claim = spec()
    assert {
        "task_manifest.json",
        "build_validation.json",
        "CLAIMS.md",
        "01-extract/paper_evidence_index.json",
        "01-extract/claim_candidates.json",
        "01-extract/triaged_claims.json",
        "01-extract/claim_verification_report.json",
        "01-extract/selected_claims_for_build.json",
        f"01-extract/claim_evidence/{claim.claim_uid}.json",
        f"01-extract/target_points/{claim.claim_uid}.json",
        f"02-spec/{claim.claim_id}.{claim.spec_hash}.yaml",
        f"03-task/{claim.claim_id}/{claim.spec_hash}/data_entry.json",
    } <= names
    assert not any(name.endswith(".jsonl") or "/." in name for name in names), "no clock in what is compared"
    (entry,) = manifest.tasks
    assert manifest.excluded == {"no_quantity": 1}
    check_digest(store.read_task(claim.claim_id, claim.spec_hash), entry.task_digest, entry.task_id)
    assert (store.root / entry.task_dir).is_dir()
    assert store.manifest() == manifest
    assert store.read_extract(SelectedClaims, "selected_claims_for_build.json").claims[0].claim_id == claim.claim_id
    assert store.validation().tasks[0].accepted


def test_another_configuration_builds_again(store: PaperStore) -> None:
    (entry,) = built(store, spec()).tasks
    config = load_config(None)
    longer = config.model_copy(update={"build": config.build.model_copy(update={"agent_timeout_s": 9000})})
    family = HandMadeClaims(spec())
    asked = {"claim_ids": (), "max_claims": None, "refresh": False, "progress": lambda line: None}
    (again,) = build(store, family, longer, **asked).tasks
    assert (entry.timeout_s, again.timeout_s) == (7200, 9000)


@pytest.mark.parametrize(
    ("changes", "difficulty", "timeout_s"),
    [
        ({}, "easy", 7200),
        ({"requires_training": True}, "medium", 7200),
        ({"cost": "M", "run_budget_s": 3600}, "medium", 10800),
        ({"cost": "M", "run_budget_s": 3600, "requires_gpu": True}, "hard", 10800),
        ({"cost": "L", "run_budget_s": 43200}, "hard", 129600),
    ],
)
def test_difficulty_and_time_follow_what_the_work_costs(
    store: PaperStore, changes: dict[str, object], difficulty: str, timeout_s: int
) -> None:
    claim = spec(**changes)
    (entry,) = built(store, claim).tasks
    assert (entry.difficulty, entry.timeout_s) == (difficulty, timeout_s)
    data_entry = json.loads(store.read_task(claim.claim_id, claim.spec_hash)["data_entry.json"])
    assert data_entry["metadata"]["difficulty"] == difficulty


def test_the_manifest_holds_no_hidden_number(store: PaperStore) -> None:
    built(store, spec())
    text = (store.root / "task_manifest.json").read_text()
    assert not any(number in text for number in ("97.3", "152.4", "55.1"))


def test_the_page_for_people_tells_quote_page_target_tolerance_and_reason(store: PaperStore) -> None:
    built(store, spec(), LEAKING)
    page = (store.root / "CLAIMS.md").read_text()
    assert "1 of 3 claims became tasks" in page
    assert "> “UCB1 cuts the regret of greedy from 152.4 to 97.3 on the ten-armed bandit.” (page 1)" in page
    assert "| regret_difference | -55.1 | a - b: “97.3” (page 1, Table 1, UCB1 / Regret)" in page
    assert "within ±5.51" in page
    assert "- `no_quantity`: the sentence names no quantity" in page
    assert "- `leak_unmaskable`: " in page


def test_a_leaking_claim_is_no_task(store: PaperStore) -> None:
    said: list[str] = []
    manifest = built(store, LEAKING, spec(), progress=said.append)
    assert [task.claim_id for task in manifest.tasks] == ["c001_ucb1_regret"]
    assert manifest.excluded == {"leak_unmaskable": 1, "no_quantity": 1}
    assert "c003_leak: leak_unmaskable" in said
    report = store.read_extract(ClaimReport, "claim_verification_report.json")
    assert [row.pool for row in report.claims] == ["exploration", "rlvr", "exploration"]
    assert not store.has_task(LEAKING.claim_id, LEAKING.spec_hash)


def test_a_rebuild_changes_nothing_and_keeps_runs(store: PaperStore) -> None:
    first = built(store, spec(), SECOND)
    with store.begin_attempt("c001_ucb1_regret", spec().spec_hash) as begun:
        store.add_attempt(begun, lambda _: {"result.json": b"{}"})
    store.add_timing({"stage": "run", "seconds": 1.5})
    before = read_tree(store.root)
    assert built(store, spec(), SECOND) == first
    assert read_tree(store.root) == before
    assert built(store, spec(), SECOND, refresh=True) == first
    assert read_tree(store.root) == before


def test_selection_adds_to_what_is_built(store: PaperStore) -> None:
    assert len(built(store, spec(), SECOND, max_claims=1).tasks) == 1
    both = built(store, spec(), SECOND, claim_ids=("c002_again",))
    assert [task.claim_id for task in both.tasks] == ["c001_ucb1_regret", "c002_again"]
    with pytest.raises(NotFoundError, match=r"no accepted claim 'c009'; it has: c001_ucb1_regret, c002_again"):
        built(store, spec(), SECOND, claim_ids=("c009",))


def test_a_tampered_task_is_built_again(store: PaperStore) -> None:
    first = built(store, spec())
    path = store.task_directory(spec().claim_id, spec().spec_hash) / "input_files" / "task.md"
    path.write_text("do nothing")
    assert built(store, spec()) == first
    assert path.read_text() != "do nothing"


def test_a_changed_spec_is_built_again_and_said(store: PaperStore) -> None:
    first = built(store, spec())
    path = store.root / "02-spec" / f"{spec().claim_id}.{spec().spec_hash}.yaml"
    path.write_text(path.read_text().replace("run_budget_s: 600", "run_budget_s: 1"))
    said: list[str] = []
    assert built(store, spec(), progress=said.append) == first
    assert any("was changed" in line for line in said)
    assert store.read_spec(spec().claim_id, spec().spec_hash) == spec()


def test_the_licence_goes_from_the_parse_into_the_manifest(store: PaperStore) -> None:
    assert built(store, spec()).paper.licence == "unknown"
    parse(store, ReadsNothing(), SOURCE, licence="CC-BY-4.0")
    assert built(store, spec()).paper.licence == "CC-BY-4.0"
    parse(store, ReadsNothing(), SOURCE)
    assert store.parse_record().licence == "CC-BY-4.0"
    for bad in ("", " ", "two\nlines", "x" * 201):
        with pytest.raises(MisuseError, match="a licence is one line"):
            parse(store, ReadsNothing(), SOURCE, licence=bad)


def test_an_earlier_version_stays_listed_apart_and_can_still_be_run(store: PaperStore) -> None:
    old, new = spec(), spec(run_budget_s=300)
    (first,) = built(store, old).tasks
    manifest = built(store, new)
    assert [task.spec_hash for task in manifest.tasks] == [new.spec_hash]
    assert manifest.earlier == (first,)
    assert read_order(store, old.claim_id, old.spec_hash).spec == old
    assert read_order(store, new.claim_id, new.spec_hash).spec == new
    again = built(store, new, refresh=True)
    assert again == manifest
    back = built(store, old)
    assert (back.tasks, [task.spec_hash for task in back.earlier]) == ((first,), [new.spec_hash])


def test_an_earlier_version_is_checked_like_a_current_one(store: PaperStore) -> None:
    old = spec()
    built(store, old)
    built(store, spec(run_budget_s=300))
    (store.task_directory(old.claim_id, old.spec_hash) / "input_files" / "task.md").write_text("do nothing")
    with pytest.raises(TamperedError, match=r"task\.md was changed"):
        read_order(store, old.claim_id, old.spec_hash)


def test_a_version_that_is_refused_now_is_not_listed_as_an_earlier_one(store: PaperStore) -> None:
    old = spec()
    manifest = built(store, old)
    failing = manifest.tasks[0].model_copy(update={"claim_id": LEAKING.claim_id, "task_id": "bandits.c003_leak"})
    failing = failing.model_copy(
        update={
            "spec_hash": LEAKING.spec_hash,
            "task_dir": store.task_place(LEAKING.claim_id, LEAKING.spec_hash),
        }
    )
    store.write_task(LEAKING.claim_id, LEAKING.spec_hash, {"data_entry.json": b"{}"})
    store.write_manifest(manifest.model_copy(update={"tasks": (failing,)}))
    assert built(store, LEAKING, refresh=True).earlier == ()
    with pytest.raises(NotFoundError, match="the last one refused it"):
        read_order(store, LEAKING.claim_id, LEAKING.spec_hash)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("task_dir", "03-task/other/0000000000000000", r"task_dir '03-task/other/0{16}' is not that of"),
        ("task_dir", "/etc", "task_dir '/etc' is not that of"),
        ("seeds", -3, r"\$\.tasks\[0\]\.seeds: -3 is less than the minimum of 1"),
        ("timeout_s", 0, r"\$\.tasks\[0\]\.timeout_s: 0 is less than"),
        ("spec_hash", "x", r"\$\.tasks\[0\]\.spec_hash: 'x' does not match"),
        ("task_id", "other.c001_ucb1_regret", "other.c001_ucb1_regret is not claim c001_ucb1_regret of paper bandits"),
    ],
)
def test_an_edited_manifest_does_not_fit(store: PaperStore, field: str, value: object, message: str) -> None:
    built(store, spec())
    path = store.root / "task_manifest.json"
    edited = json.loads(path.read_text())
    edited["tasks"][0][field] = value
    path.write_text(json.dumps(edited))
    with pytest.raises(SchemaError, match=message) as found:
        store.manifest()
    assert str(found.value).endswith("; build again with --refresh")


def test_a_manifest_that_lists_a_task_twice_or_is_of_another_paper_does_not_fit(store: PaperStore) -> None:
    manifest = built(store, spec())
    store.write_manifest(manifest.model_copy(update={"tasks": manifest.tasks * 2}))
    with pytest.raises(SchemaError, match="is listed twice"):
        store.manifest()
    paper = manifest.paper.model_copy(update={"paper_id": "others"})
    moved = manifest.tasks[0].model_copy(update={"task_id": "others.c001_ucb1_regret"})
    store.write_manifest(manifest.model_copy(update={"paper": paper, "tasks": (moved,)}))
    with pytest.raises(SchemaError, match=r"\$\.paper\.paper_id: 'others' is not 'bandits'"):
        store.manifest()


def test_a_manifest_that_says_other_than_its_spec_is_refused_and_built_again(store: PaperStore) -> None:
    manifest = built(store, spec())
    edited = manifest.tasks[0].model_copy(update={"seeds": 9})
    store.write_manifest(manifest.model_copy(update={"tasks": (edited,)}))
    with pytest.raises(TamperedError, match=r"seeds of bandits.c001_ucb1_regret is 9, by its spec it is \d"):
        read_order(store, spec().claim_id, spec().spec_hash)
    assert built(store, spec()) == manifest


@pytest.mark.parametrize("file", ["task_manifest.json", "build_validation.json"])
def test_a_broken_product_of_the_build_says_what_mends_it_and_that_does(store: PaperStore, file: str) -> None:
    manifest = built(store, spec())
    (store.root / file).write_text("{}")
    with pytest.raises(SchemaError, match=rf"{file}: .*; build again with --refresh"):
        built(store, spec())
    assert built(store, spec(), refresh=True, claim_ids=(spec().claim_id,)) == manifest


def test_a_damaged_parse_leaves_the_good_manifest(store: PaperStore) -> None:
    manifest = built(store, spec())
    (store.root / "00-parse" / "words.json").write_text("[ ]\n")
    for refresh in (False, True):
        with pytest.raises(TamperedError, match=r"words\.json was changed: .*; parse it again"):
            built(store, spec(), refresh=refresh)
    assert store.manifest() == manifest


def test_an_unparsed_paper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"parse.json is not there"):
        built(PaperStore(tmp_path, "nothing"), spec())


def test_two_paths_time_zones_and_hash_seeds_give_the_same_bytes(tmp_path: Path) -> None:
    trees = []
    for number, (zone, language, seed) in enumerate((("UTC", "C", "0"), ("Asia/Tokyo", "tr_TR.UTF-8", "12345"))):
        code = (
            "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]);"
            "import test_build_paper as t; from made_paper import *;"
            "s = t.PaperStore(Path(sys.argv[1]), 'bandits'); t.parse(s, ReadsNothing(), SOURCE);"
            "t.built(s, spec(), t.SECOND, t.LEAKING)"
        )
        out = tmp_path / ("deep/" * number + "runs")
        env = {**os.environ, "TZ": zone, "LANG": language, "LC_ALL": language, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(out), str(Path(__file__).parent)], check=True, env=env)
        trees.append(read_tree(out / "bandits"))
    assert list(trees[0]) == list(trees[1])
    assert trees[0] == trees[1]


def test_an_order_is_read_only_when_spec_contract_and_manifest_agree(store: PaperStore) -> None:
    one = spec()
    (entry,) = built(store, one).tasks
    assert read_order(store, one.claim_id, one.spec_hash).contract == contract_of(one)
    other = store.read_task(one.claim_id, one.spec_hash)
    other["reward/contract.json"] = other["reward/contract.json"].replace(b'"seeds": 2', b'"seeds": 1')
    other = sealed(other)
    store.write_task(one.claim_id, one.spec_hash, other)
    changed = {"task_digest": task_digest(other)}
    store.write_manifest(store.manifest().model_copy(update={"tasks": (entry.model_copy(update=changed),)}))
    with pytest.raises(TamperedError, match=r"contract\.json has the hash \w+, its spec names \w+"):
        read_order(store, one.claim_id, one.spec_hash)


def test_a_manifest_that_names_another_contract_is_refused(store: PaperStore) -> None:
    one = spec()
    manifest = built(store, one)
    wrong = manifest.tasks[0].model_copy(update={"contract_hash": "0" * 16})
    store.write_manifest(manifest.model_copy(update={"tasks": (wrong,)}))
    with pytest.raises(TamperedError, match="the manifest names 0000000000000000"):
        read_order(store, one.claim_id, one.spec_hash)


def test_a_contract_on_disk_is_the_specs_own(store: PaperStore) -> None:
    built(store, spec())
    text = store.read_task(spec().claim_id, spec().spec_hash)["reward/contract.json"]
    assert json.loads(text) == contract_of(spec()).model_dump(mode="json")
    assert document().title in (store.root / "CLAIMS.md").read_text()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"paragraphs": ()}, "no claims were found: no sentences were found"),
        ({"paragraphs": (paragraph("p1", "We thank the many readers of the paper."),)}, "no sentence states a number"),
        (
            {"paragraphs": (paragraph("p1", "Das Verfahren senkt den Fehler von 12 auf 9 Prozent. " * 4),)},
            "the text does not look English",
        ),
        ({"tables": ()}, "no tables were found, and numbers are looked up in tables"),
        ({}, "no sentence states a result of the paper's own with a number that one of its tables prints"),
    ],
)
def test_a_paper_without_claims_says_what_is_missing(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    class Reads(ReadsNothing):
        def parse(self, source: Source, paper_id: str) -> Parsed:
            return super().parse(source, paper_id).model_copy(update={"document": document(**changes)})

    class NoClaims(HandMadeClaims):
        def propose(self, source: ReadPaper) -> Iterator[Proposal]:
            return iter(())

    store = PaperStore(tmp_path / "runs", "bandits")
    parse(store, Reads(), SOURCE)
    said: list[str] = []
    manifest = build(
        store, NoClaims(), load_config(None), claim_ids=(), max_claims=None, refresh=False, progress=said.append
    )
    assert manifest.tasks == ()
    assert [words in line for line in said] == [True]
    assert words.removeprefix("no claims were found: ") in (store.root / "CLAIMS.md").read_text()
