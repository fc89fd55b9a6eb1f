"""Stories of the check that every Llm must pass: ours does, and a broken one is found out."""

import re
from collections.abc import Sequence

import pytest
from model_server import Answer, Status
from scripted_llm import rig

from reproducegym.adapters.llm.self_check import CHECKS, Copied, check_llm
from reproducegym.ports import Question, Unanswered


def copying(asked):
    return Answer(
        {"word": re.search(r'word: "?(\w+)', asked.user)[1], "number": int(re.search(r"number: (\d+)", asked.user)[1])}
    )


def test_the_client_keeps_every_promise(model_server, tmp_path):
    model_server.script = copying
    findings = list(check_llm(rig(model_server, tmp_path).llm))
    assert [finding for finding in findings if not finding.kept] == []
    assert len(findings) == len(CHECKS)
    assert model_server.refused == []


def test_an_endpoint_that_is_down_breaks_them_with_its_line(model_server, tmp_path):
    model_server.script = lambda asked: Status(401)
    broken = [finding for finding in check_llm(rig(model_server, tmp_path).llm) if not finding.kept]
    assert len(broken) == 4
    assert all("refuses the key" in finding.detail for finding in broken)


class Backwards:
    """Gives replies in the wrong order, another one each time, and has no name."""

    name = " "

    def __init__(self) -> None:
        self.calls = 0

    def ask(self, question: Question, reply: type[Copied]) -> Copied | Unanswered:
        self.calls += 1
        return Copied(word="row", number=self.calls)

    def ask_all(self, questions: Sequence[Question], reply: type[Copied]) -> tuple[Copied | Unanswered, ...]:
        return tuple(Copied(word="row", number=int(one.user[-1])) for one in reversed(questions))


@pytest.mark.parametrize("promise", [check.promise for check in CHECKS[:4]])
def test_a_broken_one_is_found_out(promise):
    broken = {finding.promise for finding in check_llm(Backwards()) if not finding.kept}
    assert promise in broken
