"""A build that has nothing to do is not done again, and one that has is: by content, never by date."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made_paper import SOURCE, HandMadeClaims, ReadsNothing, spec

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.build import build
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.unchanged import build_key, builder_record, standing
from reproducegym.schema.config import Config
from reproducegym.schema.task import Manifest

CONFIG = load_config(None)


@pytest.fixture
def store(tmp_path: Path) -> PaperStore:
    found = PaperStore(tmp_path / "runs", "bandits")
    parse(found, ReadsNothing(), SOURCE)
    return found


def built(store: PaperStore, *, max_claims: int | None = None, laps: Laps | None = None) -> Manifest:
    family = HandMadeClaims(spec())
    asked = {"claim_ids": (), "max_claims": max_claims, "refresh": False, "progress": lambda line: None}
    return build(store, family, CONFIG, laps=laps, **asked)


def stands(
    store: PaperStore,
    config: Config = CONFIG,
    *,
    extractor: str = "by hand",
    prompts: dict[str, str] | None = None,
    claim_ids: tuple[str, ...] = (),
    max_claims: int | None = None,
) -> Manifest | None:
    builder = builder_record(config, extractor, None, prompts or {})
    return standing(store, build_key(store, builder, claim_ids, max_claims))


def test_the_same_build_again_has_nothing_to_do(store: PaperStore) -> None:
    assert stands(store) is None
    manifest = built(store)
    before = read_tree(store.root)
    assert stands(store) == manifest
    assert read_tree(store.root) == before


def test_runs_timings_and_replies_of_models_are_no_part_of_a_build(store: PaperStore) -> None:
    manifest = built(store)
    with store.begin_attempt(spec().claim_id, spec().spec_hash) as begun:
        store.add_attempt(begun, lambda _: {"result.json": b"{}"})
    store.add_timing({"stage": "run", "seconds": 1.5})
    (store.replies_directory / "extract").mkdir(parents=True)
    (store.replies_directory / "extract" / "reply.json").write_text("{}")
    assert stands(store) == manifest


def changed(**tables: dict[str, object]) -> Config:
    """The configuration with other values in some of its tables."""
    return CONFIG.model_copy(
        update={name: getattr(CONFIG, name).model_copy(update=knobs) for name, knobs in tables.items()}
    )


def test_what_a_build_does_not_read_is_no_reason_to_build_again(store: PaperStore) -> None:
    manifest = built(store)
    runs = {"run": {"retries": 9}, "ray": {"cpus": 9.0}, "egress": {"allow": ("a.example:1",)}}
    agents = {"agent": {"max_tokens": 9}, "llm": {"concurrency": 9}, "sandbox": {"memory_mib": 9}}
    assert stands(store, changed(**runs, **agents)) == manifest
    assert stands(store, changed(sandbox={"image": "another"})) is None
    assert stands(store, changed(verification={"max_seeds": 9})) is None
    told = [builder_record(one, "both", "a-model", {}) for one in (CONFIG, changed(llm={"temperature": 1.0}))]
    assert told[0] != told[1]
    told = [builder_record(one, "rules", None, {}, "0" * 64) for one in (CONFIG, changed(sandbox={"cpus": 9.0}))]
    assert told[0] != told[1]


@pytest.mark.parametrize(
    "asked",
    [
        {"extractor": "llm"},
        {"prompts": {"llm/extract.md": "0" * 64}},
        {"claim_ids": ("c001_ucb1_regret",)},
        {"max_claims": 3},
        {"config": CONFIG.model_copy(update={"build": CONFIG.build.model_copy(update={"evidence_characters": 9})})},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_another_build_is_done(store: PaperStore, asked: dict[str, object]) -> None:
    built(store)
    assert stands(store, **asked) is None


def drop_a_leaf(store: PaperStore) -> None:
    next((store.root / "01-extract" / "claim_evidence").iterdir()).unlink()


def edit(*parts: str) -> Callable[[PaperStore], None]:
    def change(store: PaperStore) -> None:
        path = store.root.joinpath(*parts)
        path.write_text(path.read_text() + " ")

    return change


@pytest.mark.parametrize(
    "harm",
    [
        edit("CLAIMS.md"),
        edit("task_manifest.json"),
        edit("build_validation.json"),
        edit("00-parse", "words.json"),
        edit("01-extract", "triaged_claims.json"),
        edit("02-spec", f"{spec().claim_id}.{spec().spec_hash}.yaml"),
        edit("03-task", spec().claim_id, spec().spec_hash, "input_files", "task.md"),
        drop_a_leaf,
    ],
)
def test_one_changed_or_missing_file_is_noticed(store: PaperStore, harm: Callable[[PaperStore], None]) -> None:
    built(store)
    harm(store)
    assert stands(store) is None


def test_a_record_that_does_not_fit_is_no_reason_to_trust(store: PaperStore) -> None:
    built(store)
    path = store.root / "01-extract" / "build_record.json"
    whole = json.loads(path.read_text())
    for broken in ("{}", "", json.dumps({**whole, "schema_version": 2}), json.dumps({**whole, "files": {}})):
        path.write_text(broken)
        assert stands(store) is None


def test_a_build_that_was_stopped_leaves_no_record(store: PaperStore, monkeypatch: pytest.MonkeyPatch) -> None:
    built(store)

    def stop(self: PaperStore, text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PaperStore, "write_claims_page", stop)
    with pytest.raises(KeyboardInterrupt):
        built(store, max_claims=1)
    monkeypatch.undo()
    assert stands(store) is None
    assert stands(store, max_claims=1) is None


def test_an_unparsed_paper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"parse\.json is not there"):
        stands(PaperStore(tmp_path, "nothing"))


def test_the_time_of_each_step_is_kept_on_a_line(store: PaperStore) -> None:
    ticks = iter(range(1000))
    built(store, laps=Laps(lambda: float(next(ticks))))
    lines = [json.loads(line) for line in (store.root / "timings.jsonl").read_text().splitlines()]
    assert [(line["stage"], line["step"]) for line in lines] == [
        ("build", "read"),
        ("build", "render"),
        ("build", "prove"),
        ("build", "write"),
    ]
    assert all(line["seconds"] == 1.0 for line in lines)
