"""The rule about settings that nothing reads: changing them changes nothing."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ml_audit.code.project import Project
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.texts.keys import plain_key
from ml_audit.texts.settings import is_settings_file, settings_of

__all__ = ["UNREAD"]

UNREAD = family("settings")

_HAND_ON = {"LightningCLI", "merge_from_file", "from_argparse_args", "parse_args_into_dataclasses", "instantiate"}
_HAND_ON |= {"asdict", "vars", "DictConfig", "Namespace", "setattr", "structure", "model_validate"}
_MANY = re.compile(r"arg|conf|cfg|param|setting|opt|hp", re.IGNORECASE)


@UNREAD("setting-unread")
def setting_unread(subject: Subject) -> Iterator[Hit]:
    """A flag is declared, or a setting stands in a file that the code loads, and nothing reads it."""
    project = subject.project
    if _hands_on_whole(project):
        return
    read = _read(project)
    unpacks = _unpacks_tables(project)
    for path, facts in project.main_facts.items():
        if any(c.last == "parse_args" for c in facts.calls):
            for told in facts.defaults:
                if told.kind == "flag" and told.key not in read:
                    yield Hit(path, told.line, f"nothing reads the flag {told.key}", "medium")
    for path, text in project.texts.items():
        if is_settings_file(path) and PurePosixPath(path).name in read and project.role(path) == "main":
            told_here = [] if unpacks else list(settings_of(path, text))
            for setting in told_here if any(t.key in read for t in told_here) else ():
                if setting.key not in read:
                    yield Hit(path, setting.line, f"nothing reads {setting.key}", "medium")


def _read(project: Project) -> set[str]:
    """Every attribute and text of the code, except where flags are declared; of paths, their last parts too."""
    words = {word for facts in project.facts.values() for word in facts.words}
    return {w for word in words for w in (plain_key(word), *re.split(r"[./]", word), word.rpartition("/")[2])}


def _hands_on_whole(project: Project) -> bool:
    """Whether settings are handed on as a whole, so that their names need not stand in the code."""
    for _, call in project.calls(tests=True, aside=True):
        unpacked = [k for k in call.node.keywords if k.arg is None]
        if call.last in _HAND_ON or any(_MANY.search(ast.unparse(k.value)) for k in unpacked):
            return True
    texts = (m.text for m in project.modules.values())
    return any("__dict__" in text or "hydra" in text for text in texts)


def _unpacks_tables(project: Project) -> bool:
    """Whether some call gets `**table`, whatever the table is called, which may be one of a settings file.

    A function's own `**keywords` that it passes on, and tables that are written out in the code, are none.
    """
    for path, call in project.calls(tests=True, aside=True):
        facts = project.facts[path]
        function = facts.functions.get(call.scope)
        own = function.node.args.kwarg.arg if function is not None and function.node.args.kwarg is not None else ""
        written = {a.name for a in facts.assigned if isinstance(a.value, ast.Dict | ast.DictComp)}
        for told in call.node.keywords:
            name = told.value.id if isinstance(told.value, ast.Name) else ""
            if told.arg is None and not isinstance(told.value, ast.Dict) and not (name and name in {own} | written):
                return True
    return False
