"""Whether the extra that talks to models is installed."""

from importlib.metadata import PackageNotFoundError, version

from reproducegym.ports import Availability

__all__ = ["llm_availability"]

_PACKAGE = "openai"


def llm_availability() -> Availability:
    """Looks at what is installed and loads nothing."""
    try:
        return Availability(True, f"{_PACKAGE} {version(_PACKAGE)}")
    except PackageNotFoundError:
        return Availability(False, f"{_PACKAGE} is not installed; install it with: pip install 'reproducegym[llm]'")
