"""A way out of a sandbox for the hosts that an operator lists, with a log, and for nothing else."""

from reproducegym.adapters.egress.agent import WithEgress, with_egress
from reproducegym.adapters.egress.allowance import Allowance, allowance_of
from reproducegym.adapters.egress.named_hosts import hosts_of

__all__ = ["Allowance", "WithEgress", "allowance_of", "hosts_of", "with_egress"]
