"""All rules, in the order of their families."""

from collections.abc import Mapping
from types import MappingProxyType

from ml_audit.rules.card import card
from ml_audit.rules.data import DATA
from ml_audit.rules.determinism import DETERMINISM
from ml_audit.rules.distributed import DISTRIBUTED
from ml_audit.rules.documents import DOCUMENTS
from ml_audit.rules.environment import ENVIRONMENT
from ml_audit.rules.evaluation import EVALUATION
from ml_audit.rules.images import IMAGES
from ml_audit.rules.jax import JAX
from ml_audit.rules.order import ORDER
from ml_audit.rules.processes import PROCESSES
from ml_audit.rules.reinforcement import REINFORCEMENT
from ml_audit.rules.rule import Rule
from ml_audit.rules.seeding import SEEDING
from ml_audit.rules.seeds import SEEDS
from ml_audit.rules.settings import SETTINGS
from ml_audit.rules.speed import SPEED
from ml_audit.rules.splits import SPLITS
from ml_audit.rules.training import TRAINING
from ml_audit.rules.unread import UNREAD
from ml_audit.rules.upkeep import UPKEEP

__all__ = ["BY_ID", "RULES", "UNUSED"]

UNUSED = Rule("unused-suppression", "suppressions", card("unused-suppression"), lambda subject: ())
"""Found by the audit itself, after all other rules."""

_FAMILIES = [SEEDS, SEEDING, REINFORCEMENT, JAX, DETERMINISM, ORDER, PROCESSES, DATA, SPLITS, ENVIRONMENT, IMAGES]
_FAMILIES += [DOCUMENTS, UPKEEP, SETTINGS, UNREAD, TRAINING, EVALUATION, SPEED, DISTRIBUTED]

RULES: tuple[Rule, ...] = (*(rule for family in _FAMILIES for rule in family.rules), UNUSED)
BY_ID: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in RULES})
"""Every rule by its id; ids never change their meaning."""
