"""Reward functions for trainers' own loops: our verifier's reward, None or an error where there is none."""

import ast
import asyncio
import inspect
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from consumers import consumer
from sample_paper import manifest
from sample_submissions import CHEAP_TASK, honest

from reproducegym.adapters.trainers import (
    CommandVerifier,
    Scored,
    UnscoredError,
    UnusableVerifierError,
    files_of,
    slime_reward,
    trl_reward,
)
from reproducegym.errors import MisuseError

MISUSED = CommandVerifier({"a.b": Path()}, (sys.executable, "-c", "exit(4)"))
COMMAND = (sys.executable, "-m", "reproducegym")


class Fixed:
    """A verifier that says what it is told to, and what it was asked."""

    def __init__(self, *, works: bool = True) -> None:
        self.works = works
        self.asked: list[tuple[str, Sequence[str]]] = []

    def verify(self, task_id: str, files: dict[str, bytes]) -> Scored:
        self.asked.append((task_id, sorted(files)))
        if not self.works:
            raise UnscoredError("the engine failed")
        return Scored(0.5, "reexecute", "")

    def check_task(self, task_id: str) -> None:
        assert task_id == "a.b"


def said(files: dict[str, bytes]) -> str:
    return "I would do this.\n\n" + "\n".join(f"```text {name}\n{data.decode()}```\n" for name, data in files.items())


@pytest.fixture(scope="module")
def verifier(built_sample: Path) -> CommandVerifier:
    places = {one["task_id"]: built_sample / one["task_dir"] for one in manifest(built_sample)["tasks"]}
    return CommandVerifier(places, COMMAND)


def test_files_are_read_from_a_completion_and_bad_names_are_none():
    assert files_of(said(honest())) == honest()
    assert files_of([{"role": "user", "content": "?"}, {"role": "assistant", "content": "```sh a/b.sh\n1\n```"}]) == {
        "a/b.sh": b"1\n"
    }
    for bad in (
        "no files",
        "```sh ../x\n1\n```",
        "```sh /etc/passwd\n1\n```",
        "```sh a\n1\n```\n```sh a/b\n1\n```",
        f"```sh {'a' * 256}\n1\n```",
    ):
        assert files_of(bad) == {}


def test_a_completion_that_repeats_itself_is_read_at_once():
    begun = time.process_time()
    assert files_of("```python x.py\nprint(1)\n" * 50_000) == {}
    assert files_of("````md a.md\n```sh b\n```\n````\n```sh never\n```` \n```sh c\n``` ") == {
        "a.md": b"```sh b\n```\n",
        "never": b"```` \n```sh c\n",
    }
    assert time.process_time() - begun < 2


def test_trl_gets_our_verifiers_reward(verifier: CommandVerifier):
    completions = [[{"role": "assistant", "content": said(honest())}], [{"role": "assistant", "content": "It holds."}]]
    paid = trl_reward(verifier)(["p", "p"], completions, task_id=[CHEAP_TASK, CHEAP_TASK], trainer_state=None)
    assert paid == [1.0, 0.0]


def test_what_could_not_be_scored_is_never_a_zero(built_sample: Path):
    completions = [said(honest())]
    assert trl_reward(Fixed(works=False))(["p"], completions, task_id=["a.b"]) == [None]
    sample = SimpleNamespace(response=completions[0], metadata={"task_id": "a.b"})
    with pytest.raises(UnscoredError, match="the engine failed"):
        asyncio.run(slime_reward(Fixed(works=False))(None, sample))
    assert asyncio.run(slime_reward(Fixed())(None, sample)) == 0.5
    for command, line in (
        (("no-such-program",), "cannot be run"),
        ((sys.executable, "-c", "exit(12)"), "exit code 12"),
    ):
        with pytest.raises(UnscoredError, match=line):
            CommandVerifier({"a.b": built_sample}, command).verify("a.b", {})
    with pytest.raises(UnscoredError, match=r"no task 'x.y' is known here; known are a.b"):
        CommandVerifier({"a.b": built_sample}).verify("x.y", {})
    for verifier in (CommandVerifier({}), CommandVerifier({"a.b": built_sample}, ("no-such-program",)), MISUSED):
        with pytest.raises(UnusableVerifierError):  # never None, batch after batch
            trl_reward(verifier)(["p"], completions, task_id=["a.b"])
    with pytest.raises(ValueError, match="needs a column task_id"):
        trl_reward(Fixed())(["p"], completions)


@pytest.mark.parametrize("response", ["no files", "```sh a\n1\n```"])
def test_an_unknown_task_is_told_whether_or_not_a_completion_has_files(response: str):
    known = CommandVerifier({"a.b": Path()})
    with pytest.raises(UnusableVerifierError, match=r"no task 'x\.y' is known here; known are a\.b"):
        trl_reward(known)(["p"], [response], task_id=["x.y"])
    with pytest.raises(UnusableVerifierError, match=r"no task 'x\.y'"):
        asyncio.run(slime_reward(known)(None, SimpleNamespace(response=response, metadata={"task_id": "x.y"})))
    with pytest.raises(MisuseError, match="metadata has no task_id"):
        asyncio.run(slime_reward(known)(None, SimpleNamespace(response=response, metadata={})))
    assert trl_reward(known)(["p"], ["no files"], task_id=["a.b"]) == [0.0]


@pytest.mark.parametrize("completion", [None, 3, b"", b"text", ["text"], {"role": "assistant"}])
def test_what_is_no_completion_is_no_models_zero(completion: object):
    with pytest.raises(MisuseError, match="a completion is text or a list of messages"):
        trl_reward(Fixed())(["p"], [completion], task_id=["a.b"])
    with pytest.raises(MisuseError, match="a completion is text"):
        asyncio.run(slime_reward(Fixed())(None, SimpleNamespace(response=completion, metadata={"task_id": "a.b"})))


def test_trls_own_trainer_calls_it_so():
    """TRL needs PyTorch to run; the call that its trainers make stands in their source."""
    source = next((consumer("trl").parent / "lib").glob("python*/site-packages/trl/trainer/grpo_trainer.py"))
    calls = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "reward_func"]
    named = [call for call in named if "prompts" in {one.arg for one in call.keywords}]
    assert named
    reward = trl_reward(Fixed())
    assert reward.__name__ == "reproduced"
    for call in named:
        given = {one.arg or "rest" for one in call.keywords}
        assert {"prompts", "completions"} <= given
        inspect.signature(reward).bind(**dict.fromkeys(given))
