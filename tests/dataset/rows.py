"""Rows of papers that do not exist, as many as a test wants."""

from reproducegym import TaskSet
from reproducegym.schema.listed import ListedTask

COSTS = ("S", "M", "L", "XL")


def row(paper: int, claim: int, **other) -> ListedTask:
    paper_id, claim_id, version = f"paper-{paper:05d}", f"c{claim:03d}", f"{paper * 1000 + claim:016x}"
    told = {
        "schema_version": 1,
        "task_id": f"{paper_id}.{claim_id}",
        "paper_id": paper_id,
        "paper_title": f"Paper {paper}",
        "paper_sha256": f"{paper:064x}",
        "licence": "CC-BY-4.0",
        "family": "paper_claims",
        "claim_id": claim_id,
        "claim_uid": f"clm_{version}",
        "title": "Difference in return: A against B",
        "statement": f"A has higher return than B on task {claim} of paper {paper}",
        "claim_type": "headline",
        "spec_hash": version,
        "contract_hash": version,
        "task_digest": f"{paper * 1000 + claim:064x}",
        "task_dir": f"{paper_id}/03-task/{claim_id}/{version}",
        "metrics": ("return_difference", "a_return"),
        "n_targets": 1,
        "evidence_level": "reexecute",
        "exposure_policy": "masked",
        "paper_text": "masked",
        "probes": ("null", "budget"),
        "memory_resistant": claim % 2 == 0,
        "seeds": 3,
        "assets": (),
        "requires_training": True,
        "requires_gpu": claim % 5 == 4,
        "cost": COSTS[claim % 4],
        "difficulty": "easy",
        "timeout_s": 600,
        "image": "reproducegym/base",
        "oracle": None,
        "noop": 0.0,
        "gameability": 0.25,
        "remembered": "none",
        "quarantine": None,
        "prompt": None,
    }
    return ListedTask(**(told | other))


def tasks(papers: int, claims: int) -> TaskSet:
    return TaskSet(tuple(row(paper, claim) for paper in range(papers) for claim in range(claims)))
