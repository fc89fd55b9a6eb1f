"""A sandbox whose commands have something more at hand: variables, and a relay to a socket of its door."""

from collections.abc import Callable, Iterable, Mapping

from reproducegym.ports import CopyLimits, Door, ExecOutcome, Files, SandboxBox

__all__ = ["BoxAtHand"]


class BoxAtHand:
    """The same sandbox; what a command says of its own environment goes before `env`, and `before` before its words."""

    def __init__(self, box: SandboxBox, env: Mapping[str, str], before: tuple[str, ...] = ()) -> None:
        self.door: Door | None = box.door
        self._box, self._env, self._before = box, env, before

    def put(self, files: Files, *, executable: Iterable[str] = (), directories: Iterable[str] = ()) -> None:
        """As the sandbox does."""
        self._box.put(files, executable=executable, directories=directories)

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
        """As the sandbox does, with what is at hand."""
        return self._box.exec(
            [*self._before, *argv],
            cwd=cwd,
            env={**self._env, **(env or {})},
            timeout_s=timeout_s,
            output_bytes=output_bytes,
            on_output=on_output,
        )

    def stop_processes(self) -> None:
        """As the sandbox does."""
        self._box.stop_processes()

    def get(self, path: str, limits: CopyLimits) -> Files:
        """As the sandbox does."""
        return self._box.get(path, limits)
