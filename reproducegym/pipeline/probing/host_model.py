"""Runs a host model in a sandbox, as the judge runs submissions, and keeps what it says of the claims it speaks of."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from reproducegym.errors import HostModelError
from reproducegym.pipeline.hashing import contract_hash
from reproducegym.pipeline.judging.draw import SEED_BELOW, PlannedRun
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.probing.host_card import HostModel, check_grounded
from reproducegym.pipeline.probing.host_runs import run_host, run_name
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.base import canonical_json, digest
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Contract, ContractCondition
from reproducegym.schema.host_model import HostDrawn, HostKnob, HostRecord, HostSetting, HostTruth
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.table import Problem, Sample, read_table

__all__ = ["HostBench", "SpokenClaim", "measure"]

_SPARE = 4
"""So many more settings are measured than a probe has choices: some tell nothing."""
_PARTS = 1000
"""A knob that is not whole takes values that divide its range into so many parts: short numbers."""


@dataclass(frozen=True)
class HostBench:
    """A host model, where it runs (asked for when it must), and what an earlier build measured with one."""

    model: HostModel
    judge: Callable[[], Judge]
    earlier: HostRecord | None


@dataclass(frozen=True)
class SpokenClaim:
    """A claim that compiled without the model: its quantity in the paper's words, its contract, and what agents see."""

    quantity: str
    spec: ClaimSpec
    contract: Contract
    brief: Files


def measure(
    model: HostModel,
    paper: ReadPaper,
    claims: Sequence[SpokenClaim],
    config: Config,
    judge: Judge,
    earlier: HostRecord | None,
) -> HostRecord:
    """What the model gives for every claim that its card speaks of: at the paper's setting and at drawn ones.

    Settings and seeds come from a digest of model, paper and claim: the same inputs give the same record, and who does
    not have the model cannot know them. A record that was made under the same key is taken as it is.

    Raises:
        HostModelError: the card does not fit the paper, a run failed or wrote no table of the claim's, or the model
            does not reproduce what the paper prints.
        InfrastructureError: the engine failed.
    """
    check_grounded(model.card, paper)
    spoken = [claim for claim in claims if _speaks_of(model, claim) and not claim.contract.step_column]
    if not spoken:
        there = ", ".join(sorted({claim.quantity for claim in claims})) or "none"
        raise HostModelError(
            f"its card speaks of {', '.join(model.card.quantities)}; claims with a value are of: {there}"
        )
    for claim in spoken:
        _check_knobs(model, claim)
    settings = config.verification.host_settings, config.verification.host_seeds
    made_from = [model.sha256, paper.document.paper_id, judge.sandbox.image_id(judge.image), *map(str, settings)]
    made_from += [f"{claim.spec.claim_uid} {contract_hash(claim.contract)}" for claim in spoken]
    key = digest(" ".join(made_from).encode())
    if earlier is not None and earlier.key == key:
        return earlier
    truths: list[HostTruth] = []
    for group in _groups(spoken):
        truths += _campaign(model, group, config, judge)
    return HostRecord(
        schema_version=1,
        paper_id=paper.document.paper_id,
        key=key,
        model_sha256=model.sha256,
        card=model.card,
        truths=tuple(sorted(truths, key=lambda truth: truth.claim_uid)),
    )


def _speaks_of(model: HostModel, claim: SpokenClaim) -> bool:
    """Whether the card names the claim's metric, or words of its statement."""
    statement = f" {_flat(claim.spec.statement)} "
    named = [_flat(quantity) for quantity in model.card.quantities]
    return any(name == _flat(claim.quantity) or re.search(rf"\b{re.escape(name)}\b", statement) for name in named)


def _check_knobs(model: HostModel, claim: SpokenClaim) -> None:
    for knob in model.card.knobs:
        own = claim.contract.knobs.get(knob.name, knob.default)
        if own != knob.default:
            raise HostModelError(
                f"knob {knob.name}: its default is {knob.default:g}, that of {claim.spec.title} {own:g}"
            )


def _groups(claims: Sequence[SpokenClaim]) -> list[list[SpokenClaim]]:
    """Claims that write the same columns under the same knobs: one run serves all of them."""
    groups: dict[str, list[SpokenClaim]] = {}
    for claim in claims:
        groups.setdefault(repr((claim.contract.columns, sorted(claim.contract.knobs.items()))), []).append(claim)
    return list(groups.values())


def _campaign(model: HostModel, claims: Sequence[SpokenClaim], config: Config, judge: Judge) -> Iterator[HostTruth]:
    """Run the conditions of all these claims together at every setting under every seed."""
    first = claims[0]
    switches = _distinct(condition.switches for claim in claims for condition in claim.contract.conditions)
    shown = tuple(ContractCondition(label=f"m{place}", switches=one) for place, one in enumerate(switches))
    numbers = _stream(f"{model.sha256} {first.spec.paper_id} {first.contract.columns} {switches}")
    verification = config.verification
    default = {knob.name: knob.default for knob in model.card.knobs}
    hidden = _drawn_settings(model.card.knobs, verification.host_settings + _SPARE, numbers)
    settings = [default]
    for one in hidden:
        settings += [one, *(_without(one, default))]
    plans = [
        PlannedRun(
            purpose="host model",
            index=place,
            seed=next(numbers) % SEED_BELOW,
            conditions=shown,
            labels={condition.label: condition.label for condition in shown},
            knobs=first.contract.knobs | knobs,
        )
        for place, knobs in enumerate(setting for setting in settings for _ in range(verification.host_seeds))
    ]
    pristine = {f"input_files/{name}": content for name, content in first.brief.items() if name.endswith(".json")}
    budget_s = min(claim.spec.run_budget_s for claim in claims)
    tables = run_host(dict(model.files) | pristine, plans, budget_s, first.contract, judge)
    samples = [_sample(first.contract, plan, data) for plan, data in zip(plans, tables, strict=True)]
    count = verification.host_seeds
    by_setting = [samples[at : at + count] for at in range(0, len(samples), count)]
    for claim in claims:
        own = {one.label: f"m{switches.index(one.switches)}" for one in claim.contract.conditions}
        renamed = [[{label: one[name] for label, name in own.items()} for one in made] for made in by_setting]
        _check_reproduces(claim, renamed[0])
        column = claim.contract.columns[0].name
        measured = [
            HostSetting(
                knobs=knobs, values={label: tuple(one[label].columns[column][0] for one in made) for label in own}
            )
            for knobs, made in zip(settings, renamed, strict=True)
        ]
        yield HostTruth(
            claim_uid=claim.spec.claim_uid,
            knobs=model.card.knobs,
            default=measured[0],
            drawn=tuple(_grouped(measured[1:], len(settings[1:]) // max(1, len(hidden)))),
        )


def _without(setting: Mapping[str, float], default: Mapping[str, float]) -> list[dict[str, float]]:
    """The setting with each of its knobs in turn at its default; none where there is only one knob."""
    return [{**setting, name: default[name]} for name in default] if len(default) > 1 else []


def _grouped(measured: Sequence[HostSetting], size: int) -> Iterator[HostDrawn]:
    for at in range(0, len(measured), size):
        yield HostDrawn(setting=measured[at], without=tuple(measured[at + 1 : at + size]))


def _sample(contract: Contract, plan: PlannedRun, data: bytes) -> Sample:
    """One run's table."""
    table = read_table(data, load_contract(canonical_json(contract)), plan.labels, seed=plan.seed)
    if isinstance(table, Problem):
        columns = ",".join(["condition", *(column.name for column in contract.columns)])
        raise HostModelError(f"{run_name(plan)}: metrics.csv: {table}; wanted is one row a condition under {columns}")
    return table[plan.seed]


def _check_reproduces(claim: SpokenClaim, samples: Sequence[Sample]) -> None:
    """Nothing, where the model at the paper's own setting meets every target of the claim within its tolerance."""
    judged = load_contract(canonical_json(claim.contract))
    metrics = {metric.name: metric for metric in judged.metrics}
    for target in claim.spec.targets:
        metric = metrics[target.metric]
        found = evaluate(judged.parse(metric), metric.over_seeds, samples)
        if found.value is None or abs(found.value - float(target.value)) > float(target.tolerance.abs):
            value = found.fault if found.value is None else f"{found.value:.6g}"
            raise HostModelError(
                f'it does not reproduce the paper: "{claim.spec.title}": {metric.formula} is {value}, the paper has '
                f"{target.value} ± {target.tolerance.abs}"
            )


def _drawn_settings(knobs: Sequence[HostKnob], count: int, numbers: Iterator[int]) -> list[dict[str, float]]:
    """Settings that turn every knob, none of them twice; fewer where the ranges hold no more."""
    found: list[dict[str, float]] = []
    for _ in range(100 * count):
        one = {knob.name: _drawn_value(knob, next(numbers)) for knob in knobs}
        if len(found) < count and one not in found and all(one[knob.name] != knob.default for knob in knobs):
            found.append(one)
    return found


def _drawn_value(knob: HostKnob, number: int) -> float:
    if knob.whole:
        return knob.low + number % (int(knob.high - knob.low) + 1)
    return float(f"{knob.low + (knob.high - knob.low) * (number % (_PARTS + 1)) / _PARTS:.6g}")


def _distinct(all_switches: Iterator[dict[str, str]]) -> list[dict[str, str]]:
    kept: list[dict[str, str]] = []
    for switches in all_switches:
        if switches not in kept:
            kept.append(switches)
    return kept


def _stream(key: str) -> Iterator[int]:
    """Numbers below 2⁶⁴ that only the key decides."""
    number = 0
    while True:
        number += 1
        yield int.from_bytes(sha256(f"{key} {number}".encode()).digest()[:8], "big")


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
