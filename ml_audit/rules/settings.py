"""Rules about settings: where they come from, and whether what is set is what runs."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.names import scopes_above
from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.experiments import machine_paths
from ml_audit.texts.keys import plain_key

__all__ = ["SETTINGS"]

SETTINGS = family("settings")


@SETTINGS("absolute-path")
def absolute_path(subject: Subject) -> Iterator[Hit]:
    """A path of somebody's machine, or a placeholder that must be edited."""
    real, placeholders = machine_paths(subject.project)
    for place in dict.fromkeys(real):
        yield Hit(place.path, place.line, "path of one machine")
    for place in dict.fromkeys(placeholders):
        yield Hit(place.path, place.line, "placeholder that every reader must edit", "medium")


@SETTINGS("constants-in-code")
def constants_in_code(subject: Subject) -> Iterator[Hit]:
    """No configuration, or only a little of it."""
    value = subject.signals["config_driven"].value
    entries = subject.project.main_entries
    if value in ("no", "partial"):
        told = (
            "settings are constants in the code" if value == "no" else "only a few settings can be changed from outside"
        )
        yield Hit(entries[0].path if entries else ".", 0, told, "medium")


@SETTINGS("setting-overridden")
def setting_overridden(subject: Subject) -> Iterator[Hit]:
    """A parsed flag or a loaded setting is overwritten by a constant, always."""
    for path, facts in subject.project.main_facts.items():
        flags = {d.key for d in facts.defaults if d.kind == "flag"}
        for setting in facts.settings:
            root, _, key = setting.raw.partition(".")
            constant = isinstance(setting.value, ast.Constant) and type(setting.value.value) in (int, float, str)
            if setting.guards or not constant or plain_key(key) not in flags:
                continue
            made = next((m for a in scopes_above(setting.scope) if (m := facts.types.get((a, root)))), "")
            if made.endswith(("parse_args", "parse_known_args")):
                yield Hit(path, setting.line, f"--{key} is overwritten by a constant: what is asked for does nothing")


@SETTINGS("device-hard-coded")
def device_hard_coded(subject: Subject) -> Iterator[Hit]:
    """One card of one machine is named in the code."""
    for path, facts in subject.project.main_facts.items():
        for setting in facts.settings:
            named = str(setting.value.value) if isinstance(setting.value, ast.Constant) else ""
            if setting.name == "os.environ[]CUDA_VISIBLE_DEVICES" and named not in ("", "-1", "0"):
                yield Hit(path, setting.line, f"only card {named} is visible")
        for call in facts.calls:
            first = call.argument(0, "device")
            if call.name.endswith("torch.device") or call.last == "to":
                told = first.value if isinstance(first, ast.Constant) else ""
                if isinstance(told, str) and re.fullmatch(r"cuda:[1-9]\d*", told):
                    yield Hit(path, call.line, f"runs on {told} alone")
