"""`python -m agent_trace`: a gateway for one run, until it is interrupted or its standard input ends."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

from agent_trace.gateway import Loopback, Settings, SettingsError, UnixSocket, serving, upstream_from
from agent_trace.gateway.settings import Upstream, Vendor

__all__ = ["main"]


def main() -> int:
    """Listen, print the address and the run's token as one line of JSON, and serve."""
    parser = argparse.ArgumentParser(prog="python -m agent_trace", description=__doc__)
    parser.add_argument("--records", type=Path, required=True, metavar="DIR", help="where the run's records go")
    parser.add_argument("--run", default="run", help="its name in the records")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--unix", type=Path, metavar="PATH", help="listen on this unix socket")
    place.add_argument(
        "--port", type=int, default=0, help="listen on this loopback port; 0, the default, takes a free one"
    )
    for vendor in ("openai", "anthropic"):
        parser.add_argument(
            f"--{vendor}",
            nargs=2,
            metavar=("BASE_URL", "VARIABLE"),
            help="the endpoint in place of /v1, and the environment variable that holds its key",
        )
    told = parser.parse_args()
    sys.setswitchinterval(0.001)  # a record being put together holds no stream up for longer
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        settings = Settings(_upstreams(told))
        with serving(settings) as gateway:
            run = gateway.admit(told.run, told.records)
            address = gateway.listen(Loopback(told.port) if told.unix is None else UnixSocket(told.unix))
            sys.stdout.write(json.dumps({"address": address, "token": run.token}) + "\n")
            sys.stdout.flush()
            sys.stdin.read()
    except KeyboardInterrupt:
        return 0
    except (SettingsError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _upstreams(told: argparse.Namespace) -> dict[Vendor, Upstream]:
    found: dict[Vendor, Upstream] = {}
    vendors: tuple[Vendor, ...] = ("openai", "anthropic")
    for vendor in vendors:
        if (pair := getattr(told, vendor)) is not None:
            found[vendor] = upstream_from(pair[0], pair[1], os.environ)
    if not found:
        raise SettingsError("name at least one endpoint with --openai or --anthropic")
    return found


if __name__ == "__main__":
    raise SystemExit(main())
