"""Throws every scripted cheat at a task through the real sandbox and verifier, and says which of them pay."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.attacking.external import score_externally
from reproducegym.pipeline.attacking.forgery import Attack
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.run import attempt
from reproducegym.ports import Agent, AgentTask, SandboxBox
from reproducegym.schema.base import Frozen
from reproducegym.schema.run import AgentRecord, EvidenceLevel, Result

__all__ = ["AttackOutcome", "AttackTable", "Attacker", "red_team"]

_SCRIPT_TIMEOUT_S = 120.0
_HANGING_BUDGET_S = 4


class AttackOutcome(Frozen):
    """What one cheat earned. `why` is the verifier's reason; `reward` is None when the attack could not be judged.

    `evidence_level` is what the reward would stand on: `artifact` where reward.sh alone scored, as in ClawGym.
    `knows` is what it had to find out beyond the paper's numbers; such an attack is reported and fails no task.
    """

    number: str
    name: str
    trick: str
    knows: str
    evidence_level: EvidenceLevel
    reward: float | None
    why: str


class AttackTable(Frozen):
    """The red team's report on a task. `oracle` is the reference solution's reward, or `none` where none was given.

    `gameability` is the best reward of an attack that knows the paper alone, `informed` of one that knows more, both of
    what the judge scored in `sandbox` at the task's `evidence_level` (or the one that a submission fell to); `external`
    is the best that reward.sh pays where it is believed: typed numbers, by design.
    """

    schema_version: Literal[1]
    task_id: str
    task_digest: str
    evidence_level: EvidenceLevel
    sandbox: str
    image: str
    oracle: float | Literal["none"]
    gameability: float
    informed: float
    external: float
    attacks: tuple[AttackOutcome, ...]

    def paying(self) -> tuple[AttackOutcome, ...]:
        """The attacks that earned anything and needed nothing but the paper."""
        return tuple(attack for attack in self.attacks if (attack.reward or 0) > 0 and not attack.knows)

    def unjudged(self) -> tuple[AttackOutcome, ...]:
        """The attacks that the engine or the judge could not score."""
        return tuple(attack for attack in self.attacks if attack.reward is None)


class Attacker:
    """An attack as an agent: it puts its files and runs its script."""

    door: tuple[str, ...] = ()

    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self.name = f"attack:{attack.name}"
        self.mounts: Mapping[str, Path] = {}

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Plant the attack.

        Raises:
            InfrastructureError: it could not be planted, so nothing is known about it.
        """
        box.put(self.attack.files)
        if self.attack.script is None:
            return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")
        timeout_s = min(task.timeout_s, _SCRIPT_TIMEOUT_S)
        done = box.exec(["/bin/bash", "-c", self.attack.script], timeout_s=timeout_s, output_bytes=task.output_bytes)
        if done.exit_code != 0 and not self.attack.breaks:
            said = done.output.decode(errors="replace").strip()
            raise InfrastructureError(f"attack {self.attack.name} could not be set up: {said}")
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")


def red_team(
    order: Order,
    attacks: tuple[Attack, ...],
    judge: Judge,
    reference: Agent | None,
    progress: Callable[[AttackOutcome], None],
) -> AttackTable:
    """Run all attacks, and the reference solution where there is one.

    Raises:
        InfrastructureError: the reference solution could not be scored.
    """
    outcomes: list[AttackOutcome] = []
    for attack in attacks:
        outcome = _outcome(order, attack, judge)
        progress(outcome)
        outcomes.append(outcome)
    oracle: float | Literal["none"] = "none"
    if reference is not None:
        scored = attempt(order, reference, judge).result(0)
        if scored.reward is None:
            raise InfrastructureError(f"the reference solution could not be scored: {scored.failure_detail}")
        oracle = scored.reward
    pairs = list(zip(outcomes, attacks, strict=True))
    return AttackTable(
        schema_version=1,
        task_id=order.entry.task_id,
        task_digest=order.entry.task_digest,
        evidence_level=order.contract.evidence_level,
        sandbox=judge.sandbox.name,
        image=judge.sandbox.image_id(judge.image),
        oracle=oracle,
        gameability=_best(one for one, attack in pairs if not attack.external and not attack.knows),
        informed=_best(one for one, attack in pairs if not attack.external and attack.knows),
        external=_best(one for one, attack in pairs if attack.external),
        attacks=tuple(outcomes),
    )


def _outcome(order: Order, attack: Attack, judge: Judge) -> AttackOutcome:
    level: EvidenceLevel = "artifact"
    if attack.external:
        reward, why = score_externally(attack, order, judge)
    else:
        result = attempt(_shortened(order) if attack.hangs else order, Attacker(attack), judge).result(0)
        level, reward, why = result.evidence_level, result.reward, _reason(result)
    return AttackOutcome(
        number=attack.number,
        name=attack.name,
        trick=attack.trick,
        knows=attack.knows,
        evidence_level=level,
        reward=reward,
        why=why,
    )


def _best(outcomes: Iterable[AttackOutcome]) -> float:
    return max((outcome.reward or 0.0 for outcome in outcomes), default=0.0)


def _shortened(order: Order) -> Order:
    """The task with little time for a run: an attack that hangs shows in seconds what it shows in hours."""
    budget_s = min(order.spec.run_budget_s, _HANGING_BUDGET_S)
    return replace(order, spec=order.spec.model_copy(update={"run_budget_s": budget_s}))


def _reason(result: Result) -> str:
    """What stopped an attack, in words: each kind of problem once, without the runs that it was met in."""
    report = result.report
    if report is None or not report.problems:
        missed = [] if report is None else [f"{one.metric}: {one.note}" for one in report.metrics if one.note]
        return (
            result.failure_detail or "; ".join(missed) or ("off target" if result.reward == 0 else "nothing stopped it")
        )
    return ", ".join(dict.fromkeys(_kind(problem) for problem in report.problems))


def _kind(problem: str) -> str:
    """The code of a problem; for a probe also which one."""
    code = problem.partition(":")[0]
    return problem if code == "probe_failed" else code
