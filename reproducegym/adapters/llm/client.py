"""The client: one question to one validated reply, from the cache or from an endpoint that speaks OpenAI's chat API.

Needs the extra `llm`; `reproducegym.adapters.llm.llm_availability` says whether it is there.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import tenacity
from pydantic import JsonValue, ValidationError

from reproducegym.adapters.llm.budget import Budget
from reproducegym.adapters.llm.cache import ReplyCache, reply_key
from reproducegym.adapters.llm.choice import check_prices, models_of, name_of
from reproducegym.adapters.llm.cost import Cost, Tokens, cost_of, most_prompt_tokens
from reproducegym.adapters.llm.endpoint import Endpoint
from reproducegym.adapters.llm.exchange import AgainError, Call, Heard
from reproducegym.adapters.llm.ledger import Ledger
from reproducegym.adapters.llm.many import in_order
from reproducegym.adapters.llm.messages import corrected, faults_of, first_messages, read_reply
from reproducegym.adapters.llm.pace import Pace
from reproducegym.adapters.llm.strict_schema import schema_name, strict_schema
from reproducegym.errors import ModelUnavailableError
from reproducegym.ports import Question, ReplyT, Unanswered
from reproducegym.schema.config import LlmConfig
from reproducegym.schema.usage import Step, UsageSummary

if TYPE_CHECKING:
    from reproducegym.adapters.llm.wire import Wire

__all__ = ["OpenAiLlm", "Progress"]

_TRIES = 2
"""A reply that does not fit is shown its error once."""
_NOTHING = Cost(0, None)


@dataclass(frozen=True)
class Progress:
    """How far the models are: questions that were put, those that are done, and bytes that arrived so far."""

    put: int
    done: int
    received: int


class OpenAiLlm:
    """`ports.Llm` on the `openai` SDK, for one paper.

    Replies are kept below `cache`; `keep` gets the usage after each call, `tell` lines for people, `progress` each
    piece that arrives. All but the constructor may be used from several threads.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        settings: LlmConfig,
        *,
        paper_id: str,
        cache: Path,
        keep: Callable[[UsageSummary], None],
        tell: Callable[[str], None],
        progress: Callable[[Progress], None],
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        """Nothing is sent yet.

        Raises:
            MisuseError: a step has no model, or a cap on dollars is set and a model has no price.
        """
        self._models = models_of(settings)
        check_prices(self._models, settings)
        self.name = name_of(self._models)
        self._endpoint, self._settings, self._tell, self._progress = endpoint, settings, tell, progress
        self._stopped = threading.Event()
        self._sleep = self._pause if sleep is None else sleep
        cap = settings.max_dollars_per_paper
        self._budget = Budget(settings.max_tokens_per_paper, None if cap == "none" else cap)
        self._pace = Pace(settings.concurrency, now, self._sleep)
        self._cache = ReplyCache(cache, tell)
        self._ledger = Ledger(paper_id, endpoint.host, self._models, settings.prices, keep)
        self._wire: Wire | None = None
        self._lock = threading.Lock()
        self._asking: dict[str, threading.Lock] = {}
        self._noted: set[tuple[Step, str]] = set()
        self._put = self._done = self._received = 0

    def ask(self, question: Question, reply: type[ReplyT]) -> ReplyT | Unanswered:
        """One reply that fits its model; the same question again is answered from the cache.

        Raises:
            ModelUnavailableError: the endpoint is out of reach, refuses us, or fails again and again.
            StorageError: the cache or the usage cannot be read or written.
        """
        self._count(put=1)
        answered = self._answer(question, reply)
        self._ledger.keep()
        return answered

    def ask_all(self, questions: Sequence[Question], reply: type[ReplyT]) -> tuple[ReplyT | Unanswered, ...]:
        """The same for many, several at once up to `llm.concurrency`; replies in the order of the questions."""
        self._count(put=len(questions))
        try:
            return in_order(
                lambda question: self._answer(question, reply),
                questions,
                self._settings.concurrency,
                self._stopped.set,
            )
        except Exception:
            self._stopped.clear()  # all calls have ended: later ones may wait again
            raise
        finally:
            self._count(put=self._done - self._put)  # after a failure: what was not begun is not waited for
            self._ledger.keep()

    def usage(self) -> UsageSummary:
        """What all questions so far cost."""
        return self._ledger.summary()

    def _answer(self, question: Question, reply: type[ReplyT]) -> ReplyT | Unanswered:
        try:
            model, schema = self._models[question.step], strict_schema(reply)
            key = reply_key(question, model, self._settings.temperature, schema)
            with self._only(key):  # the same question twice at once is asked once
                cached = self._cache.get(question.step, key, reply)
                if cached is not None:
                    self._ledger.cached(question.step, cached.tokens)
                    self._budget.count(cost_of(cached.tokens, self._settings.prices.get(model)))
                    return cached.reply
                answered = self._asked(question, reply, _Conversation(model, schema, schema_name(reply), key))
            if isinstance(answered, Unanswered):
                self._note(question.step, answered)
            return answered
        finally:
            self._count(done=1)

    def _asked(self, question: Question, reply: type[ReplyT], about: "_Conversation") -> ReplyT | Unanswered:
        """A reply of the model; one that does not fit is shown its faults and given a second try."""
        messages = first_messages(question)
        texts = [question.system, question.user]
        spent, faults = Tokens(), ""
        for _ in range(_TRIES):
            call = Call(about.model, tuple(messages), about.schema, about.name)
            heard = self._heard(question, call, most_prompt_tokens(texts, question.images, about.schema))
            if isinstance(heard, Unanswered):
                return heard
            if heard.refusal or heard.finish == "content_filter":
                said = self._endpoint.redacted(heard.refusal)[:200] or "its filter took the reply back"
                return Unanswered("refused", f"{about.model} declined: {said}")
            if heard.finish == "length":
                limit = self._settings.max_reply_tokens
                return Unanswered("cut_short", f"{about.model} was cut at {limit} tokens (llm.max_reply_tokens)")
            spent += heard.usage or Tokens()
            try:
                value = read_reply(heard.text, reply)
            except ValidationError as error:
                faults = faults_of(error)
                messages = corrected(messages, heard.text, faults, about.schema)
                texts = [*texts, heard.text, faults, str(about.schema)]
                continue
            self._cache.put(question, about.key, about.model, heard.text, spent)
            return value
        return Unanswered(
            "no_fit", f"{about.model} gave no reply that fits, after its error was shown: {_line(faults)}"
        )

    def _heard(self, question: Question, call: Call, prompt: int) -> Heard | Unanswered:
        """One reply as it was said, with its tokens; failures that may pass are repeated."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(AgainError),
            stop=tenacity.stop_after_attempt(self._settings.attempts),
            wait=self._wait,
            sleep=self._sleep,
            before_sleep=self._tell_wait,
            retry_error_callback=self._give_up,
        )
        return retrying(self._attempt, question, call, prompt)

    def _attempt(self, question: Question, call: Call, prompt: int) -> Heard | Unanswered:
        """One request, held against the caps before it is made."""
        price = self._settings.prices.get(call.model)
        most = cost_of(Tokens(prompt, self._settings.max_reply_tokens), price)
        with self._pace.turn():
            passed = self._budget.hold(most)
            if passed is not None:
                return Unanswered("budget", passed)
            spent, began = _NOTHING, time.monotonic()
            try:
                heard = self._opened().send(call, lambda size: self._count(received=size))
                if isinstance(heard, Unanswered):
                    return heard
                heard = _counted(heard, prompt)
                tokens = heard.usage or Tokens()
                spent = cost_of(tokens, price)
                self._ledger.called(question.step, tokens, time.monotonic() - began)
                return heard
            except AgainError as error:
                spent = most if error.charged else _NOTHING
                self._ledger.failed(question.step, time.monotonic() - began)
                if error.limited:
                    self._pace.pause(min(error.wait_s or 0.0, self._settings.longest_wait_s))
                raise
            finally:
                self._budget.settle(most, spent)

    def _opened(self) -> "Wire":
        """The SDK takes a second to load: a build whose replies are all kept does without."""
        with self._lock:
            if self._wire is None:
                from reproducegym.adapters.llm.wire import Wire

                self._wire = Wire(self._endpoint, self._settings, self._tell)
            return self._wire

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """What the endpoint asks for, else twice as long each time.

        Raises:
            ModelUnavailableError: it asks for more than we wait.
        """
        error, longest = _again(state), self._settings.longest_wait_s
        if error.wait_s is not None and error.wait_s > longest:
            raise ModelUnavailableError(
                f"{self._endpoint.host} {error}; it asks to wait {error.wait_s:.0f} s, and llm.longest_wait_s is "
                f"{longest:.0f}; try again then"
            )
        doubled = self._settings.first_wait_s * 2.0 ** (state.attempt_number - 1)
        return min(doubled, longest) if error.wait_s is None else error.wait_s

    def _tell_wait(self, state: tenacity.RetryCallState) -> None:
        self._tell(f"{self._endpoint.host} {_again(state)}; trying again in {state.upcoming_sleep:.1f} s")

    def _give_up(self, state: tenacity.RetryCallState) -> NoReturn:
        raise ModelUnavailableError(
            f"{self._endpoint.host} {_again(state)}, {state.attempt_number} times; try again later, or check "
            f"OPENAI_BASE_URL in {self._endpoint.source}"
        )

    def _pause(self, seconds: float) -> None:
        """Sleep, unless another call has failed for good meanwhile."""
        if self._stopped.wait(seconds):
            raise ModelUnavailableError(f"{self._endpoint.host} is not asked again: another call failed for good")

    def _note(self, step: Step, answered: Unanswered) -> None:
        """Count a question without an answer; the first of its kind is told."""
        self._ledger.unanswered(step)
        with self._lock:
            first = (step, answered.reason) not in self._noted
            self._noted.add((step, answered.reason))
        if first:
            self._tell(f"{step}: a question stays unanswered ({answered.reason}): {answered.detail}")

    def _only(self, key: str) -> threading.Lock:
        with self._lock:
            return self._asking.setdefault(key, threading.Lock())

    def _count(self, *, put: int = 0, done: int = 0, received: int = 0) -> None:
        with self._lock:
            self._put, self._done, self._received = self._put + put, self._done + done, self._received + received
            self._progress(Progress(self._put, self._done, self._received))


@dataclass(frozen=True)
class _Conversation:
    """What stays the same over the tries of one question."""

    model: str
    schema: Mapping[str, JsonValue]
    name: str
    key: str


def _counted(heard: Heard, prompt: int) -> Heard:
    """The reply with tokens; where the endpoint did not count them, with as many as there can be."""
    if heard.usage is not None:
        return heard
    said = len(heard.text.encode()) + len(heard.refusal.encode())
    return Heard(heard.text, heard.refusal, heard.finish, Tokens(prompt, said, estimated=True))


def _again(state: tenacity.RetryCallState) -> AgainError:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, AgainError) else AgainError("failed")


def _line(faults: str) -> str:
    return "; ".join(line.removeprefix("- ") for line in faults.splitlines())
