"""The runs that may pass, each by a token of its own; tokens live in memory only."""

import hashlib
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable
from pathlib import Path

from agent_trace.gateway.policy import Policy
from agent_trace.gateway.settings import Settings
from agent_trace.gateway.spending import Budget, Limit, Spent
from agent_trace.journal import Journal
from agent_trace.redact import Redactor

__all__ = ["Run", "Runs"]

_REMEMBERED = 1024
_ROUTES_SHOWN = 50


class Run:
    """One run: where its records go, what has to be kept out of them, and what it has done so far.

    `counts` has `forwarded`, `recorded`, `unrecorded` (the disk refused), `refused` and `over_budget`; `refused_routes`
    the first routes that were asked for in vain; `under_way` how many exchanges are not recorded yet. `key_redactor`
    knows the real keys only, for what the client itself gets. `policy` says what it may ask for (null: everything).
    `spent` is what its completions took. `last_status` is of
    the last exchange that ended, and `endpoint_failing` says that it failed by the endpoint's doing or for its limits.
    """

    def __init__(
        self,
        name: str,
        token: str,
        journal: Journal,
        redactor: Redactor,
        key_redactor: Redactor,
        budget: Budget | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.name, self.journal, self.redactor, self.key_redactor = name, journal, redactor, key_redactor
        self.spent = Spent()
        self._budget = budget or Budget()
        self.policy = policy
        self.counts: Counter[str] = Counter()
        self.refused_routes: Counter[str] = Counter()
        self.under_way = 0
        self.last_status: int | None = None
        self.endpoint_failing = False
        self._token = token
        self._began = 0
        self._failed: OrderedDict[bytes, int] = OrderedDict()

    @property
    def token(self) -> str:
        """What the client sends for a key."""
        return self._token

    def __repr__(self) -> str:
        return f"Run({self.name!r})"

    def over(self) -> Limit | None:
        """Which part of its budget is used up, null while none is."""
        return self.spent.over(self._budget)

    def may_be_over(self) -> bool:
        """Whether its budget may be used up once what is under way is counted."""
        return self.under_way > 0 and self.spent.over_after(self.under_way, self._budget) is not None

    def next_sequence(self) -> int:
        """The number of the request that begins now."""
        self._began += 1
        return self._began

    def refuse(self, method: str, path: str, why: str = "") -> None:
        """Count a request that found no way."""
        self.counts["refused"] += 1
        route = self.redactor.text(f"{method} {path[:200]}{': ' if why else ''}{why}")
        if route in self.refused_routes or len(self.refused_routes) < _ROUTES_SHOWN:
            self.refused_routes[route] += 1

    def failures_before(self, digest: bytes) -> int:
        """How often the same request failed since it last succeeded."""
        return self._failed.get(digest, 0)

    def note(self, digest: bytes, *, failed: bool) -> None:
        """Remember how a request ended, for its next attempt."""
        count = self._failed.pop(digest, 0)
        if failed:
            self._failed[digest] = count + 1
        while len(self._failed) > _REMEMBERED:
            self._failed.popitem(last=False)


class Runs:
    """All runs that may pass now."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_digest: dict[bytes, Run] = {}
        self.unknown = 0

    def admit(
        self,
        name: str,
        directory: Path,
        extra: Iterable[tuple[str, str]] = (),
        budget: Budget | None = None,
        policy: Policy | None = None,
    ) -> Run:
        """Let a run pass from now on; `extra` are its own secrets. Its token is made here and stored nowhere."""
        token = f"run-{secrets.token_urlsafe(32)}"
        keys = [("model-key", one.key) for one in self._settings.upstreams.values()]
        known = [*keys, ("run-token", token), *self._settings.secrets, *extra]
        redactor = Redactor(known, self._settings.private_hosts)
        run = Run(name, token, Journal(directory), redactor, Redactor(keys, patterns=()), budget, policy)
        self._by_digest[_digest(token)] = run
        return run

    def dismiss(self, run: Run) -> None:
        """Let it pass no more. What is under way ends as it would have."""
        self._by_digest.pop(_digest(run.token), None)

    def find(self, token: str | None) -> Run | None:
        """The run of a token."""
        run = None if token is None else self._by_digest.get(_digest(token))
        if run is None:
            self.unknown += 1
        return run


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
