"""One spelling for the names of settings."""

__all__ = ["plain_key"]


def plain_key(name: str) -> str:
    """One spelling of a setting's name: `--torch-deterministic` and `TORCH_DETERMINISTIC` are the same."""
    return name.lstrip("-").replace("-", "_").lower()
