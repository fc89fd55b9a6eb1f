"""Small repositories of our own making, and what is asked about them."""

from ml_audit import Report, Repository, audit

__all__ = ["asked", "repository", "rules_found"]


def repository(files: dict[str, str]) -> Repository:
    """A repository from paths and texts."""
    return Repository("example", {path: text.encode() for path, text in files.items()})


def asked(files: dict[str, str]) -> dict[str, str]:
    """The value of each answer."""
    return {name: signal.value for name, signal in report_on(files).signals.items()}


def report_on(files: dict[str, str]) -> Report:
    """The whole report."""
    return audit(repository(files))


def rules_found(files: dict[str, str]) -> set[str]:
    """The rules that find something."""
    return {f.rule for f in report_on(files).findings}
