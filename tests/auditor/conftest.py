"""A server of classic episodes on loopback, shared by the tests of this room."""

import threading
import time
from collections.abc import Iterator

import pytest
from playing import CAPACITY

import reproducegym.adapters.auditor_server  # noqa: F401 - before OpenEnv, whose web interface no test needs


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address; it runs in a thread of this process."""
    pytest.importorskip("openenv", reason="the extra `openenv` is not installed")
    import uvicorn

    from reproducegym.adapters.auditor_server.app import MAX_BODY_BYTES, auditor_app
    from reproducegym.adapters.auditor_server.episodes import Episodes, Limits
    from reproducegym.families.auditor.classic.drawing import Classic

    limits = Limits(capacity=CAPACITY)
    episodes = Episodes(tmp_path_factory.mktemp("served") / "episodes.sqlite", Classic(), limits)
    app = auditor_app(Classic(), episodes, limits)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws_max_size=MAX_BODY_BYTES))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()
    episodes.close()
