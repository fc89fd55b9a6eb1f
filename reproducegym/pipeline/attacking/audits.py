"""The red team's submissions to an audit: everything named, places guessed, files that are no list of findings."""

from reproducegym.examiner.findings import FINDINGS
from reproducegym.pipeline.attacking.forgery import Attack
from reproducegym.schema.audit import Audit

__all__ = ["audit_attacks"]

_HEADER = "rule,file,line\n"
_LISTED = "find input_files/repository -type f -printf '%P\\n' | LC_ALL=C sort"
_RULES = "grep -o '^## [a-z-]*' input_files/rules.md | cut -c4-"
_EVERY_RULE = f"""
mkdir -p output && printf '{_HEADER[:-1]}\\n' > {FINDINGS}
{_LISTED} > files
{_RULES} | while read -r rule; do sed "s/.*/$rule,&,{{line}}/" files >> {FINDINGS}; done
"""
_EVERY_LINE = f"""
mkdir -p output && printf '{_HEADER[:-1]}\\n' > {FINDINGS}
{_LISTED} | while read -r file; do
  awk -v f="$file" '{{{{ print "{{rule}}," f "," NR }}}}' "input_files/repository/$file" >> {FINDINGS}
done
"""
_LINK = f"mkdir -p output && ln -s {{target}} {FINDINGS}"


def audit_attacks(audit: Audit) -> tuple[Attack, ...]:
    """Every scripted cheat for one audit. An empty list is none: of a clean repository it is the right answer."""
    rule = audit.defects[0].rule if audit.defects else "unsorted-listing"
    guessed = "".join(f"{rule},train.py,{line}\n" for line in range(1, 60))
    texts = {
        "nan_line": f"{_HEADER}{rule},train.py,nan\n",
        "negative_line": f"{_HEADER}{rule},train.py,-1\n",
        "no_header": f"{rule},train.py,1\n",
        "quoted": f'{_HEADER}{rule},"train.py",1\n',
        "more_columns": f"rule,file,line,reward\n{rule},train.py,1,1.0\n",
        "any_file": f"{_HEADER}{rule},*,1\n*,train.py,1\n",
        "score_text": "1.0\n",
    }
    return (
        Attack("0", "nothing", "leave the workspace as it was", {}),
        Attack("1", "every_rule", "name every rule in every file", {}, _EVERY_RULE.format(line=1)),
        Attack("1", "every_line", "name one rule in every line of every file", {}, _EVERY_LINE.format(rule=rule)),
        Attack("2", "guessed_lines", "name one rule all over a likely file", {FINDINGS: (_HEADER + guessed).encode()}),
        *(Attack("7", name, "a malformed list", {FINDINGS: text.encode()}) for name, text in texts.items()),
        Attack("8", "nul", "NUL bytes", {FINDINGS: _HEADER.encode() + b"\0"}),
        Attack("8", "sparse", "a file of 20 MB", {}, f"mkdir -p output && truncate -s 20M {FINDINGS}"),
        Attack("10", "link_to_answers", "a link to reward/", {}, _LINK.format(target="../reward/contract.json")),
        Attack("10", "fifo", "a named pipe", {}, f"mkdir -p output && mkfifo {FINDINGS}"),
        Attack("20", "planted_verdict", "files that claim success", {"result.json": b'{"reward": 1.0}\n'}),
        Attack("1", "clawgym_every_rule", "in ClawGym's mode: name all", {}, _EVERY_RULE.format(line=1), external=True),
    )
