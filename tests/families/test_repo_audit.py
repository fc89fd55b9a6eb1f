"""Repository audits as tasks: what is right earns all, what is lazy or loud nothing, and nothing tells the answer."""

import random
from functools import cache

import pytest

from reproducegym.examiner.findings import FINDINGS, MOST_ROWS
from reproducegym.families.repo_audit import RepoAudits
from reproducegym.families.repo_audit.family import source_text
from reproducegym.families.self_check import check_family
from reproducegym.parsing import parser_for
from reproducegym.pipeline.exposure.audit_leak import scan_audit
from reproducegym.pipeline.judging.examining import scored_table
from reproducegym.pipeline.proving.audits import findings_csv
from reproducegym.pipeline.proving.proof import prove
from reproducegym.pipeline.task import render_task, visible
from reproducegym.ports import ReadPaper
from reproducegym.schema.audit import Audit
from reproducegym.schema.base import canonical_json
from reproducegym.schema.paper import Source
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_artifact

pytest.importorskip("libcst")
TASKS = 8


@cache
def source() -> ReadPaper:
    card = Source(kind="markdown", origin="repo-audit 7", content=source_text("repo-audit", 7).encode())
    parsed = parser_for(card, None).parse(card, "repo-audit-7")
    return ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)


@pytest.fixture(scope="module")
def family() -> RepoAudits:
    return RepoAudits(TASKS, 7)


@pytest.fixture(scope="module")
def specs(family: RepoAudits):
    return [one.outcome for one in family.propose(source())]


def test_it_keeps_what_every_family_promises(family: RepoAudits, specs):
    assert [check for check in check_family(family, source()) if not check.passed] == []
    assert [check for spec in specs for check in prove(spec) if not check.passed] == []
    assert any(spec.audit.defects for spec in specs)


def test_all_found_earns_all_and_everything_named_nothing(family: RepoAudits, specs):
    for spec in specs:
        judge = load_contract(canonical_json(family.contract(spec)))
        repository = [
            n.removeprefix("repository/") for n in family.brief(spec, source()) if n.startswith("repository/")
        ]
        right = [(one.rule, one.places[-1].file, one.places[-1].last_line) for one in spec.audit.defects]
        rules = [
            line[3:] for line in family.brief(spec, source())["rules.md"].decode().splitlines() if line[:3] == "## "
        ]
        loud = [(rule, name, 1) for rule in rules for name in repository][:MOST_ROWS]
        draw = random.Random(1)
        random_rows = [(draw.choice(rules), draw.choice(repository), draw.randint(1, 40)) for _ in range(3)]
        earned = [
            score_artifact(judge, scored_table({FINDINGS: findings_csv(rows)}, spec.audit)).reward
            for rows in (right, loud, random_rows)
        ]
        assert earned == [1.0, 0.0, 0.0]
        assert score_artifact(judge, scored_table({}, spec.audit)).reward == 0.0


def test_the_brief_is_the_same_whatever_is_to_be_found(family: RepoAudits, specs):
    for spec in specs:
        blind = spec.model_copy(update={"audit": Audit(near=0, defects=(), excused=())})
        assert family.brief(blind, source()) == family.brief(spec, source())
        files = visible(render_task(spec, family.brief(spec, source()), family.contract(spec), 24.0))
        assert scan_audit(files, spec, spec.audit) == ()


def test_a_told_answer_is_seen_before_it_leaves(family: RepoAudits, specs):
    spec = next(one for one in specs if one.audit.defects)
    first = spec.audit.defects[0]
    told = {"task.md": f"look for {first.rule} in {first.places[0].file}".encode(), "x.bin": b"\xff"}
    assert {one.file for one in scan_audit(told, spec, spec.audit)} == {"task.md", "x.bin"}
    assert scan_audit({"task.md": spec.contract_hash.encode()}, spec, spec.audit)[0].spelling == spec.contract_hash


def test_more_tasks_of_a_seed_begin_as_fewer_do(specs):
    fewer = [one.outcome for one in RepoAudits(3, 7).propose(source())]
    assert fewer == specs[:3]
