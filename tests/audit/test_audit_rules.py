"""Every rule finds its bad example and is silent on its good one."""

import pytest

from ml_audit import RULES, Repository, Rule, findings


def repository(files: dict[str, str], name: str = "example") -> Repository:
    return Repository(name, {path: text.encode() for path, text in files.items()})


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_a_rule_finds_its_bad_example_and_nothing_in_its_good_one(rule: Rule):
    found = [f for f in findings(repository(rule.bad)) if f.rule == rule.id]
    assert found
    assert all(f.line is None or f.line > 0 for f in found)
    assert [f for f in findings(repository(rule.good)) if f.rule == rule.id] == []


def test_ids_are_unique_words_and_every_rule_is_explained():
    assert len({r.id for r in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.id.replace("-", "").isalpha()
        assert rule.why.endswith(".")
        assert rule.fix
        assert rule.family
