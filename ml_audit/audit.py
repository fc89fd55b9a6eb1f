"""The audit: a repository to findings, and to the whole report. Pure and deterministic."""

import json
import re
from collections.abc import Iterable

from ml_audit.code.project import Project
from ml_audit.report import Analysis, Breakdown, Insight, Interval, Patterns, Quality, Read, Report
from ml_audit.repository import Repository
from ml_audit.rules.catalogue import BY_ID, RULES, UNUSED
from ml_audit.rules.rule import Finding, Hit, Rule, Subject
from ml_audit.scoring import WEIGHTS, priced, risk_of, scored, terms
from ml_audit.signals.answer import Signal
from ml_audit.suppressions import suppressed, suppressions_of

__all__ = ["BADGES", "audit", "findings"]

LONGEST_LINE = 200
"""Characters of a cited line that are kept."""

BADGES = ((8.0, "Reusable"), (6.5, "Functional"), (4.5, "Available"))
"""The least score of each badge; the risks change at two of them."""

_SEVERITY = {"error": 0, "warning": 1, "info": 2}


def findings(repository: Repository) -> tuple[Finding, ...]:
    """What the rules find in a repository, comments that silence them heeded, most costly first."""
    return audit(repository).findings


def audit(repository: Repository) -> Report:
    """The whole report on a repository."""
    subject = Subject(Project(repository))
    project = subject.project
    found = [_finding(rule, hit) for rule in RULES for hit in dict.fromkeys(rule.check(subject))]
    kept, silent, wrong = suppressed(found, suppressions_of(project), BY_ID)
    kept += [_finding(UNUSED, hit, fix) for hit, fix in wrong]
    every = terms(subject.signals, RULES, kept)
    costs = _with_code(priced(kept, every), repository)
    costs.sort(key=lambda f: (_SEVERITY[f.severity], -f.points, f.rule, f.file, f.line or 0))
    result = scored(every)
    improvements = _improvements(costs, subject.signals)
    coverage = repository.coverage
    seen = len(project.sizes)
    read = len(repository.files)
    return Report(
        repository=repository.name,
        commit=repository.commit,
        url=repository.url,
        score=result.score,
        score_interval=Interval(low=result.low, high=result.high),
        risk=risk_of(result.score),
        badge=next((word for least, word in BADGES if result.score >= least), "none"),
        analysis=_analysis(subject),
        quality=_quality(subject.signals),
        patterns=_patterns(subject),
        insights=tuple(i.text for i in improvements),
        improvements=improvements,
        findings=tuple(costs),
        suppressed=tuple(_with_code(silent, repository)),
        signals=subject.signals,
        score_breakdown=Breakdown.model_validate({str(k): v for k, v in result.dimensions.items()}),
        coverage=Read(
            files_seen=coverage.seen if coverage else seen,
            files_relevant=coverage.relevant if coverage else read,
            files_read=coverage.read if coverage else read,
            sampled=bool(coverage and coverage.sampled),
            notes=repository.notes,
        ),
    )


def _finding(rule: Rule, hit: Hit, fix: str = "") -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        file=hit.file,
        line=hit.line or None,
        message=hit.message,
        fix=fix or rule.fix,
        confidence=hit.confidence,
        lowers=hit.lowers or (rule.signal or rule.id,),
        edit=hit.edit,
    )


def _with_code(found: Iterable[Finding], repository: Repository) -> list[Finding]:
    """The findings with the line of code that each cites."""
    listed = list(found)
    cited = {f.file for f in listed if f.line}
    lines = {p: c.decode("utf-8", "replace").split("\n") for p, c in repository.files.items() if p in cited}
    told = []
    for finding in listed:
        of_file = lines.get(finding.file, [])
        line = of_file[finding.line - 1].strip() if finding.line and finding.line <= len(of_file) else ""
        if finding.file.endswith(".ipynb"):
            line = _of_notebook(line)
        told.append(
            finding.model_copy(update={"code": line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"})
        )
    return told


def _of_notebook(line: str) -> str:
    """The code of a line of a notebook's file: an item of a list of texts."""
    try:
        code = json.loads(line.removesuffix(","))
    except ValueError:
        return line
    return code.strip() if isinstance(code, str) else line


def _yes(signals: dict[str, Signal], *names: str) -> bool:
    told = [signals[n].value for n in names if signals[n].value != "na"]
    return bool(told) and all(v in ("yes", "all") for v in told)


def _analysis(subject: Subject) -> Analysis:
    signals, project = subject.signals, subject.project
    words = " ".join(project.texts.get(p, "")[:200_000] for p in project.readmes[:1])
    return Analysis(
        has_readme=_yes(signals, "has_readme"),
        has_license=_yes(signals, "has_license"),
        has_ci=_yes(signals, "has_ci"),
        has_tests=_yes(signals, "has_tests"),
        has_benchmarks=any(re.search(r"(^|/)bench(mark)?s?(/|\b|_)", p.lower()) for p in project.sizes),
        has_dockerfile=_yes(signals, "has_dockerfile"),
        has_lockfile=_yes(signals, "has_lockfile"),
        has_dataset_docs=bool(re.search(r"^#+.*\bdata(sets?)?\b|download.{0,60}data|dataset", words, re.I | re.M)),
        has_config=_yes(signals, "config_driven"),
    )


def _quality(signals: dict[str, Signal]) -> Quality:
    seeds = tuple(n for n in signals if n.startswith("seed_") and n != "seed_cuda")
    return Quality(
        has_pinned_dependencies=_yes(signals, "dependencies_pinned"),
        has_seed_control=_yes(signals, *seeds),
        has_determinism_flags=_yes(signals, "determinism_flags"),
        has_training_loop=_yes(signals, "training_loop"),
        has_worker_seeding=_yes(signals, "dataloader_worker_seeding"),
        has_stable_order=signals["iteration_order_hazard"].value == "no",
        has_multi_seed_evaluation=_yes(signals, "multi_seed_eval"),
        has_pinned_dataset=_yes(signals, "dataset_pinned"),
        has_pinned_models=_yes(signals, "model_revision_pinned"),
        has_results_table=_yes(signals, "results_table_in_readme"),
        has_reproduce_commands=_yes(signals, "reproduce_commands"),
        has_checkpoints=_yes(signals, "checkpoints_linked"),
        has_relative_paths=signals["absolute_paths"].value == "no",
    )


def _patterns(subject: Subject) -> Patterns:
    signals = subject.signals
    mixed = any(
        c.last in ("autocast", "GradScaler", "set_global_policy") or c.keyword("fp16") or c.keyword("bf16")
        for _, c in subject.project.calls()
    )
    return Patterns(
        uses_pytorch=_yes(signals, "uses_pytorch"),
        uses_tensorflow=_yes(signals, "uses_tensorflow"),
        uses_jax=_yes(signals, "uses_jax"),
        uses_sklearn=_yes(signals, "uses_sklearn"),
        uses_distributed=_yes(signals, "uses_distributed"),
        uses_all_reduce=_yes(signals, "uses_all_reduce"),
        uses_mixed_precision=mixed,
        uses_notebooks=signals["notebooks"].value != "0",
    )


def _improvements(found: list[Finding], signals: dict[str, Signal]) -> tuple[Insight, ...]:
    """What to do, best first: one sentence for each rule that costs something."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in found:
        by_rule.setdefault(finding.rule, []).append(finding)
    told = []
    for rule_id, group in by_rule.items():
        points = round(sum(f.points for f in group), 2)
        rule = BY_ID.get(rule_id)
        if rule is None or points <= 0:
            continue
        value = signals[rule.signal].value if rule.signal in WEIGHTS else ""
        partly = " (partly done)" if value in ("partial", "some") else ""
        places = f"; {len(group)} places" if len(group) > 1 else f"; {group[0].file}" if group[0].file != "." else ""
        told.append(Insight(text=f"{rule.title}{partly}: {rule.fix} (+{points:.2f}{places})", points=points))
    return tuple(sorted(told, key=lambda i: (-i.points, i.text)))
