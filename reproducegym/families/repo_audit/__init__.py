"""Repository audits as tasks: truth is what was planted into experiments of our own."""

from reproducegym.families.repo_audit.family import RepoAudits, auditor_audits

__all__ = ["RepoAudits", "auditor_audits"]
