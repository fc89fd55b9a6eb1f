"""The rules that count in an audit: those that some operator breaks, explained as ml-audit explains them."""

from collections.abc import Iterable

from ml_audit import RULES, Rule
from reproducegym.planting.operator import Operator

__all__ = ["counted_rules", "rules_page"]


def counted_rules(operators: Iterable[Operator]) -> tuple[Rule, ...]:
    """The rules of these operators, in the order of their ids."""
    named = {one.rule for one in operators}
    return tuple(sorted((rule for rule in RULES if rule.id in named), key=lambda rule: rule.id))


def rules_page(rules: Iterable[Rule]) -> str:
    """`rules.md` of a brief: the same for every task of a build."""
    parts = ["# Kinds of defects that count\n"]
    for rule in rules:
        versions = f"\n\nHolds: {rule.versions}." if rule.versions else ""
        parts.append(f"\n## {rule.id}\n\n{rule.title}. {rule.why}{versions}\n\nTo mend it: {rule.fix}.\n")
    return "".join(parts)
