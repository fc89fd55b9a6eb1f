"""All rules, in the order of their families."""

from collections.abc import Mapping
from types import MappingProxyType

from ml_audit.rules.card import card
from ml_audit.rules.data import DATA
from ml_audit.rules.determinism import DETERMINISM
from ml_audit.rules.documents import DOCUMENTS
from ml_audit.rules.environment import ENVIRONMENT
from ml_audit.rules.jax import JAX
from ml_audit.rules.rule import Rule
from ml_audit.rules.seeds import SEEDS
from ml_audit.rules.training import TRAINING

__all__ = ["BY_ID", "RULES", "UNUSED"]

UNUSED = Rule("unused-suppression", "suppressions", card("unused-suppression"), lambda subject: ())
"""Found by the audit itself, after all other rules."""

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
