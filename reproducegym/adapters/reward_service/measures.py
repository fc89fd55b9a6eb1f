"""What the service counts, as Prometheus reads it."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from reproducegym.adapters.reward_service.wire import Scored

__all__ = ["Measures"]

_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200)


class Measures:
    """Counters of one service, apart from those of other libraries in the process."""

    def __init__(self) -> None:
        """All at zero."""
        self._registry = CollectorRegistry()
        self._verified = Counter(
            "reproducegym_verifications",
            "Verifications that ended, by failure kind (none, agent, infra, verifier) and evidence level.",
            ["failure_kind", "evidence_level"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "reproducegym_verification_seconds",
            "Wall seconds of one verification.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._requests = Counter(
            "reproducegym_submissions",
            "Submissions that came, by what became of them.",
            ["outcome"],
            registry=self._registry,
        )

    def show(self, name: str, what: str, now: Callable[[], float]) -> None:
        """Add a gauge that is asked whenever it is read."""
        Gauge(f"reproducegym_{name}", what, registry=self._registry).set_function(now)

    def verified(self, scored: Scored, seconds: float) -> None:
        """A verification ended."""
        self._verified.labels(scored.failure_kind or "none", scored.evidence_level).inc()
        self._seconds.observe(seconds)

    def submitted(self, outcome: str) -> None:
        """A submission was taken (`new`, `repeated`) or refused (its code)."""
        self._requests.labels(outcome).inc()

    def text(self) -> bytes:
        """Everything in Prometheus' text form."""
        return generate_latest(self._registry)
