from .ensemble import EasyEnsemble
from .payments import payments

__all__ = ["EasyEnsemble", "payments"]
