"""The dashboard `ml-audit serve`: audits what its operator allows, keeps every report, and shows how scores move."""

from ml_audit.dashboard.command import serve

__all__ = ["serve"]
