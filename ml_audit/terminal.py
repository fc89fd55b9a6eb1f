"""The report as tables for a terminal."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ml_audit.comparison import Comparison
from ml_audit.outputs.number import tenths
from ml_audit.outputs.visible import visible
from ml_audit.report import Report
from ml_audit.rules.rule import Rule
from ml_audit.scoring import Risk

__all__ = ["show_comparison", "show_report", "show_rule", "show_rules"]

_COLOURS: dict[Risk, str] = {"LOW": "green", "MEDIUM": "yellow", "HIGH": "red"}
_SEVERITIES = {"error": "red", "warning": "yellow", "info": "cyan"}
_VALUES = {
    "yes": "green",
    "all": "green",
    "no": "red",
    "absent": "red",
    "none": "red",
    "partial": "yellow",
    "some": "yellow",
}


def show_report(console: Console, report: Report, *, most: int = 30) -> None:
    """Print the score, its parts, what was found and what to do next."""
    score = Text(f"{tenths(report.score)}/10", style=f"bold {_COLOURS[report.risk]}")
    console.print(
        Text.assemble((visible(report.repository), "bold"), "  ", score, f"  risk {report.risk}  ({report.badge})")
    )
    if report.score_interval.low != report.score_interval.high:
        low, high = tenths(report.score_interval.low), tenths(report.score_interval.high)
        console.print(f"between {low} and {high}: some answers are unknown")
    read = report.coverage
    if read.sampled:
        console.print(f"sampled: {read.files_read} of {read.files_relevant} files read", style="yellow")
    for note in read.notes:
        console.print(Text(f"note: {visible(note)}", style="yellow"))
    console.print(_breakdown(report))
    console.print(_signals(report))
    if report.findings:
        console.print(_findings(report, most))
        if len(report.findings) > most:
            console.print(f"… and {len(report.findings) - most} more (--json has all)")
    for improvement in report.improvements[:5]:
        console.print(f"• {visible(improvement.text)}", markup=False, highlight=False)


def show_comparison(console: Console, comparison: Comparison) -> None:
    """Print repositories as columns: score, dimensions, findings, and the answers in which they differ."""
    told = comparison.repositories
    table = Table(title=f"{len(told)} repositories, best first", title_justify="left")
    table.add_column("")
    for one in told:
        table.add_column(_plain(one.repository), overflow="fold")
    table.add_row("score", *(Text(f"{tenths(r.score)}/10", style=f"bold {_COLOURS[r.risk]}") for r in told))
    table.add_row("risk", *(Text(r.risk, style=_COLOURS[r.risk]) for r in told))
    table.add_row("badge", *(r.badge for r in told), end_section=True)
    scores = [r.score_breakdown.model_dump() for r in told]
    for name in scores[0]:
        values = (by[name] for by in scores)
        table.add_row(name.replace("_", " "), *map(tenths, values))
    table.add_section()
    table.add_row("errors", *(str(r.found.error) for r in told))
    table.add_row("warnings", *(str(r.found.warning) for r in told))
    table.add_row("notes", *(str(r.found.info) for r in told), end_section=True)
    for question, answers in comparison.differing.items():
        table.add_row(question, *(Text(v, style=_VALUES.get(v, "")) for v in answers))
    console.print(table)


def _breakdown(report: Report) -> Table:
    table = Table(title="Score by dimension", title_justify="left")
    table.add_column("dimension")
    table.add_column("score", justify="right")
    for name, value in report.score_breakdown.model_dump().items():
        table.add_row(name.replace("_", " "), tenths(value))
    return table


def _signals(report: Report) -> Table:
    table = Table(title="Answers", title_justify="left")
    for column in ("question", "answer", "where", "note"):
        table.add_column(column, overflow="fold")
    for name, signal in report.signals.items():
        if signal.value == "na":
            continue
        first = signal.evidence[0] if signal.evidence else None
        where = "" if first is None else f"{first.file}:{first.line}" if first.line else first.file
        table.add_row(name, Text(signal.value, style=_VALUES.get(signal.value, "")), _plain(where), _plain(signal.note))
    return table


def _findings(report: Report, most: int) -> Table:
    table = Table(title=f"{len(report.findings)} findings", title_justify="left")
    for column in ("severity", "rule", "where", "what", "points"):
        right, whole = column == "points", column in ("rule", "points")
        table.add_column(column, overflow="fold", justify="right" if right else "left", no_wrap=whole)
    for finding in report.findings[:most]:
        where = f"{finding.file}:{finding.line}" if finding.line else finding.file
        style = _SEVERITIES[finding.severity]
        table.add_row(
            Text(finding.severity, style=style),
            finding.rule,
            _plain(where),
            _plain(finding.message),
            f"-{finding.points:.2f}",
        )
    return table


def show_rules(console: Console, rules: tuple[Rule, ...]) -> None:
    """Print all rules, one a line."""
    table = Table()
    for column in ("rule", "severity", "family", "what"):
        table.add_column(column, overflow="fold")
    for rule in rules:
        table.add_row(rule.id, Text(rule.severity, style=_SEVERITIES[rule.severity]), rule.family, escape(rule.title))
    console.print(table)


def show_rule(console: Console, rule: Rule) -> None:
    """Print why a rule is there, what it wants, and both examples."""
    console.print(Text(f"{rule.id} — {rule.title}", style="bold"))
    console.print(f"{rule.severity}, {rule.family}, lowers {rule.dimension.replace('_', ' ')}", style="dim")
    for line in (f"Why: {rule.why}", f"Do: {rule.fix}", f"Versions: {rule.versions}" if rule.versions else ""):
        if line:
            console.print(line, markup=False, highlight=False)
    for word, example in (("Bad", rule.bad), ("Good", rule.good)):
        console.print(f"\n{word}:", style="bold")
        for path, text in example.items():
            console.print(f"# {path}", style="dim", markup=False)
            console.print(text.rstrip(), markup=False, highlight=False)


def _plain(text: str) -> str:
    """Text of a repository: no markup, and nothing that a terminal obeys."""
    return escape(visible(text))
