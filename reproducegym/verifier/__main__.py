"""The judge as a program: prints the artifact reward of one metrics.csv, last and alone on its line."""

import argparse
import os
import resource
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress

from reproducegym.verifier.contract import ContractError, load_contract
from reproducegym.verifier.score import score_artifact

__all__ = ["main"]

_LIMITS = ((resource.RLIMIT_AS, 2 << 30), (resource.RLIMIT_CPU, 60), (resource.RLIMIT_CORE, 0))


def main(arguments: Sequence[str]) -> int:
    """Score; 0 with a reward printed, 1 where the contract itself cannot be used (no reward is printed then).

    A metrics file that is missing, linked, no plain file or too large earns 0.0.
    """
    parser = argparse.ArgumentParser(prog="check.py", description="Prints a reward in [0, 1].")
    parser.add_argument("--contract", required=True, metavar="FILE", help="contract.json of the task")
    parser.add_argument("--metrics", required=True, metavar="FILE", help="metrics.csv that the agent wrote")
    parser.add_argument("--report", action="store_true", help="print the whole report before the reward")
    options = parser.parse_args(arguments)
    for kind, most in _LIMITS:
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))
    try:
        with os.fdopen(os.open(options.contract, os.O_RDONLY | os.O_CLOEXEC), "rb") as file:
            contract = load_contract(file.read())
    except (OSError, ContractError) as error:
        sys.stderr.write(f"the contract cannot be used: {error}\n")
        return 1
    report = score_artifact(contract, _read_plain(options.metrics, contract.limits.max_bytes))
    sys.stdout.write(f"{report.to_json() if options.report else ''}{report.reward}\n")
    return 0


def _read_plain(path: str, most: int) -> bytes | None:
    """The bytes of a plain file with one name and a bounded size, reached through no link in its last two steps."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    above, name = os.path.split(path)
    folder = None
    try:
        folder = os.open(above or ".", flags | os.O_DIRECTORY)
        with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
            found = os.fstat(file.fileno())
            plain = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
            return file.read(most + 1) if plain else None
    except (OSError, ValueError):
        return None
    finally:
        if folder is not None:
            os.close(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
