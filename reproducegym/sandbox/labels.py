"""What everything that a sandbox makes is labelled with: its run, its owner, and when it must be gone."""

import time
from collections.abc import Mapping

from reproducegym.owner import Owner
from reproducegym.ports import Standing

__all__ = ["OWNER_LABEL", "TTL_S", "labels_of", "standing_of"]

RUN_LABEL = "reproducegym.run"
OWNER_LABEL = "reproducegym.owner"
NAMESPACE_LABEL = "reproducegym.owner-pidns"
EXPIRES_LABEL = "reproducegym.expires"

TTL_S = 172_800.0
"""Time to live where nobody gives another one."""


def labels_of(run_id: str, ttl_s: float) -> dict[str, str]:
    """The labels of what this process makes now."""
    owner = Owner.this_process()
    return {
        RUN_LABEL: run_id,
        OWNER_LABEL: owner.label(),
        NAMESPACE_LABEL: owner.pid_namespace,
        EXPIRES_LABEL: str(int(time.time() + ttl_s)),
    }


def standing_of(kind: str, name: str, labels: Mapping[str, str], *, local: bool) -> Standing:
    """What the labels of a thing say of it; `local` says that only processes of this machine can own it."""
    told = labels.get(OWNER_LABEL, "")
    owner = Owner.parse(told, labels.get(NAMESPACE_LABEL, ""))
    expires = labels.get(EXPIRES_LABEL, "")
    return Standing(
        kind=kind,
        name=name,
        run_id=labels.get(RUN_LABEL, ""),
        owner=told,
        dead=owner is not None and owner.is_dead(same_machine=local),
        expired=expires.isdecimal() and int(expires) < time.time(),
    )
