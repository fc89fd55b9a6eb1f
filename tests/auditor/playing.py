"""Plays classic episodes for tests: the answers of someone who knows them."""

import json

from reproducegym.families.auditor.classic.case import ClassicCase
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.nouns import Level


def case(level: Level, seed: int) -> ClassicCase:
    return Classic().draw(level, seed)


def true_triage(one: ClassicCase) -> str:
    files = sorted({name for kind in one.planted for name in one.places(kind)})
    return json.dumps(
        {"suspicious_files": files, "suspected_categories": sorted({kind.category for kind in one.planted})}
    )


def true_audit(one: ClassicCase) -> str:
    findings = [
        {
            "violation_type": kind.id,
            "file_name": one.names[kind.files[0]],
            "line_number": 1,
            "suggested_fix_code": kind.keywords[0],
        }
        for kind in one.planted
    ]
    return json.dumps({"violations": findings, "reproducibility_score": 0.0, "explanation": ""})
