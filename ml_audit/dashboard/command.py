"""`ml-audit serve`: its flags, and the server."""

import argparse
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ml_audit.dashboard.faults import MisuseError, PlaceTakenError
from ml_audit.sources import add_options, github_source

__all__ = ["serve"]

TOKEN_NAME = "ML_AUDIT_SERVE_TOKEN"  # noqa: S105 -- the name of a variable
_SHORTEST_TOKEN = 16
_EPILOG = f"""\
Audits need the token in {TOKEN_NAME} (environment), if it is set, and it must be where other machines reach the
dashboard. Everybody who reaches it sees all reports.

example: ml-audit serve --root ~/code
exit codes: 2 called wrongly, 14 the history cannot be used, 15 the host and port cannot be taken
"""


def serve(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Serve until Ctrl-C. Returns the exit code.

    Raises:
        SourceError: the flags of GitHub, or its token, cannot be.
        DashboardError: it cannot start.
    """
    told = _parser().parse_args(arguments)
    try:
        import uvicorn

        from ml_audit.dashboard.application import application
    except ImportError as error:
        if error.name not in ("fastapi", "uvicorn"):
            raise
        raise MisuseError(f"serve needs {error.name}: pip install 'reproducegym[dashboard]'") from None
    from ml_audit.dashboard.auditing import Auditor
    from ml_audit.dashboard.doors import Door, is_loopback
    from ml_audit.dashboard.grounds import Grounds, labelled
    from ml_audit.dashboard.history import History

    token = environ.get(TOKEN_NAME, "").strip() or None
    alone = is_loopback(told.host)
    if token is None and not alone:
        raise MisuseError(f"--host {told.host}: other machines reach it, so set a token for audits in {TOKEN_NAME}")
    if token is not None and (len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise MisuseError(f"{TOKEN_NAME}: a token has {_SHORTEST_TOKEN} or more printable ASCII characters")
    grounds = Grounds(labelled(told.root), lambda named: github_source(named, told, environ))
    github_source("owner/name", told, environ)  # the flags and the token are looked at now, not at the first audit
    history = History(told.history or _history_place(environ))
    history.prepare()
    door = Door(frozenset({"localhost", told.host.lower(), *(name.lower() for name in told.name)}), token)
    place = _listening(told.host, told.port)
    app = application(Auditor(grounds, history), door, suggest=alone)
    shown = f"[{told.host}]" if ":" in told.host else told.host
    sys.stdout.write(f"dashboard: http://{shown}:{place.getsockname()[1]}  (history {history.path}; Ctrl-C ends it)\n")
    sys.stdout.flush()
    config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, proxy_headers=False)
    try:
        uvicorn.Server(config).run(sockets=[place])
    except KeyboardInterrupt:
        return 0
    finally:
        place.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ml-audit serve",
        description="A dashboard: audits repositories, keeps every report, and shows how scores move.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--root",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="directories below it may be audited; may be given again",
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine alone)")
    parser.add_argument("--port", type=int, default=8321, help="the port to listen on (8321); 0 takes a free one")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a name by which browsers ask for it"
    )
    parser.add_argument(
        "--history", type=Path, metavar="FILE", help="the SQLite file (~/.local/share/ml-audit/history.sqlite3)"
    )
    add_options(parser)
    return parser


def _history_place(environ: Mapping[str, str]) -> Path:
    home = environ.get("XDG_DATA_HOME") or (environ.get("HOME") and str(Path(environ["HOME"]) / ".local" / "share"))
    if not home:
        raise MisuseError("HOME is not set; name a file for the history: --history FILE")
    return Path(home) / "ml-audit" / "history.sqlite3"


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens, or one clear reason why none can."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        place = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, OverflowError, UnicodeError):
        raise PlaceTakenError(f"--host {host} --port {port}: no address to listen on") from None
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind((host, port))
        place.listen(128)
    except (OSError, OverflowError) as error:
        place.close()
        reason = error.strerror if isinstance(error, OSError) else "no port"
        raise PlaceTakenError(
            f"--host {host} --port {port}: {(reason or 'refused').lower()}; choose another --port"
        ) from None
    return place
