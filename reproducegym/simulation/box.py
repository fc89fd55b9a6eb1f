"""A sandbox that is none: files in memory and one known program in this process. No reward of it is evidence."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath
from threading import Lock

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import Availability, CopyLimits, Door, ExecOutcome, Files, SandboxBox, SandboxSpec, Standing
from reproducegym.schema.base import digest

__all__ = ["SIMULATED", "Program", "SimulatedSandbox"]

SIMULATED = "simulated"
"""What results of this sandbox say in place of a backend."""
Program = Callable[[Mapping[str, str], Callable[[str], bytes]], Files]
"""Gets its environment and a way to read files by absolute path; gives the files that it writes, by absolute path."""
_WORKSPACE = PurePosixPath("/workspace")


class SimulatedSandbox:
    """Runs `program` where a submission's `reproduce.sh` is exactly `script`, and refuses every other command.

    `faults` is the share of sandboxes that cannot be made, as if an engine failed; the run's id decides which.
    """

    name = SIMULATED

    def __init__(self, script: bytes, program: Program, faults: float = 0.0) -> None:
        self._script, self._program, self._faults = script, program, faults
        self._made = Counter[str]()
        self._lock = Lock()

    def availability(self) -> Availability:
        """It works everywhere."""
        return Availability(True, "simulated: nothing runs apart from this process, and no reward is evidence")

    def image_id(self, image: str) -> str:
        """There is one image: the program."""
        return f"simulated:{digest(self._script)[:16]}"

    def create(self, spec: SandboxSpec) -> AbstractContextManager[SandboxBox]:
        """Make a box; some fail, as `faults` says."""
        with self._lock:
            self._made[spec.run_id] += 1
            told = f"{spec.run_id} {self._made[spec.run_id]}"
        return self._box(spec, failing=int(digest(told.encode())[:8], 16) < self._faults * 2**32)

    def standing(self) -> tuple[Standing, ...]:
        """Nothing of it outlives its process."""
        return ()

    def reap(self) -> int:
        """There is nothing to remove."""
        return 0

    @contextmanager
    def _box(self, spec: SandboxSpec, *, failing: bool) -> Iterator[SandboxBox]:
        if failing:
            raise InfrastructureError("the simulated engine failed")
        yield _Box(spec, self._script, self._program)


class _Box:
    """Files of `/workspace` in memory, and the mounted ones of the host."""

    door: Door | None = None

    def __init__(self, spec: SandboxSpec, script: bytes, program: Program) -> None:
        self._spec, self._script, self._program = spec, script, program
        self._files: dict[str, bytes] = {}

    def put(self, files: Files, *, executable: Iterable[str] = (), directories: Iterable[str] = ()) -> None:
        self._files |= {str(_WORKSPACE / name): data for name, data in files.items()}

    def exec(
        self,
        argv: list[str],
        *,
        cwd: str = "/workspace",
        env: Mapping[str, str] | None = None,
        timeout_s: float,
        output_bytes: int,
        on_output: Callable[[bytes], None] | None = None,
    ) -> ExecOutcome:
        began = time.monotonic()
        output = b""
        if argv[0].endswith("bash") and self._read(argv[1]) == self._script:
            code, output = self._play({**self._spec.env, **(env or {})})
        else:
            code, output = 127, b"simulated: this sandbox runs nothing but the program that it knows\n"
        if on_output is not None:
            on_output(output)
        return ExecOutcome(code, False, False, output[:output_bytes], False, time.monotonic() - began)

    def stop_processes(self) -> None:
        """Nothing runs."""

    def get(self, path: str, limits: CopyLimits) -> Files:
        if limits.one_file:
            if path not in self._files:
                raise RefusedFileError("absent", path, "is not there")
            return {PurePosixPath(path).name: self._files[path]}
        below = f"{path.rstrip('/')}/"
        return {name.removeprefix(below): data for name, data in self._files.items() if name.startswith(below)}

    def _play(self, environ: Mapping[str, str]) -> tuple[int, bytes]:
        try:
            self._files |= self._program(environ, self._read)
        except (KeyError, ValueError, OSError) as error:
            return 1, f"{type(error).__name__}: {error}\n".encode()
        return 0, b""

    def _read(self, path: str) -> bytes:
        """A file inside by its absolute path.

        Raises:
            FileNotFoundError: there is none.
        """
        if path in self._files:
            return self._files[path]
        for inside, there in sorted(self._spec.read_only.items(), key=lambda mount: -len(mount[0])):
            if path == inside or path.startswith(f"{inside}/"):
                return Path(there, path.removeprefix(inside).lstrip("/")).read_bytes()
        raise FileNotFoundError(f"no file {path}")
