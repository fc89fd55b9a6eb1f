"""Rules about orders that nobody fixed: of sets, of listed files, of hashes."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.facts import Call, Facts
from ml_audit.rules.rule import Edit, Hit, Subject, family
from ml_audit.signals.order import hazards

__all__ = ["ORDER"]

ORDER = family("order")


@ORDER("labels-from-set")
def labels_from_set(subject: Subject) -> Iterator[Hit]:
    """A set's order becomes ids or a list of labels."""
    for hazard in hazards(subject.project):
        if hazard.kind == "set":
            text = subject.plain_line(hazard.path, hazard.line)
            after = re.sub(r"\b(list|tuple|enumerate)\(((?:list\()?)(set\([^()]*\))", r"\1(\2sorted(\3)", text)
            safe = after != text and hazard.path.endswith(".py") and text.count("set(") == 1
            edit = Edit(file=hazard.path, line=hazard.line, before=text, after=after) if safe else None
            yield Hit(hazard.path, hazard.line, f"the order of a set reaches {hazard.what}", edit=edit)


@ORDER("unsorted-listing")
def unsorted_listing(subject: Subject) -> Iterator[Hit]:
    """An unsorted listing reaches data."""
    for hazard in hazards(subject.project):
        if hazard.kind == "listing":
            text = subject.plain_line(hazard.path, hazard.line)
            found = re.search(r"=\s*((?:os\.listdir|glob\.glob)\([^()]*(?:\([^()]*\)[^()]*)*\))\s*$", text)
            after = f"{text[: found.start(1)]}sorted({found.group(1)})" if found else ""
            edit = (
                Edit(file=hazard.path, line=hazard.line, before=text, after=after)
                if after and hazard.path.endswith(".py")
                else None
            )
            yield Hit(hazard.path, hazard.line, f"unsorted listing reaches {hazard.what}", "medium", edit)


@ORDER("hash-of-text")
def hash_of_text(subject: Subject) -> Iterator[Hit]:
    """The built-in hash() of a text chooses a bucket, an order or a seed."""
    for path, facts in subject.project.main_facts.items():
        for call in facts.calls:
            if call.raw != "hash" or "hash" in facts.functions or not call.node.args:
                continue
            given = call.node.args[0]
            number = isinstance(given, ast.Constant) and not isinstance(given.value, str | bytes)
            if not number and not re.search(r"__(hash|eq)__$", call.scope) and _decides(facts, call):
                yield Hit(path, call.line, "hash() of a text is another number in each process")
        for call in facts.calls:
            key = call.keyword("key")
            if call.last in ("sorted", "sort", "min", "max") and isinstance(key, ast.Name) and key.id == "hash":
                yield Hit(path, call.line, "sorts by hash(), which differs between processes")


_CHOOSES = re.compile(r"seed|rng|bucket|fold|shard|split|partition|shuffle|sampl|assign", re.IGNORECASE)
"""Names of functions and classes whose numbers choose."""


def _decides(facts: Facts, call: Call) -> bool:
    """Whether a hash is reduced to a bucket, compared, or given to what seeds."""
    places: list[ast.AST] = [a.value for a in facts.assigned if a.scope == call.scope]
    places += [c.node for c in facts.calls if c.scope == call.scope]
    places += [s.value for s in facts.settings if s.scope == call.scope]
    function = facts.functions.get(call.scope)
    if function is not None:
        places.append(function.node)
    for place in places:
        for node in ast.walk(place):
            if isinstance(node, ast.Return) and node.value is call.node and _CHOOSES.search(call.scope):
                return True
            reduced = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.BitAnd)
            seeding = isinstance(node, ast.Call) and re.search(r"seed|rng|Random", ast.unparse(node.func))
            if (reduced or seeding) and any(n is call.node for n in ast.walk(node)):
                return True
    return False
