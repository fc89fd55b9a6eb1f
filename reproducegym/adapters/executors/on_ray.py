"""Runs pieces of work on a Ray cluster, or on a Ray that is started on this machine for as long as the work takes."""

import contextlib
import importlib.util
import math
import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from reproducegym.errors import InfrastructureError, MisuseError
from reproducegym.schema.config import RayConfig

if TYPE_CHECKING:
    from ray import ObjectRef

__all__ = ["RayExecutor", "on_loopback_alone"]

T = TypeVar("T")
R = TypeVar("R")

_STORE_BYTES = 100 * 2**20
_ENDING_S = 30.0
_KNOCK_S = 10.0
_OUTSIDE = ("192.0.2.1", 9)
"""An address of nobody: a datagram socket that is pointed at it sends nothing, and tells our own."""


@dataclass(frozen=True)
class RayExecutor:
    """At most `parallel` pieces in flight; each holds the resources of `config` on the node where it runs.

    `address` is that of a running cluster (`auto` for the one that this machine belongs to); None starts a Ray here.
    Work and items are pickled, and the work must bear to be begun again: what a dead worker had is given to another
    one, as often as `config.retries` says.

    Raises:
        MisuseError: Ray is not installed, or `parallel` is below 1.
    """

    parallel: int
    config: RayConfig
    address: str | None = None
    name = "ray"

    def __post_init__(self) -> None:
        if self.parallel < 1:
            raise MisuseError(f"at least one piece of work must run at once, not {self.parallel}")
        if importlib.util.find_spec("ray") is None:
            raise MisuseError("--executor ray needs Ray: pip install 'reproducegym[ray]'")

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Results in the order of items; an item is taken as soon as there is room for it."""
        ended: dict[int, R] = {}
        turn = 0
        for place, result in self.as_done(_Numbered(work), enumerate(items)):
            ended[place] = result
            while turn in ended:
                yield ended.pop(turn)
                turn += 1

    def as_done(self, work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Results as they come.

        The first error that comes is raised after what is in flight has ended. Where the caller is interrupted, what is
        in flight is asked to end, and has half a minute to remove its sandboxes.

        Raises:
            InfrastructureError: there is no such cluster, or a piece's workers died again and again.
        """
        import ray

        with self._connected():
            run = ray.remote(_run).options(
                num_cpus=self.config.cpus,
                num_gpus=self.config.gpus,
                resources=dict(self.config.resources),
                max_retries=self.config.retries,
                retry_exceptions=False,
            )
            shared = ray.put((str(Path.cwd()), work))
            flying: list[ObjectRef[R]] = []
            try:
                for item in items:
                    flying.append(run.remote(shared, item))
                    if len(flying) >= self.parallel:
                        with _failing(self.config.retries):
                            result = ray.get(_first(flying))
                        yield result
                while flying:
                    with _failing(self.config.retries):
                        result = ray.get(_first(flying))
                    yield result
            except Exception:
                _settle(flying)
                raise
            except BaseException:
                _recall(flying)
                raise

    @contextlib.contextmanager
    def _connected(self) -> Iterator[None]:
        """Be a driver of the cluster; one that was started for us is gone afterwards."""
        import ray

        if ray.is_initialized():
            yield
            return
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if self.address is not None:
                _knock(self.address)
                ray.init(address=self.address, **quiet)
            else:
                ray.init(
                    address="local",  # not the cluster that this machine may belong to
                    num_cpus=max(1, math.ceil(self.parallel * self.config.cpus)),
                    resources={name: amount * self.parallel for name, amount in self.config.resources.items()},
                    object_store_memory=_STORE_BYTES,
                    include_dashboard=False,
                    _node_ip_address="127.0.0.1",
                    **quiet,
                )
        except (OSError, RuntimeError, ValueError) as error:
            told = str(error).strip().splitlines()[0]
            raise InfrastructureError(f"Ray at {self.address or 'this machine'} does not answer: {told}") from error
        try:
            yield
        finally:
            ray.shutdown()


def _knock(address: str) -> None:
    """Nothing, when somebody listens at `host:port`; Ray itself would wait for minutes.

    Raises:
        OSError: nobody does.
    """
    host, port = _place(address)
    if port is not None:
        socket.create_connection((host, port), timeout=_KNOCK_S).close()


def on_loopback_alone(address: str) -> bool:
    """Whether a cluster answers at this loopback address, and not at the one by which others reach this machine.

    Ray takes loopback for the latter, and waits there for minutes, unless it is told before it is imported.
    """
    host, port = _place(address)
    if port is None or host not in ("127.0.0.1", "localhost"):
        return False
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as pointed:
            pointed.connect(_OUTSIDE)
            own: str = pointed.getsockname()[0]
        socket.create_connection((own, port), timeout=_KNOCK_S).close()
    except OSError:
        return True
    return False


def _place(address: str) -> tuple[str, int | None]:
    """Host and port; no port where the address has none."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    return host, int(port) if port.isdecimal() else None


@dataclass(frozen=True)
class _Numbered(Generic[T, R]):
    """Work that tells which item a result is of."""

    work: Callable[[T], R]

    def __call__(self, item: tuple[int, T]) -> tuple[int, R]:
        return item[0], self.work(item[1])


def _run(shared: "tuple[str, Callable[[T], R]]", item: T) -> R:
    """One piece, in a worker, where the driver stands: paths and `.env` mean the same there."""
    directory, work = shared
    with contextlib.suppress(FileNotFoundError):
        os.chdir(directory)
    return work(item)


def _first(flying: "list[ObjectRef[R]]") -> "ObjectRef[R]":
    """The first piece that ends; it is no longer in flight."""
    import ray

    (first, *_), _rest = ray.wait(flying, num_returns=1)
    flying.remove(first)
    return first


@contextlib.contextmanager
def _failing(retries: int) -> Iterator[None]:
    """Tell what a worker raised as if it had been raised here, and the death of workers as a failure of the engine."""
    import ray.exceptions

    try:
        yield
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        told = str(error).strip().splitlines()[0]
        raise InfrastructureError(f"a worker of Ray died {retries + 1} times: {told}") from error


def _settle(flying: "list[ObjectRef[R]]") -> None:
    """Let what is in flight end; what it makes is kept by itself."""
    import ray

    if flying:
        ray.wait(flying, num_returns=len(flying))


def _recall(flying: "list[ObjectRef[R]]") -> None:
    """Interrupt what is in flight, and wait for it to clean up."""
    import ray

    for one in flying:
        ray.cancel(one, force=False)
    if flying:
        ray.wait(flying, num_returns=len(flying), timeout=_ENDING_S)
