"""All operators, in the order of their categories."""

from reproducegym.planting.operator import Operator
from reproducegym.planting.operators.dependency_pinning import DEPENDENCY_PINNING
from reproducegym.planting.operators.order import DATALOADER
from reproducegym.planting.operators.random_seeds import RANDOM_SEEDS

__all__ = ["OPERATORS"]

OPERATORS: tuple[Operator, ...] = (*RANDOM_SEEDS.all, *DEPENDENCY_PINNING.all, *DATALOADER.all)
