"""Renders a claim task: what the agent gets (`input_files/`), ClawGym's entry, and the hidden `reward/`."""

import json
from collections.abc import Mapping

from reproducegym.pipeline.exposure.masking import MASK, MaskedPaper, mask, whole
from reproducegym.pipeline.judging.examining import reward_files, submitted
from reproducegym.pipeline.judging.replay import REPLAY, replay_plan
from reproducegym.pipeline.seal import sealed
from reproducegym.pipeline.templates import render
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.asset import Asset
from reproducegym.schema.contract import Column, Contract, ContractCondition
from reproducegym.schema.spec import ClaimSpec, PaperText
from reproducegym.schema.task import DataEntry, Difficulty

__all__ = ["INPUT", "MOUNT", "REPOSITORY", "audit_brief", "brief", "difficulty", "render_task", "secretive", "task_id"]
__all__ += ["visible"]

INPUT = "input_files/"
REPOSITORY = "repository/"
"""Where in an audit's brief the repository stands."""
MOUNT = "/root/.openclaw/workspace"
"""Where ClawGym puts the files of `input_files/`."""


def task_id(spec: ClaimSpec) -> str:
    """The name of a task; agents see it, so it holds no digest."""
    return f"{spec.paper_id}.{spec.claim_id}"


def difficulty(spec: ClaimSpec) -> Difficulty:
    """Hard where it takes half a day or a GPU, easy where it takes minutes and nothing is trained."""
    if spec.requires_gpu or spec.cost in ("L", "XL"):
        return "hard"
    return "easy" if spec.cost == "S" and not spec.requires_training else "medium"


def brief(spec: ClaimSpec, paper: ReadPaper, paper_text: PaperText, max_hours: float) -> dict[str, bytes]:
    """Everything that the agent may see, as files of `input_files/`."""
    copy = _paper_copy(spec, paper, paper_text)
    files = {
        "conditions.json": _json(_conditions(spec)),
        "outputs.json": _json(_outputs(spec)),
    }
    if copy is not None:
        files["paper.md"] = copy.paper_md.encode()
        files |= {f"figures/{name}": image for name, image in copy.figures.items()}
    if spec.evidence_level == "replay":
        files[REPLAY] = replay_plan(spec, max_hours).to_json().encode()
    files["task.md"] = _instructions(spec, files, max_hours, external=False).encode()
    return {name: files[name] for name in sorted(files)}


def audit_brief(spec: ClaimSpec, repository: Mapping[str, str], rules: str) -> dict[str, bytes]:
    """The same for an audit: the repository as it stands, and the rules by which findings are named."""
    files = {f"{REPOSITORY}{name}": text.encode() for name, text in repository.items()}
    files |= {"conditions.json": _json(_conditions(spec)), "rules.md": rules.encode()}
    files["task.md"] = _audit_instructions(spec, files, external=False).encode()
    return {name: files[name] for name in sorted(files)}


def render_task(spec: ClaimSpec, files: Files, contract: Contract, max_hours: float) -> dict[str, bytes]:
    """The whole task directory, sealed; `files` is its brief."""
    entry = DataEntry(
        task_id=task_id(spec),
        user_query=_instructions(spec, files, max_hours, external=True),
        input_mount_dir=MOUNT,
        metadata={
            "category": spec.family,
            "grading_type": "automated",
            "evidence_level": "artifact",
            "paper_id": spec.paper_id,
            "claim_id": spec.claim_id,
            "difficulty": difficulty(spec),
            "title": spec.title,
        },
    )
    return sealed(
        {
            "data_entry.json": entry.to_json().encode(),
            **{f"{INPUT}{name}": data for name, data in files.items()},
            **reward_files(contract.to_json().encode(), spec.audit),
        }
    )


def visible(task: Files) -> dict[str, bytes]:
    """The part of a rendered task that any agent may come to see."""
    return {name: data for name, data in task.items() if name == "data_entry.json" or name.startswith(INPUT)}


def secretive(task: Files, spec: ClaimSpec) -> dict[str, bytes]:
    """The visible part that must show no hidden number: under the policy `full` all but the paper itself."""
    shown = visible(task)
    if spec.exposure_policy != "full":
        return shown
    return {name: data for name, data in shown.items() if not name.startswith((f"{INPUT}paper.md", f"{INPUT}figures/"))}


def _paper_copy(spec: ClaimSpec, paper: ReadPaper, paper_text: PaperText) -> MaskedPaper | None:
    if paper_text == "none" or spec.exposure_policy == "claim_only":
        return None
    if paper_text == "link":
        shown = whole(paper) if spec.exposure_policy == "full" else mask(paper, spec)
        return MaskedPaper(f"{shown.paper_md.splitlines()[0]}\n\nThe text of this paper is not part of the task.\n", {})
    return whole(paper) if spec.exposure_policy == "full" else mask(paper, spec)


def _conditions(spec: ClaimSpec) -> dict[str, object]:
    """Every condition, those that only probes ask for too, undistinguished; and the defaults of all knobs.

    With such ones the labels say the order, not who asks for them.
    """
    told = {one.label: (one.switches, one.description) for one in spec.conditions}
    own = len(told)
    for plan in spec.probe_plans:
        for condition in plan.conditions:
            told.setdefault(condition.label, (condition.switches, _described(spec, condition)))
    order = sorted(told) if len(told) > own else list(told)
    listed = [{"label": label, "switches": told[label][0], "description": told[label][1]} for label in order]
    return {"conditions": listed, "knobs": {knob.name: _plain(knob.default) for knob in spec.knobs}}


def _described(spec: ClaimSpec, condition: ContractCondition) -> str:
    """A probe's own condition in the words of the claim's condition from which one switch tells it."""
    for one in spec.conditions:
        changed = [name for name, value in one.switches.items() if condition.switches.get(name) != value]
        if len(changed) == 1 and changed[0] in condition.switches:
            return one.description.replace(one.source_label, condition.switches[changed[0]])
    return ""


def _outputs(spec: ClaimSpec) -> dict[str, object]:
    required = spec.required_outputs
    return {
        "columns": [
            {"name": one.name, "unit": one.unit, "range": [_bound(one.range[0]), _bound(one.range[1])]}
            for one in required.columns
        ],
        "step_column": required.step_column,
        "min_rows_per_condition": required.min_rows_per_condition,
    }


def _instructions(spec: ClaimSpec, files: Files, max_hours: float, *, external: bool) -> str:
    """The words of the task; `external` is a harness that puts the files beside the work and cannot re-run it."""
    if spec.audit is not None:
        return _audit_instructions(spec, files, external=external)
    required = spec.required_outputs
    names = ["condition", *(["step"] if required.step_column else []), *(one.name for one in required.columns)]
    values: Mapping[str, object] = {
        "title": spec.title,
        "statement": spec.agent_statement,
        "paper": "paper.md" in files,
        "masked": MASK.encode() in files["paper.md"] if "paper.md" in files else False,
        "at": "" if external else INPUT,
        "root": "the workspace" if external else "`/workspace`",
        "budget_s": spec.run_budget_s,
        "conditions": _conditions(spec)["conditions"],
        "knobs": _knobs(spec),
        "spans": any(one.range is not None for one in spec.knobs),
        "header": ",".join(names),
        "columns": [{"name": one.name, "unit": one.unit, "span": _span(one)} for one in required.columns],
        "step_column": required.step_column,
        "metrics": [{"name": one.name, "formula": one.formula} for one in spec.metrics],
        "assets": [_asset(one) for one in spec.assets],
        "external": external,
        "seeds": spec.seeds.count,
        "drawn": len(spec.samples[0].conditions) if spec.samples else 0,
        "hours": f"{max_hours:g}",
        "replay": replay_plan(spec, max_hours) if spec.evidence_level == "replay" and not external else None,
    }
    return render("task.md.j2", values)


def _audit_instructions(spec: ClaimSpec, files: Files, *, external: bool) -> str:
    """The words of an audit; nothing in them depends on what is to be found."""
    values: Mapping[str, object] = {
        "title": spec.title,
        "statement": spec.agent_statement,
        "at": "" if external else INPUT,
        "root": "the workspace" if external else "`/workspace`",
        "findings": submitted(spec.audit),
        "files": sum(name.startswith(REPOSITORY) for name in files),
    }
    return render("audit.md.j2", values)


def _asset(asset: Asset) -> dict[str, str]:
    """An asset in the words of the task: nothing of it is hidden."""
    files = "1 file" if asset.files == 1 else f"{asset.files} files"
    where = ""
    if asset.labels is not None:
        names = ", ".join(f"`{name}`" for name in asset.labels.files)
        column = f"column `{asset.labels.column}` of " if asset.labels.column is not None else ""
        where = f"; labels: {column}{names}"
    return {
        "name": asset.name,
        "about": asset.about,
        "size": f"{files}, {asset.size:,} bytes",
        "where": where,
        "licence": asset.licence,
        "free": "yes" if asset.rows == "free" else "",
    }


def _knobs(spec: ClaimSpec) -> list[dict[str, object]]:
    """Every knob with the whole range in which it may be set, whoever sets it."""
    listed: list[dict[str, object]] = []
    for one in spec.knobs:
        low, high = (0.0, one.default) if one.range is None else one.range
        whole = one.whole or (one.range is None and one.default.is_integer())
        listed.append(
            {"name": one.name, "default": _plain(one.default), "low": _plain(low), "high": _plain(high), "whole": whole}
        )
    return listed


def _span(column: Column) -> str:
    low, high = column.range
    if low is None and high is None:
        return ""
    return f"[{'-inf' if low is None else _plain(low)}, {'inf' if high is None else _plain(high)}]"


def _bound(value: float | None) -> int | float | None:
    return None if value is None else _plain(value)


def _plain(value: float) -> int | float:
    """Whole numbers without a decimal point, as people write them."""
    return int(value) if value.is_integer() else value


def _json(value: Mapping[str, object]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
