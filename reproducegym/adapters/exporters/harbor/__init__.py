"""Exports built tasks for Harbor, whose separate verifier re-runs what the agent left."""

from reproducegym.adapters.exporters.harbor.tasks import export_harbor

__all__ = ["export_harbor"]
