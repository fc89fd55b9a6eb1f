"""The program `ml-audit`."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from rich.console import Console

from ml_audit.audit import audit
from ml_audit.comparison import Comparison, compare
from ml_audit.destinations import STDOUT, DestinationError, checked, spelled, write
from ml_audit.fixing import apply_edits, edited, unified_diff
from ml_audit.local import LocalDirectory
from ml_audit.outputs import badge, comparison_markdown, markdown, page, sarif
from ml_audit.outputs.visible import visible
from ml_audit.report import Report
from ml_audit.repository import Repository, SourceError
from ml_audit.rules.catalogue import BY_ID, RULES
from ml_audit.sources import add_options, source_named
from ml_audit.terminal import show_comparison, show_report, show_rule, show_rules

__all__ = ["main"]

EXIT_BELOW = 1
EXIT_MISUSED = 2
EXIT_UNREADABLE = 3
EXIT_UNWRITABLE = 4

_OUTPUTS = {
    "--json": "the report as JSON; a list for several repositories",
    "--sarif": "the findings as SARIF 2.1.0, for code scanning",
    "--markdown": "the report as Markdown, for a pull request or the summary of a job",
    "--html": "the report as one page that needs nothing else",
    "--badge": "the score as a small SVG picture",
}
"""Flags that each take a file to write; `-` or nothing is standard output."""

_SERVING = ("--root", "--host", "--port", "--name", "--history", "--help", "-h")
"""Flags by which `serve` is the command where a directory of that name is here too."""

_EPILOG = """\
ml-audit rules             list all rules
ml-audit explain RULE      why a rule is there, a bad and a good example
ml-audit schema            the JSON Schema of --json
ml-audit serve             a dashboard with history; see ml-audit serve --help

--json, --sarif, --markdown, --html and --badge each write to a FILE, or to standard output without one or with -

examples: ml-audit . --fail-under 7.5
          ml-audit . --sarif report.sarif --html report.html
          ml-audit ours theirs --compare
          ml-audit OWNER/NAME@v1.0 --markdown
exit codes: 0 done, 1 a score is below --fail-under, 2 called wrongly, 3 a directory cannot be read,
            4 an output cannot be written; of repositories on GitHub: 5 not found, 6 token refused, 7 forbidden,
            8 too many requests, 9 out of reach or failing, 10 empty, 11 taken down, 12 archive broken or refused,
            13 not GitHub's API
"""


def main(arguments: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run the program and return its exit code; a token and the place of the cache come from `environ`."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    console = Console(highlight=False)
    try:
        alone = given[:1] in (["rules"], ["schema"]) and not Path(given[0]).is_dir()
        if alone and len(given) > 1:
            _say_error(f"{given[0]} takes nothing behind it: ml-audit {given[0]}")
            return EXIT_MISUSED
        if alone and given == ["rules"]:
            show_rules(console, RULES)
            return 0
        if given[:1] == ["explain"]:
            return _explain(console, given[1:])
        if alone:
            sys.stdout.write(json.dumps(Report.model_json_schema(), indent=2) + "\n")
            return 0
        if given[:1] == ["serve"] and (not Path("serve").is_dir() or any(w.startswith(_SERVING) for w in given)):
            return _serve(given[1:], environ or {})
        return _audit(console, given, environ or {})
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _serve(given: Sequence[str], environ: Mapping[str, str]) -> int:
    from ml_audit.dashboard import serve
    from ml_audit.dashboard.faults import DashboardError

    try:
        return serve(given, environ)
    except (DashboardError, SourceError) as fault:
        _say_error(str(fault))
        return fault.exit_code


def _explain(console: Console, names: Sequence[str]) -> int:
    if len(names) != 1:
        _say_error("name one rule: ml-audit explain RULE; `ml-audit rules` lists them")
        return EXIT_MISUSED
    asked = names[0].lower()
    rule = BY_ID.get(asked)
    if rule is None:
        near = [known for known in BY_ID if asked in known] or get_close_matches(asked, BY_ID)
        hint = f"did you mean {', '.join(near[:3])}?" if near else "`ml-audit rules` lists them"
        _say_error(f"there is no rule {names[0]!r}; {hint}")
        return EXIT_MISUSED
    show_rule(console, rule)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ml-audit",
        description="Audit repositories of machine-learning code for reproducibility.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("repository", nargs="*", help="a checkout, OWNER/NAME[@REF] or a web address on GitHub")
    for flag, what in _OUTPUTS.items():
        parser.add_argument(flag, nargs="?", const=STDOUT, metavar="FILE", help=what)
    parser.add_argument("--compare", action="store_true", help="show the repositories side by side, best first")
    parser.add_argument("--fail-under", type=_score, metavar="SCORE", help="exit 1 if a score is below this (0 to 10)")
    parser.add_argument("--fix", action="store_true", help="make the safe changes, and print what changed as a diff")
    parser.add_argument("--diff", action="store_true", help="print the safe changes as a diff, and make none")
    add_options(parser)
    return parser


def _audit(console: Console, given: Sequence[str], environ: Mapping[str, str]) -> int:
    told = _parser().parse_intermixed_args(spelled(given, tuple(_OUTPUTS)))
    wanted = {flag: file for flag in _OUTPUTS if (file := getattr(told, flag[2:])) is not None}
    if wrong := _misuse(told, wanted):
        _say_error(wrong)
        return EXIT_MISUSED
    try:
        sources = [source_named(named, told, environ) for named in told.repository]
        if told.fix and not told.diff and not all(isinstance(source, LocalDirectory) for source in sources):
            _say_error("--fix changes checkouts; for a repository on GitHub print the changes by --diff")
            return EXIT_MISUSED
        repositories = [source.read() for source in sources]
        for note in (f"{r.name}: {note}" for r in repositories for note in r.notes if wanted or told.diff):
            sys.stderr.write(f"note: {visible(note)}\n")
        reports = [audit(repository) for repository in repositories]
        if told.fix or told.diff:
            return _fix([Path(p) for p in told.repository], repositories, reports, write=not told.diff)
    except SourceError as error:
        _say_error(str(error))
        return error.exit_code
    except OSError as error:
        _say_error(f"{error.filename}: {error.strerror}")
        return EXIT_UNREADABLE
    comparison = compare(reports) if told.compare else None
    texts = {file: _written(flag, reports, comparison) for flag, file in wanted.items()}
    if STDOUT not in texts:
        _show(console, reports, comparison)
    for file, text in texts.items():
        try:
            write(file, text)
        except BrokenPipeError:
            raise
        except OSError as error:
            _say_error(f"{file}: cannot be written ({error.strerror})")
            return EXIT_UNWRITABLE
    below = [r for r in reports if told.fail_under is not None and r.score < told.fail_under]
    for report in below:
        sys.stderr.write(f"{visible(report.repository)}: {report.score:.2f} is below {told.fail_under:g}\n")
    return EXIT_BELOW if below else 0


def _misuse(told: argparse.Namespace, wanted: Mapping[str, str]) -> str:
    """What is wrong with the call, in one line; empty if nothing is."""
    if told.repository and not all(told.repository):
        return "the name of a repository is empty; name a checkout, OWNER/NAME[@REF] or a web address"
    if not told.repository:
        taken = [f"{flag} took {file!r} as the file to write" for flag, file in wanted.items() if file != STDOUT]
        return "; ".join(["name a repository, before the outputs", *taken])
    if wanted and (told.fix or told.diff):
        return f"{next(iter(wanted))} says how it was before the changes; repair first, then audit again"
    if told.compare and len(told.repository) < 2:
        return "--compare takes two repositories or more"
    if "--badge" in wanted and len(told.repository) > 1:
        return "--badge is of one repository"
    try:
        checked(wanted)
    except DestinationError as error:
        return str(error)
    return ""


def _written(flag: str, reports: Sequence[Report], comparison: Comparison | None) -> str:
    """One output as text."""
    match flag:
        case "--json":
            listed = [r.model_dump(mode="json") for r in reports]
            data = comparison.model_dump(mode="json") if comparison else listed[0] if len(listed) == 1 else listed
            return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        case "--sarif":
            return json.dumps(sarif(reports), indent=2, ensure_ascii=False) + "\n"
        case "--markdown":
            return comparison_markdown(comparison) if comparison else markdown(reports)
        case "--html":
            return page(reports, comparison)
        case _:
            return badge(reports[0])


def _show(console: Console, reports: Sequence[Report], comparison: Comparison | None) -> None:
    if comparison:
        show_comparison(console, comparison)
        return
    for report in reports:
        show_report(console, report)


def _fix(paths: Sequence[Path], repositories: Sequence[Repository], reports: Sequence[Report], *, write: bool) -> int:
    """Print the safe changes of all repositories, and make them."""
    for path, repository, report in zip(paths, repositories, reports, strict=True):
        changed = edited(repository.files, report.findings)
        sys.stdout.write(unified_diff(changed))
        if write:
            apply_edits(path, changed)
        sys.stderr.write(f"{report.repository}: {len(changed)} files {'changed' if write else 'would change'}\n")
    return 0


def _say_error(what: str) -> None:
    """One line, whatever stands in a name."""
    sys.stderr.write(f"error: {visible(what)}\n")


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 10:
        raise argparse.ArgumentTypeError(f"{text!r} is not a score from 0 to 10")
    return value
