"""Threads that verify what waits: a fault of ours is tried again and never recorded as a reward."""

import contextlib
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from reproducegym.adapters.reward_service.ledger import Job, Ledger
from reproducegym.adapters.reward_service.measures import Measures
from reproducegym.adapters.reward_service.wire import Details, Scored
from reproducegym.errors import ReproduceGymError, StorageError

__all__ = ["Scorer", "Trying", "Workers"]

Scorer = Callable[[Job, bytes], Scored]
"""Verifies a submission (a tar) at a job's task, in fresh sandboxes."""

_LOOK_S = 0.2
_HEAL_S = 1.0
_KEEP_S = 1.0
_TIDY_S = 3600.0


@dataclass(frozen=True)
class Trying:
    """How many verifications at once, how often one is tried, and how long it waits before the next try, at first.

    What is done is forgotten, with its key, after `kept_s`.
    """

    at_once: int
    tries: int = 3
    wait_s: float = 5.0
    kept_s: float = 7 * 86_400.0


class Workers:
    """Verifies until it is told to stop."""

    def __init__(
        self,
        ledger: Ledger,
        scorer: Scorer,
        trying: Trying,
        measures: Measures,
        engine: Callable[[], bool],
        ended: Callable[[str], None],
    ) -> None:
        """`engine` tells whether sandboxes can be made; `ended` hears of each verification that is done."""
        self._ledger, self._scorer, self._trying, self._measures = ledger, scorer, trying, measures
        self._engine, self._ended = engine, ended
        self._stopping, self._come = threading.Event(), threading.Event()
        self.engine_works = True
        self._threads = [
            threading.Thread(target=self._work, name=f"verifying-{number}", daemon=True)
            for number in range(trying.at_once)
        ]
        self._healer = threading.Thread(target=self._heal, name="engine", daemon=True)

    def start(self) -> None:
        """Begin."""
        for thread in (*self._threads, self._healer):
            thread.start()

    def wake(self) -> None:
        """Something came into the queue."""
        self._come.set()

    def stop(self, patience_s: float) -> bool:
        """Begin nothing more, and wait for what is being made; false where something was not done in time.

        What was not done stands in the queue again when the service starts next.
        """
        self._stopping.set()
        self._come.set()
        end = time.monotonic() + patience_s
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while not self._stopping.is_set():
            taken = None
            with contextlib.suppress(StorageError):  # the healer tries it until it can be used
                taken = self._ledger.take() if self.engine_works else None
            if taken is None:
                self._come.wait(_LOOK_S)
                self._come.clear()
                continue
            self._come.set()  # there may be more for the others
            self._make(*taken)

    def _make(self, job: Job, submission: bytes) -> None:
        began = time.monotonic()
        try:
            scored = self._scorer(job, submission)
        except SystemExit:  # a signal is ending the program: what its sandboxes did is nobody's reward
            with contextlib.suppress(StorageError):  # it is still `running` there: the next service puts it back
                self._ledger.put_back(job.id, 0.0, counted=False)
            return
        except ReproduceGymError as error:
            scored = _fault("infra", f"{type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001 - a defect of ours ends a verification, never the service
            scored = _fault("verifier", f"{type(error).__name__}: {error}")
        self._measures.verified(scored, time.monotonic() - began)
        if scored.failure_kind == "infra" and not self._engine():
            self.engine_works = False
        if scored.reward is None and job.tries < self._trying.tries:
            self._keep(lambda: self._ledger.put_back(job.id, self._trying.wait_s * 2 ** (job.tries - 1)))
            return
        self._keep(lambda: self._ledger.end(job.id, scored))
        self._ended(job.id)

    def _keep(self, write: Callable[[], None]) -> None:
        """Write to the queue, again while its disk takes nothing; a service that ends first makes it anew."""
        while True:
            try:
                return write()
            except StorageError:
                if self._stopping.wait(_KEEP_S):
                    return None

    def _heal(self) -> None:
        """While the engine is away, or the queue's disk, nothing is begun; as soon as it is back, all goes on.

        Once an hour what is old is forgotten.
        """
        tidied = -math.inf
        while not self._stopping.wait(_HEAL_S):
            if time.monotonic() - tidied >= _TIDY_S:
                tidied = time.monotonic()
                with contextlib.suppress(StorageError):
                    self._ledger.forget(self._trying.kept_s)
            if not self._ledger.works:
                with contextlib.suppress(StorageError):
                    self._ledger.try_again()
            if not self.engine_works and self._engine():
                self.engine_works = True
                self._come.set()


def _fault(kind: str, detail: str) -> Scored:
    told = Details(failure_detail=detail, evidence_detail="", problems=(), probes=())
    return Scored(
        reward=None,
        failure_kind="infra" if kind == "infra" else "verifier",
        evidence_level="artifact",
        details=told,
    )
