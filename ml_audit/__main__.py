"""`python -m ml_audit` is `ml-audit`."""

import os
from typing import NoReturn

from ml_audit.cli import main

__all__ = ["run"]


def run() -> NoReturn:
    """The installed program: run it on this process's arguments and environment, and end with its exit code."""
    raise SystemExit(main(environ=os.environ))


if __name__ == "__main__":
    run()
