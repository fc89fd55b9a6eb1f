"""Runs inside a sandbox: listens on loopback, carries every connection to the door's socket, and runs one command.

It is run as a file by the sandbox's own Python alone: relay.py NAME PORT -- COMMAND...
It ends with the command, as the command ended. What passes is bytes: who may say what is decided behind the door.
"""

import asyncio
import contextlib
import signal
import sys
from pathlib import Path

__all__: list[str] = []

_CHUNK = 65536
_NOT_FOUND, _NOT_RUN = 127, 126


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Bytes of one direction until it ends; then the other side is told so."""
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


async def _pass_on(socket: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.closing(writer):
        try:
            inner, outer = await asyncio.open_unix_connection(socket)
        except OSError as error:
            sys.stderr.write(f"relay: the door does not open: {error.strerror}\n")
            return
        with contextlib.closing(outer):
            await asyncio.gather(_carry(reader, outer), _carry(inner, writer))


async def _main(socket: str, port: int, command: list[str]) -> int:
    # Commands that run at the same time in one box have a relay each, on the same port.
    server = await asyncio.start_server(lambda r, w: _pass_on(socket, r, w), "127.0.0.1", port, reuse_port=True)
    async with server:
        try:
            process = await asyncio.create_subprocess_exec(*command)
        except FileNotFoundError as error:
            sys.stderr.write(f"relay: {error.filename}: {error.strerror}\n")
            return _NOT_FOUND
        except OSError as error:
            sys.stderr.write(f"relay: {error.filename}: {error.strerror}\n")
            return _NOT_RUN
        for told in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(told, process.send_signal, told)
        code = await process.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    cut = sys.argv.index("--")
    sys.exit(asyncio.run(_main(str(Path(__file__).with_name(sys.argv[1])), int(sys.argv[2]), sys.argv[cut + 1 :])))
