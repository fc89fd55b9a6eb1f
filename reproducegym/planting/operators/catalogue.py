"""All operators, in the order of their categories."""

from reproducegym.planting.operator import Operator
from reproducegym.planting.operators.configuration_management import CONFIGURATION_MANAGEMENT
from reproducegym.planting.operators.dataloader import DATALOADER
from reproducegym.planting.operators.dependency_pinning import DEPENDENCY_PINNING
from reproducegym.planting.operators.determinism_flags import DETERMINISM_FLAGS
from reproducegym.planting.operators.environment_config import ENVIRONMENT_CONFIG
from reproducegym.planting.operators.model_initialization import MODEL_INITIALIZATION
from reproducegym.planting.operators.processes import PROCESSES
from reproducegym.planting.operators.random_seeds import RANDOM_SEEDS
from reproducegym.planting.operators.rng_initialization import RNG_INITIALIZATION

__all__ = ["OPERATORS"]

OPERATORS: tuple[Operator, ...] = (
    *RANDOM_SEEDS.all,
    *DEPENDENCY_PINNING.all,
    *DETERMINISM_FLAGS.all,
    *ENVIRONMENT_CONFIG.all,
    *DATALOADER.all,
    *MODEL_INITIALIZATION.all,
    *CONFIGURATION_MANAGEMENT.all,
    *PROCESSES.all,
    *RNG_INITIALIZATION.all,
)
