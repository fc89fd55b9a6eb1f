"""Stories of limits: calls at once, caps in tokens and dollars that hold before a call, and the cache."""

import dataclasses
import json
import subprocess
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path

import pytest
from model_server import Answer, Broken, Status, rate_limited
from scripted_llm import GOOD, PNG, QUESTION, Word, price, rig

from reproducegym.adapters.llm.cost import most_prompt_tokens
from reproducegym.errors import MisuseError
from reproducegym.ports import Unanswered
from reproducegym.schema.base import Frozen

WORD = Word(word="one", count=2)
QUESTIONS = [dataclasses.replace(QUESTION, user=f"question {n}") for n in range(12)]


def test_many_are_answered_in_order_whatever_the_order_of_replies(model_server, tmp_path):
    model_server.script = lambda asked: Answer(
        {"word": asked.user, "count": 1}, wait_s=0.05 if asked.user[-1] in "048" else 0.0
    )
    answers = rig(model_server, tmp_path, concurrency=4).llm.ask_all(QUESTIONS, Word)
    assert [answer.word for answer in answers] == [question.user for question in QUESTIONS]


def test_nothing_asked_is_nothing_answered(model_server, tmp_path):
    assert rig(model_server, tmp_path).llm.ask_all([], Word) == ()
    assert model_server.hits == 0


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_calls_at_once_than_configured_and_so_many_in_fact(model_server, tmp_path, limit):
    model_server.script = lambda asked: Answer(GOOD, wait_s=0.05)
    rig(model_server, tmp_path, concurrency=limit).llm.ask_all(QUESTIONS, Word)
    assert model_server.most_at_once == limit


def test_the_limit_holds_over_threads_of_the_caller_too(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, wait_s=0.05)
    made = rig(model_server, tmp_path, concurrency=2)
    threads = [threading.Thread(target=made.llm.ask, args=(question, Word)) for question in QUESTIONS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model_server.most_at_once == 2
    assert made.kept[-1].calls == 12


def test_when_one_call_is_rate_limited_all_others_wait_too(model_server, tmp_path):
    arrived: list[float] = []

    def script(asked):
        arrived.append(time.monotonic())
        return rate_limited("0.6") if asked.number == 1 else Answer(GOOD, wait_s=0.2)

    model_server.script = script
    made = rig(model_server, tmp_path, concurrency=2, really_wait=True)
    assert made.llm.ask_all(QUESTIONS[:6], Word) == (WORD,) * 6
    assert len([moment for moment in arrived if moment < arrived[0] + 0.5]) <= 2


def test_a_cap_in_tokens_is_held_before_the_first_call(model_server, tmp_path):
    made = rig(model_server, tmp_path, max_tokens_per_paper=1000, max_reply_tokens=1000)
    answer = made.llm.ask(QUESTION, Word)
    assert isinstance(answer, Unanswered)
    assert answer.reason == "budget"
    assert "max_tokens_per_paper is 1000 (0 are used)" in answer.detail
    assert model_server.hits == 0
    assert made.kept[-1].steps["extract"].unanswered == 1
    made.llm.ask(dataclasses.replace(QUESTION, user="another"), Word)
    assert made.told == [f"extract: a question stays unanswered (budget): {answer.detail}"]


def test_a_cap_in_dollars_is_held_before_the_call_that_could_pass_it(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, usage=(1000, 1000))
    made = rig(
        model_server,
        tmp_path,
        prices={"small-model": price("1", "10")},  # a call: held with $0.0104, in fact $0.0110
        max_dollars_per_paper=Decimal("0.04"),
        concurrency=1,
    )
    answers = made.llm.ask_all(QUESTIONS, Word)
    assert [isinstance(answer, Word) for answer in answers] == [True] * 3 + [False] * 9
    assert len(model_server.requests) == 3
    assert made.kept[-1].dollars <= Decimal("0.04")
    refused = answers[-1]
    assert refused.reason == "budget"
    assert "max_dollars_per_paper is $0.04" in refused.detail


def test_calls_at_once_never_pass_a_cap_together(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, usage=(100, 900), wait_s=0.02)
    made = rig(model_server, tmp_path, max_tokens_per_paper=6000, max_reply_tokens=1000, concurrency=8)
    answers = made.llm.ask_all(QUESTIONS, Word)
    answered = sum(isinstance(answer, Word) for answer in answers)
    assert made.kept[-1].prompt_tokens + made.kept[-1].completion_tokens <= 6000
    assert answered == len(model_server.requests) == 5  # each takes 1000 and may take more until it has ended


def test_a_cap_in_dollars_on_a_model_without_a_price_is_refused_before_anything(model_server, tmp_path):
    with pytest.raises(MisuseError, match=r"large-model has no price; name it under \[llm.prices\]"):
        rig(
            model_server,
            tmp_path,
            steps={"read_panel": "large-model"},
            prices={"small-model": price("1", "10")},
            max_dollars_per_paper=Decimal("1"),
        )
    assert model_server.hits == 0


def test_a_step_without_a_model_is_refused_before_anything(model_server, tmp_path):
    with pytest.raises(MisuseError, match="no model is named for merge, refine, read_panel; set OPENAI_MODEL"):
        rig(model_server, tmp_path, model="", steps={"extract": "small-model"})


def test_a_stream_that_broke_off_counts_against_the_cap_with_all_that_it_may_have_cost(model_server, tmp_path):
    model_server.script = lambda asked: Broken()
    made = rig(model_server, tmp_path, max_tokens_per_paper=3000, max_reply_tokens=1000)
    answer = made.llm.ask(QUESTION, Word)
    assert isinstance(answer, Unanswered)
    assert answer.reason == "budget"
    assert len(model_server.requests) == 2


def test_the_second_try_after_a_bad_reply_is_held_against_the_cap_too(model_server, tmp_path):
    model_server.script = lambda asked: Answer("no", usage=(1000, 1000))
    made = rig(model_server, tmp_path, max_tokens_per_paper=2500, max_reply_tokens=1000)
    assert made.llm.ask(QUESTION, Word).reason == "budget"
    assert len(model_server.requests) == 1


def test_no_tokenizer_makes_more_tokens_than_the_estimate():
    assert most_prompt_tokens(["word " * 100], [], {}) >= 500
    assert most_prompt_tokens(["数" * 100], [], {}) >= 300
    assert most_prompt_tokens([], [PNG], {}) >= 9000
    large = PNG[:16] + (4000).to_bytes(4, "big") * 2 + PNG[24:]
    assert most_prompt_tokens([], [large], {}) >= 48_000


# the cache


def test_the_same_question_again_is_not_asked_again(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, usage=(700, 30))
    prices = {"small-model": price("1", "10")}
    rig(model_server, tmp_path, prices=prices).llm.ask(QUESTION, Word)
    again = rig(model_server, tmp_path, prices=prices)
    assert again.llm.ask(QUESTION, Word) == WORD
    assert again.llm.ask_all([QUESTION, QUESTION], Word) == (WORD, WORD)
    assert len(model_server.requests) == 1
    usage = again.kept[-1].steps["extract"]
    assert (usage.calls, usage.cached, usage.prompt_tokens, usage.dollars) == (0, 3, 0, 0)
    assert (usage.cached_tokens, usage.cached_dollars) == (3 * 730, Decimal("0.003"))


class OtherWord(Frozen):
    """The same fields in another schema."""

    word: str
    count: float


@pytest.mark.parametrize(
    "change",
    [
        {"version": "2"},
        {"prompt": "llm/other"},
        {"system": "Count letters."},
        {"user": "one one"},
        {"images": (PNG,)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_question_that_differs_in_anything_is_another_one(model_server, tmp_path, change):
    model_server.script = lambda asked: Answer(GOOD)
    rig(model_server, tmp_path).llm.ask(QUESTION, Word)
    rig(model_server, tmp_path).llm.ask(dataclasses.replace(QUESTION, **change), Word)
    assert len(model_server.requests) == 2


def test_another_model_temperature_or_reply_is_another_question(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    rig(model_server, tmp_path).llm.ask(QUESTION, Word)
    rig(model_server, tmp_path, model="large-model").llm.ask(QUESTION, Word)
    rig(model_server, tmp_path, temperature=1.0).llm.ask(QUESTION, Word)
    rig(model_server, tmp_path).llm.ask(QUESTION, OtherWord)
    assert len(model_server.requests) == 4


def test_the_host_is_no_part_of_the_question(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    rig(model_server, tmp_path).llm.ask(QUESTION, Word)
    assert rig("http://127.0.0.1:9/v1", tmp_path).llm.ask(QUESTION, Word) == WORD


CACHED = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from scripted_llm import QUESTION, Word, rig
print(rig("http://127.0.0.1:9/v1", Path(sys.argv[1])).llm.ask(QUESTION, Word), "openai" in sys.modules)
"""


def test_replies_from_the_cache_need_no_sdk(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    rig(model_server, tmp_path).llm.ask(QUESTION, Word)
    here = Path(__file__).parent
    argv = [sys.executable, "-c", CACHED, str(tmp_path), str(here), str(here.parents[1])]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "word='one' count=2 False\n"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: text.replace('\\"count\\": 2', '\\"count\\": 3'),
        lambda text: text.replace('\\"count\\": 2', '\\"count\\": \\"x\\"'),
        lambda text: text.replace('"schema_version": 1', '"schema_version": 2'),
        lambda text: json.dumps({**json.loads(text), "key": "0" * 64}),
    ],
    ids=["cut", "empty", "changed", "unfit", "newer", "renamed"],
)
def test_a_damaged_entry_is_told_asked_again_and_mended(model_server, tmp_path, damage):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path)
    made.llm.ask(QUESTION, Word)
    (path,) = made.files()
    whole = path.read_text()
    assert damage(whole) != whole
    path.write_text(damage(whole))
    again = rig(model_server, tmp_path)
    assert again.llm.ask(QUESTION, Word) == WORD
    assert f"{path}: " in again.lines
    assert "the model is asked again" in again.lines
    assert len(model_server.requests) == 2
    assert path.read_text() == whole


def test_the_same_question_twice_at_once_is_asked_once(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, wait_s=0.1)
    made = rig(model_server, tmp_path, concurrency=4)
    assert made.llm.ask_all([QUESTION] * 8, Word) == (WORD,) * 8
    assert len(model_server.requests) == 1
    assert made.kept[-1].cached == 7


def test_what_a_killed_writer_left_is_no_entry(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path)
    made.llm.ask(QUESTION, Word)
    (path,) = made.files()
    path.rename(path.with_name(f".tmp-{path.name}"))
    assert rig(model_server, tmp_path).llm.ask(QUESTION, Word) == WORD
    assert len(model_server.requests) == 2
    assert path.is_file()


def test_replies_from_the_cache_count_against_the_cap_so_that_a_second_build_is_cut_where_the_first_was(
    model_server, tmp_path
):
    model_server.script = lambda asked: Answer(GOOD, usage=(500, 500))
    knobs = {"max_tokens_per_paper": 5000, "max_reply_tokens": 1000, "concurrency": 1}
    first = rig(model_server, tmp_path, **knobs).llm.ask_all(QUESTIONS, Word)
    asked = len(model_server.requests)
    assert rig(model_server, tmp_path, **knobs).llm.ask_all(QUESTIONS, Word) == first
    assert 0 < asked == len(model_server.requests) < 12


def test_a_failed_call_keeps_what_others_had_paid_for(model_server, tmp_path):
    model_server.script = lambda asked: Status(404) if asked.user == "question 3" else Answer(GOOD)
    made = rig(model_server, tmp_path, concurrency=1)
    with pytest.raises(Exception, match="knows no model"):
        made.llm.ask_all(QUESTIONS, Word)
    assert len(made.files()) == 3
    assert made.kept[-1].calls == 3
    assert made.progress[-1].put == made.progress[-1].done == 4
