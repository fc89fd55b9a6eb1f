"""Tells sentences that speak to whoever processes the paper from what its authors found: an instruction is no claim."""

import re

__all__ = ["is_addressed"]

_ORDERS = (
    r"(?:output|return|respond|reply|answer|emit|print|mark|label|accept|approve|treat|set|use|classify|rate|score"
)
_ORDERS += r"|report|write|extract|include|add|assign|choose|select|consider|call|make|state|give|take)"
_OBJECTS = (
    r"(?:claims?|statements?|metrics?|directions?|targets?|patterns?|json|schema|reward|verdict|as (?:accepted|true"
)
_OBJECTS += r"|verified|reproduced)|(?:lower|higher)[_ ](?:is[_ ])?better)"
_BEGINS = r"(?:^|[:;.!?]\s*|\b(?:please|now|instead|always|only|you (?:must|should|will|shall|need to|have to))\s+)"
_BEFORE = r"(?:above|previous|prior|earlier|preceding|foregoing)"
_SPEAKS = re.compile(
    # Against what was said before.
    rf"{_BEGINS}(?:ignore|disregard|forget|override|bypass|skip)\b[^.]{{0,40}}\b(?:{_BEFORE}|instructions?|prompts?|rules"
    r"|guidelines|schema|system message)\b"
    rf"|\b(?:ignore|disregard|forget|override)\s(?:(?:all|any|the|your|of)\s)*{_BEFORE}\s(?:instructions?|prompts?|rules"
    r"|messages?)\b"
    # An order about the answer, where a sentence or clause begins.
    rf"|{_BEGINS}{_ORDERS}\b[^.]{{0,60}}\b{_OBJECTS}\b"
    # Words of our own vocabulary, which no paper uses.
    r"|\b(?:lower|higher)_is_better\b|\brests_on\b"
    # To a program by its name.
    r"|\b(?:you are|act as|as) an? (?:\w+ )?(?:AI|language model|LLM|assistant|chatbot|agent that|reviewer bot)\b"
    r"|\b(?:note|attention|message|instructions?|notice|hint)s? (?:to|for) (?:the |any |all )*(?:AI|LLMs?"
    r"|language models?|assistants?|models? (?:that|which)"
    r"|(?:automated |machine )?(?:reviewers?|readers?|graders?|extractors?|parsers?))\b"
    r"|\b(?:AI|LLM|language model|automated) (?:systems?|readers?|reviewers?|agents?|assistants?) (?:must|should|shall"
    r"|are (?:to|asked|instructed))\b"
    r"|<\s*/?\s*(?:system|paper-data|instructions?)\b",
    re.IGNORECASE,
)


def is_addressed(text: str) -> bool:
    """Whether a text gives orders to a program that reads the paper.

    Such sentences are withheld from models, and are neither anchors nor places of numbers, whoever proposes it. This
    spares a model the temptation; what it answers is checked whether it gave way or not.
    """
    return bool(_SPEAKS.search(text))
