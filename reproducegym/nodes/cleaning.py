"""Removes from a node what runs left there whose driver is gone: directories, jobs that still go, leases."""

from dataclasses import dataclass

from pydantic import JsonValue

from reproducegym.nodes.asking import ask
from reproducegym.nodes.run import NodeRun
from reproducegym.nodes.ssh import Connection
from reproducegym.owner import Owner
from reproducegym.schema.base import Frozen

__all__ = ["Cleaned", "clean_node"]

_ANSWER_S = 60.0


class _RunThere(Frozen):
    run: str
    owner: str
    pid_namespace: str
    quiet_s: float
    jobs: int


class _Listing(Frozen):
    runs: tuple[_RunThere, ...]


@dataclass(frozen=True)
class Cleaned:
    """The runs that were removed, how many of their jobs still ran, and the runs that stay."""

    removed: tuple[str, ...]
    jobs: int
    kept: tuple[str, ...]


def clean_node(connection: Connection, *, quiet_s: float | None) -> Cleaned:
    """Remove runs whose driver is a dead process of this machine, and those whose driver is quiet for `quiet_s`.

    A driver on another machine cannot be asked: without `quiet_s` its runs stay.

    Raises:
        NodeError: the connection broke, or something there cannot be removed.
    """
    asked: dict[str, JsonValue] = {"command": "list", "workdir": connection.node.workdir}
    there = ask(connection, asked, _Listing, timeout_s=_ANSWER_S).runs
    removed: list[str] = []
    kept: list[str] = []
    jobs = 0
    for one in there:
        owner = Owner.parse(one.owner, one.pid_namespace)
        dead = owner is not None and owner.is_dead(same_machine=False)
        if dead or (quiet_s is not None and one.quiet_s > quiet_s):
            jobs += NodeRun(connection, one.run, patience_s=0.0).remove()
            removed.append(one.run)
        else:
            kept.append(one.run)
    return Cleaned(tuple(removed), jobs, tuple(kept))
