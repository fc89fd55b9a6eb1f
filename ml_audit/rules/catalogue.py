"""All rules, in the order of their families."""

from collections.abc import Mapping
from types import MappingProxyType

from ml_audit.rules.data import DATA
from ml_audit.rules.determinism import DETERMINISM
from ml_audit.rules.documents import DOCUMENTS
from ml_audit.rules.environment import ENVIRONMENT
from ml_audit.rules.jax import JAX
from ml_audit.rules.rule import Rule
from ml_audit.rules.seeds import SEEDS
from ml_audit.rules.training import TRAINING

__all__ = ["BY_ID", "RULES", "UNUSED"]

UNUSED = Rule(
    "unused-suppression",
    "info",
    "testing",
    "Remove comments that silence nothing",
    "A comment for a finding that is gone hides the next one.",
    "remove the comment",
    lambda subject: (),
    weight=0.0,
    family="suppressions",
)

RULES: tuple[Rule, ...] = (
    *SEEDS.rules,
    *JAX.rules,
    *DETERMINISM.rules,
    *DATA.rules,
    *ENVIRONMENT.rules,
    *DOCUMENTS.rules,
    *TRAINING.rules,
    UNUSED,
)
BY_ID: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in RULES})
"""Every rule by its id; ids never change their meaning."""
