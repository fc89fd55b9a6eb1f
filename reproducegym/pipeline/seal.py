"""Seals a rendered task, so that a changed byte is noticed and named before anything runs."""

import json

from reproducegym.errors import TamperedError
from reproducegym.pipeline.hashing import contract_hash
from reproducegym.ports import Files
from reproducegym.schema.base import digest
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ManifestTask

__all__ = ["SEAL", "check_contract", "check_digest", "sealed", "task_digest"]

SEAL = "reward/seal.json"
"""The list of every file's sha256; it stands beside the contract, which no living agent sees."""


def sealed(files: Files) -> dict[str, bytes]:
    """The same files and their seal."""
    rest = {name: data for name, data in files.items() if name != SEAL}
    listing = {name: digest(rest[name]) for name in sorted(rest)}
    return {**rest, SEAL: (json.dumps(listing, indent=2) + "\n").encode()}


def task_digest(files: Files) -> str:
    """sha256 over names and contents of a whole rendered task, 64 hex digits."""
    lines = (f"{digest(files[name])}  {name}\n" for name in sorted(files))
    return digest("".join(lines).encode())


def check_digest(files: Files, expected: str, task: str) -> None:
    """Nothing, when the files are those that the manifest names.

    Raises:
        TamperedError: they differ; the message names the first file that does.
    """
    if task_digest(files) != expected:
        raise TamperedError(
            f"task {task} differs from its digest in the manifest: {_first_difference(files)}; "
            "build it again with --refresh"
        )


def check_contract(contract: Contract, spec: ClaimSpec, entry: ManifestTask, task: str) -> None:
    """Nothing, when the contract beside a task is the one that its spec and the manifest name.

    Raises:
        TamperedError: it is another; the message says who disagrees.
    """
    found = contract_hash(contract)
    for where, named in (("its spec", spec.contract_hash), ("the manifest", entry.contract_hash)):
        if named != found:
            raise TamperedError(
                f"task {task}: reward/contract.json has the hash {found}, {where} names {named}; "
                "build it again with --refresh"
            )


def _first_difference(files: Files) -> str:
    """In words; the seal itself may be what was changed."""
    fresh = sealed(files)
    if SEAL not in files:
        return f"{SEAL} is missing"
    try:
        listed: object = json.loads(files[SEAL])
    except ValueError:
        return f"{SEAL} was changed"
    now = json.loads(fresh[SEAL])
    if not isinstance(listed, dict) or listed == now:
        return f"{SEAL} was changed, or the manifest is of another build"
    for name in sorted({*map(str, listed), *now}):
        if name not in now:
            return f"{name} is missing"
        if name not in listed:
            return f"{name} was added"
        if listed[name] != now[name]:
            return f"{name} was changed"
    return f"{SEAL} was changed"
