"""Loaded by each Python of a project's run before its code: changes circumstances, and tells the process's last state.

Directories are listed by a checksum of names, upwards or downwards, and the clock is shifted; a project that sorts, and
asks no clock, sees no difference. The state goes to a descriptor of the program that started the run (begin.py).
Nothing here is a wall: code that undoes it still runs at another moment, and in directories made in another order.
"""

import atexit
import datetime
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from os import environ
from types import ModuleType
from typing import Self, TypeVar

__all__ = ["begin"]

_PERTURBED = "REPRODUCEGYM_PERTURBED"
_STATE = "REPRODUCEGYM_STATE"
T = TypeVar("T")

_WATCHED = ("random", "numpy", "scipy", "sklearn", "torch")


def begin() -> None:
    """Change the circumstances as the environment says, and promise to tell the state where that is asked for."""
    told = environ.get(_PERTURBED)
    if told is None:
        return
    downwards, seconds = told.split(",")
    _shuffle(downwards=downwards == "1")
    _shift(float(seconds))
    state = environ.pop(_STATE, None)
    if state is not None:
        _tell_at_the_end(*(int(one) for one in state.split(",")))


def _put(module: ModuleType, **names: object) -> None:
    for name, value in names.items():
        setattr(module, name, value)


def _shuffle(*, downwards: bool) -> None:
    """List directories in another order than they have."""
    listdir, scandir = os.listdir, os.scandir

    def rank(name: str) -> tuple[int, bytes]:
        plain = os.fsencode(name)
        return zlib.crc32(plain), plain

    def listed(path: str | None = None) -> list[str]:
        return sorted(listdir(path), key=rank, reverse=downwards)

    class Scanned:
        """What os.scandir returns, in another order."""

        def __init__(self, path: str | None = None) -> None:
            with scandir(path) as entries:
                self._entries = iter(sorted(entries, key=lambda entry: rank(entry.name), reverse=downwards))

        def __iter__(self) -> "Iterator[os.DirEntry[str]]":
            return self

        def __next__(self) -> "os.DirEntry[str]":
            return next(self._entries)

        def __enter__(self) -> "Scanned":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def close(self) -> None:
            """Give no more."""
            self._entries = iter(())

    _put(os, listdir=listed, scandir=Scanned)


class _Clock:
    """The clock of the wall, `ahead` seconds later than it is."""

    ahead = 0.0
    true, true_ns = time.time, time.time_ns
    read, read_ns = time.clock_gettime, time.clock_gettime_ns
    of_the_wall = (time.CLOCK_REALTIME, time.CLOCK_TAI)
    local, written = time.localtime, time.strftime

    @classmethod
    def seconds(cls) -> float:
        """time.time"""
        return cls.true() + cls.ahead

    @classmethod
    def nanoseconds(cls) -> int:
        """time.time_ns"""
        return cls.true_ns() + int(cls.ahead * 1e9)

    @classmethod
    def gettime(cls, clock: int) -> float:
        """time.clock_gettime"""
        return cls.read(clock) + (cls.ahead if clock in cls.of_the_wall else 0.0)

    @classmethod
    def gettime_ns(cls, clock: int) -> int:
        """time.clock_gettime_ns"""
        return cls.read_ns(clock) + (int(cls.ahead * 1e9) if clock in cls.of_the_wall else 0)

    @classmethod
    def strftime(cls, form: str, moment: "time.struct_time | None" = None) -> str:
        """time.strftime"""
        return cls.written(form, cls.local(cls.seconds()) if moment is None else moment)


class _Like(type):
    """Classes that stand in for their first base, instances of which count as theirs."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, cls.__bases__[0])


class _Moment(datetime.datetime, metaclass=_Like):
    """datetime.datetime by the shifted clock."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Self:
        """The shifted moment."""
        return cls.fromtimestamp(_Clock.seconds(), tz)

    @classmethod
    def utcnow(cls) -> Self:
        """The shifted moment in UTC, without a zone."""
        return cls.fromtimestamp(_Clock.seconds(), datetime.UTC).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Self:
        """The shifted moment."""
        return cls.fromtimestamp(_Clock.seconds())


class _Day(datetime.date, metaclass=_Like):
    """datetime.date by the shifted clock."""

    @classmethod
    def today(cls) -> Self:
        """The shifted day."""
        return cls.fromtimestamp(_Clock.seconds())


def _shift(seconds: float) -> None:
    """Let the clock of the wall be that much later."""
    _Clock.ahead = seconds

    def at(read: Callable[[float], T]) -> Callable[[float | None], T]:
        def reads(moment: float | None = None) -> T:
            return read(_Clock.seconds() if moment is None else moment)

        return reads

    local, greenwich, written = at(time.localtime), at(time.gmtime), at(time.ctime)
    _put(time, time=_Clock.seconds, time_ns=_Clock.nanoseconds, strftime=_Clock.strftime)
    _put(time, clock_gettime=_Clock.gettime, clock_gettime_ns=_Clock.gettime_ns)
    _put(time, localtime=local, gmtime=greenwich, ctime=written)
    for ours, name in ((_Moment, "datetime"), (_Day, "date")):
        _put_names(ours, name)
    _put(datetime, datetime=_Moment, date=_Day)


def _put_names(ours: type, name: str) -> None:
    """Let a class be found under the name of what it stands in for, as when it is pickled."""
    ours.__module__, ours.__name__, ours.__qualname__ = "datetime", name, name


def _tell_at_the_end(descriptor: int, marked: int) -> None:
    """When this process ends, write `MARK STATE` to the descriptor, the state as one line of JSON.

    The mark comes from another descriptor, once: a line without it is not believed. Processes that this one becomes or
    begins tell nothing.
    """
    mark = os.read(marked, 64).decode()
    os.close(marked)
    os.set_inheritable(descriptor, False)
    pid = os.getpid()
    before = dict(environ)
    state: dict[str, str] = {}
    noted: dict[str, dict[str, str]] = {}
    write, identify, dump = os.write, os.getpid, json.dumps

    class Watch:
        """Notes the environment when a library is first looked for."""

        @staticmethod
        def find_spec(
            name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
        ) -> ModuleSpec | None:
            """Nothing: the search goes on."""
            if name in _WATCHED:
                noted[name] = _changed(before)
            return None

    def tell() -> None:
        if identify() == pid:
            for name in [name for name in noted if name in sys.modules]:  # others were looked for and never used
                state.update({f"environ.{name}.{key}": value for key, value in noted[name].items()})
            state.update({f"environ.end.{key}": value for key, value in _changed(before).items()})
            state.update(_generators())
            state.update(_flags())
            write(descriptor, f"{mark} {dump(state, sort_keys=True)}\n".encode())

    sys.meta_path.insert(0, Watch)
    atexit.register(tell)


def _changed(before: dict[str, str]) -> dict[str, str]:
    return {key: value[:200] for key, value in environ.items() if before.get(key) != value}


def _generators() -> dict[str, str]:
    """Digests of the states of the generators that a whole process shares."""
    found: dict[str, str] = {}
    for name, read in (("random", "getstate"), ("numpy.random", "get_state"), ("torch", "get_rng_state")):
        module = sys.modules.get(name)
        if module is not None:
            found[f"generator.{name}"] = hashlib.sha256(repr(_plain(getattr(module, read)())).encode()).hexdigest()[:16]
    return found


def _plain(value: object) -> object:
    """A generator's state as numbers: arrays and tensors print themselves shortened."""
    if isinstance(value, tuple):
        return tuple(_plain(one) for one in value)
    numbers = getattr(value, "tolist", None)
    return value if numbers is None else numbers()


def _flags() -> dict[str, str]:
    """What is set for the whole process."""
    found: dict[str, str] = {}
    if (module := sys.modules.get("multiprocessing")) is not None:
        found["multiprocessing.start_method"] = str(module.get_start_method(allow_none=True))
    if (torch := sys.modules.get("torch")) is None:
        return found
    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    told = {
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "cudnn.deterministic": cudnn.deterministic,
        "cudnn.benchmark": cudnn.benchmark,
        "cudnn.allow_tf32": cudnn.allow_tf32,
        "matmul.allow_tf32": matmul.allow_tf32,
        "matmul_precision": torch.get_float32_matmul_precision(),
        "threads": torch.get_num_threads(),
        "default_dtype": torch.get_default_dtype(),
        "fill_uninitialized_memory": torch.utils.deterministic.fill_uninitialized_memory,
    }
    return found | {f"torch.{name}": str(value) for name, value in told.items()}


begin()
