"""A small paper of our own about two trees and a pond, and a model that reads it as it is."""

from collections.abc import Mapping, Sequence

from recorded_model import RecordedLlm, RecordedModel

from reproducegym.extraction.llm import LlmExtractor
from reproducegym.families.paper_claims import PaperClaims
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import Proposal, ReadPaper
from reproducegym.schema.claim import Candidate
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

__all__ = [
    "ALDER",
    "BIRCH",
    "GAIN",
    "HONEST",
    "SPEED",
    "VALUE",
    "accepted",
    "candidates",
    "cell",
    "point",
    "pond",
    "printed",
    "proposals",
    "refined",
    "replies",
    "sentence",
    "sentence_id",
]

_TEXT = """# Alder: Trees That Grow Beside Ponds

## Abstract

Trees are hard to grow beside ponds. Alder improves the accuracy on Pond over Birch by 4.1 percentage points. {abstract}

## 1 Introduction

Many have grown trees. {introduction}

## 2 Experimental Setup

We train each tree for 2000 steps. Every number is a mean over 5 seeds. {setup}

## 3 Results

Table 1: Trees beside the pond. Accuracy on Pond, mean ± standard deviation over 5 seeds.

| Method | Accuracy (%) ↑ | Latency (ms) ↓ |
| --- | --- | --- |
| Random | 10.0 ± 0.1 | 9.0 ± 0.1 |
| Birch | 87.1 ± 0.3 | 20.0 ± 0.2 |
| Alder | 91.2 ± 0.2 | 10.0 ± 0.1 |

Alder outperforms Birch by 4.1 percentage points in accuracy on Pond (91.2% vs. 87.1%, Table 1). {results}

Alder answers in half the time that Birch takes, 10.0 ms (Table 1).

## 4 Conclusion

Alder reaches an accuracy of 91.2% on Pond. {conclusion}
"""
ALDER, BIRCH = ["Alder"], ["Birch"]
ACCURACY, LATENCY = ["Accuracy (%) ↑"], ["Latency (ms) ↓"]
GAIN = "Alder is 4.1 points more accurate than Birch on Pond"
SPEED = "Alder is faster than Birch on Pond"
VALUE = "Alder has 91.2% accuracy on Pond"
HONEST = {("difference", "4.1"), ("ratio", "0.5"), ("absolute", "91.2")}


def pond(**more: str) -> ReadPaper:
    """The paper; `more` adds sentences to its sections."""
    parts = {"abstract": "", "introduction": "", "setup": "", "results": "", "conclusion": ""}
    text = _TEXT.format(**{**parts, **more})
    parsed = MarkdownParser().parse(Source(kind="markdown", origin="pond.md", content=text.encode()), "pond")
    return ReadPaper(document=parsed.document, words=parsed.words)


def sentence_id(paper: ReadPaper, words: str) -> str:
    """The id of the sentence that holds these words."""
    (found,) = [one.id for part in paper.document.paragraphs for one in part.sentences if words in one.text]
    return found


def cell(row: Sequence[str], column: Sequence[str], quote: str | None = None) -> dict:
    place = {"kind": "table_cell", "table": "1", "row": list(row), "column": list(column)}
    return place if quote is None else {**place, "quote": quote}


def sentence(paper: ReadPaper, words: str, quote: str) -> dict:
    return {"kind": "sentence", "sentence": sentence_id(paper, words), "quote": quote}


def point(role: str, condition: str, place: Mapping[str, object]) -> dict:
    return {"role": role, "condition": condition, "dataset": "Pond", "metric": None, "x": None, "place": dict(place)}


def printed(paper: ReadPaper) -> dict:
    """The gain as the results print it."""
    return point("printed", "Alder", sentence(paper, "Alder outperforms", "4.1 percentage points"))


def refined(pattern: str, points: Sequence[dict], **changes: object) -> dict:
    """A reply of step 3 about accuracy."""
    labels = dict.fromkeys(
        (one["condition"], one["role"]) for one in points if one["role"] not in {"printed", "chance"}
    )
    return {
        "statement": GAIN,
        "claim_type": "method_effect",
        "pattern": pattern,
        "relation": "equals",
        "metric": {
            "name": "Accuracy",
            "unit": "%",
            "kind": "rate",
            "direction": "higher_is_better",
            "over_seeds": "mean",
        },
        "guards": [],
        "conditions": [{"role": role, "label": label, "switches": []} for label, role in labels],
        "points": list(points),
        "protocol": {"method": None, "dataset": None, "evaluation": None, "numbers": []},
        "budget": None,
        "trend": None,
        **changes,
    }


def _found(statement: str, pattern: str, anchor: str, baseline: str | None, rests: Sequence[dict]) -> dict:
    return {
        "anchors": [anchor],
        "statement": statement,
        "claim_type": "method_effect",
        "pattern": pattern,
        "metric": "Accuracy",
        "method": "Alder",
        "baseline": baseline,
        "dataset": "Pond",
        "direction": "not_said",
        "rests_on": list(rests),
    }


def replies(paper: ReadPaper, **changed: dict) -> dict:
    """What a careful model answers; `changed` replaces its refined claims (`gain`, `speed`, `value`)."""
    sections = {one.title: one.id for one in paper.document.sections}
    pair = [cell(ALDER, ACCURACY), cell(BIRCH, ACCURACY)]
    told = GAIN + " as the abstract has it"
    speed = {"name": "Latency", "unit": "ms", "kind": "time", "direction": "lower_is_better", "over_seeds": "mean"}
    gain = [
        point("treatment", "Alder", cell(ALDER, ACCURACY, "91.2 ± 0.2")),
        point("treatment", "Alder", sentence(paper, "Alder outperforms", "91.2%")),
        point("baseline", "Birch", cell(BIRCH, ACCURACY, "87.1 ± 0.3")),
        printed(paper),
    ]
    fast = [
        point("treatment", "Alder", cell(ALDER, LATENCY, "10.0 ± 0.1")),
        point("baseline", "Birch", cell(BIRCH, LATENCY, "20.0 ± 0.2")),
    ]
    value = [
        point("treatment", "Alder", cell(ALDER, ACCURACY, "91.2 ± 0.2")),
        point("chance", "Random", cell(["Random"], ACCURACY, "10.0 ± 0.1")),
    ]
    refine = {
        "gain": refined("difference", gain),
        "speed": refined("ratio", fast, statement=SPEED, metric=speed),
        "value": refined("absolute", value, statement=VALUE),
        **changed,
    }
    return {
        "extract": {
            sections["Abstract"]: {
                "claims": [_found(told, "difference", sentence_id(paper, "Alder improves"), "Birch", pair)]
            },
            sections["Results"]: {
                "claims": [
                    _found(GAIN, "difference", sentence_id(paper, "Alder outperforms"), "Birch", pair),
                    _found(
                        SPEED,
                        "ratio",
                        sentence_id(paper, "Alder answers"),
                        "Birch",
                        [cell(ALDER, LATENCY), cell(BIRCH, LATENCY)],
                    ),
                ]
            },
            sections["Conclusion"]: {
                "claims": [
                    _found(VALUE, "absolute", sentence_id(paper, "Alder reaches"), None, [cell(ALDER, ACCURACY)])
                ]
            },
        },
        "merge": [[GAIN, told]],
        "refine": {GAIN: refine["gain"], told: refine["gain"], SPEED: refine["speed"], VALUE: refine["value"]},
        "read_panel": {},
    }


def _extractor(model: RecordedModel) -> LlmExtractor:
    return LlmExtractor(
        RecordedLlm(model), evidence_characters=12_000, selected=12, crop=lambda image, figure, panel: image
    )


def candidates(paper: ReadPaper, model: RecordedModel) -> tuple[Candidate, ...]:
    return _extractor(model).extract(paper)


def proposals(paper: ReadPaper, model: RecordedModel) -> list[Proposal]:
    return list(PaperClaims((_extractor(model),), load_config(None)).propose(paper))


def accepted(proposed: Sequence[Proposal]) -> set[tuple[str, str]]:
    """Pattern and value of every claim that compiles and proves itself."""
    return {
        (one.candidate.pattern, str(one.outcome.targets[0].value.normalize()))
        for one in proposed
        if isinstance(one.outcome, ClaimSpec)
    }
