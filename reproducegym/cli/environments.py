"""Chooses what an auditor environment is made of: its reward, its actions, and for executed rewards the sandbox."""

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import Drawer, level_of
from reproducegym.families.auditor.nouns import LEVELS

if TYPE_CHECKING:
    from reproducegym.families.auditor.faces.gymnasium import JsonAuditor, StructuredAuditor

__all__ = ["RewardChoice", "RewardName", "audit_environment", "drawer"]

RewardName = Literal["executed", "classic"]
ActionsName = Literal["json", "structured"]


class RewardChoice(StrEnum):
    """How episodes are drawn and judged."""

    executed = "executed"
    classic = "classic"


def drawer(reward: str) -> Drawer:
    """Who draws and judges episodes under a reward.

    Raises:
        MisuseError: there is no such reward.
    """
    if reward == "classic":
        return Classic()
    raise MisuseError(f'reward "{reward}" is unknown; there are: executed, classic')


def audit_environment(
    level: str,
    reward: RewardName = "executed",
    actions: ActionsName = "json",
    render_mode: str | None = None,
) -> "JsonAuditor | StructuredAuditor":
    """The environment that `gymnasium.make("ReproAudit-Easy-v0", reward="classic", actions="structured")` gives.

    Raises:
        NotFoundError: there is no such level.
        MisuseError: there is no such reward or form of actions.
    """
    from reproducegym.families.auditor.faces.gymnasium import JsonAuditor, StructuredAuditor

    known = level_of(level)
    if known is None:
        raise NotFoundError(f'no level "{level}"; there are: {", ".join(LEVELS)}')
    if actions == "json":
        return JsonAuditor(known, drawer(reward), render_mode)
    if actions == "structured":
        return StructuredAuditor(known, drawer(reward), render_mode)
    raise MisuseError(f'actions "{actions}" are unknown; there are: json, structured')
