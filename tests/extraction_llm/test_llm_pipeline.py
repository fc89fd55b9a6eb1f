"""The whole pipeline with recorded replies over HTTP: parse, build --extractor llm, again from the cache, and both."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import KEY, ModelServer, serving
from recorded_model import recorded
from sample_paper import PAPER_ID, call, manifest, one_line

from reproducegym.adapters.llm import llm_availability
from reproducegym.schema.refined import RefinedClaims
from reproducegym.schema.usage import UsageSummary

pytestmark = pytest.mark.skipif(not llm_availability().works, reason=llm_availability().detail)

MODEL = "small-model"


def settings(server: ModelServer) -> dict[str, str]:
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": MODEL}


def build(paper: Path, extractor: str, server: ModelServer, *more: str):
    done = call("build_claim_tasks.py", "--paper", paper, "--extractor", extractor, *more, env=settings(server))
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def built(built_sample: Path, tmp_path_factory) -> Iterator[tuple[Path, ModelServer]]:
    """The sample paper, built by a model that answers from the recorded replies."""
    out = tmp_path_factory.mktemp("llm")
    shutil.copytree(built_sample / "00-parse", out / PAPER_ID / "00-parse")
    with serving(MODEL) as server:
        server.script = recorded(PAPER_ID).script
        build(out / PAPER_ID, "llm", server)
        yield out / PAPER_ID, server


def test_the_recorded_claims_become_tasks(built):
    paper, _ = built
    tasks = manifest(paper)["tasks"]
    assert [task["claim_id"] for task in tasks] == [
        "c001_ucb1_optimal_pulls",
        "c002_thompson_sampling_regret",
        "c003_ucb1_return",
        "c004_w_o_random_ties_optimal_pulls",
        "c005_greedy_goal_reached_success_rate",
        "c006_w_o_bonus_optimal_pulls",
        "c007_w_o_optimistic_start_optimal_pulls",
        "c008_ucb1_optimal_pulls",
        "c009_thompson_sampling_return",
        "c010_thompson_sampling_goal_reached_success",
    ]


def test_the_manifest_says_which_model_and_prompts_built_the_tasks(built):
    paper, _ = built
    builder = manifest(paper)["builder"]
    assert (builder["extractor"], builder["model"]) == ("llm", MODEL)
    assert {name for name in builder["prompts"] if name.startswith("llm/")} == {
        "llm/extract.md",
        "llm/merge.md",
        "llm/read_panel.md",
        "llm/refine.md",
    }


def test_what_the_model_made_of_each_claim_is_kept(built):
    paper, server = built
    records = RefinedClaims.from_json((paper / "01-extract" / "refined_claims.json").read_bytes())
    assert len(records.claims) == 14
    assert [one for claim in records.claims for one in claim.dropped] == []
    assert records.model == MODEL
    usage = UsageSummary.from_json((paper / "token_usage.summary.json").read_bytes())
    assert usage.calls == len(server.requests)
    assert KEY not in "".join(path.read_text() for path in paper.rglob("*.json"))


def test_no_question_holds_the_paper(built):
    paper, server = built
    whole = len((paper / "00-parse" / "paper.md").read_text())
    from_paper = [asked.user.partition("</paper-data")[0] for asked in server.requests]
    assert max(map(len, from_paper)) < whole / 2
    assert server.refused == []


def test_the_same_build_again_asks_nothing_and_writes_the_same_bytes(built):
    paper, server = built
    before, requests = (paper / "task_manifest.json").read_bytes(), len(server.requests)
    build(paper, "llm", server, "--refresh")
    assert len(server.requests) == requests
    assert (paper / "task_manifest.json").read_bytes() == before


def test_rules_and_model_agree_in_sight(built):
    paper, server = built
    build(paper, "rules", server)
    assert not (paper / "01-extract" / "refined_claims.json").exists(), "no paper of another extractor stays"
    build(paper, "both", server)
    rows = json.loads((paper / "01-extract" / "claim_verification_report.json").read_text())["claims"]
    accepted = [row["proposed_by"] for row in rows if row["pool"] == "rlvr"]
    assert accepted.count("both") >= 5
    assert manifest(paper)["builder"]["extractor"] == "both"


@pytest.mark.papers
@pytest.mark.parametrize(
    ("name", "targets", "refused"),
    [
        ("drgrpo", {"43.3", "0.605042016807", "3.5", "8.8", "51.4"}, {"direction_unknown"}),
        ("dapo", {"50", "3", "30", "20", "8", "6"}, {"effect_within_noise"}),
    ],
)
def test_the_recorded_claims_of_a_real_paper_become_tasks(name, targets, refused, papers, tmp_path):
    done = call("parse_paper.py", "--pdf", papers / "pdf" / f"{name}.pdf", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    with serving(MODEL) as server:
        server.script = recorded(name).script
        build(tmp_path / name, "llm", server)
        assert server.refused == []
    rows = json.loads((tmp_path / name / "01-extract" / "claim_verification_report.json").read_text())["claims"]
    accepted = [row for row in rows if row["pool"] == "rlvr"]
    assert {target["value"] for row in accepted for target in row["targets"]} >= targets
    assert all(anchor["kind"] == "sentence" for row in accepted for anchor in row["anchors"])
    assert refused <= {reason for row in rows for reason in row["reasons"]}
    said = json.loads((papers / "gold-dev" / f"{name}.json").read_text())["must_not_accept"]
    quotes = ["".join(anchor["quote"].split()) for row in accepted for anchor in row["anchors"]]
    assert not any("".join(one["quote"].split()) in quote for one in said for quote in quotes)


@pytest.mark.parametrize("extractor", ["llm", "both"])
def test_without_a_key_one_line_says_what_to_set(built, extractor: str):
    paper, _ = built
    bare = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "OPENAI_MODEL": ""}
    done = call("build_claim_tasks.py", "--paper", paper, "--extractor", extractor, env=bare)
    assert done.returncode == 13
    assert "OPENAI_API_KEY" in one_line(done)


def test_without_a_model_one_line_says_what_to_set(built):
    paper, server = built
    done = call(
        "build_claim_tasks.py", "--paper", paper, "--extractor", "llm", env={**settings(server), "OPENAI_MODEL": ""}
    )
    assert done.returncode == 2
    assert "OPENAI_MODEL" in one_line(done)


def test_an_extractor_that_does_not_exist_is_named_with_those_that_do(built):
    paper, _ = built
    done = call("build_claim_tasks.py", "--paper", paper, "--extractor", "oracle")
    assert done.returncode == 2
    assert one_line(done) == "--extractor oracle: unknown; known are rules, llm, both"
