from houses.market import Market
from houses.boosting import boost

__all__ = ["Market", "boost"]
