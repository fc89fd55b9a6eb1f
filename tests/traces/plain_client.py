"""A client that shows the very bytes: one request over a socket of its own, nothing decoded."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass

from gateway_stage import Stage


@dataclass(frozen=True)
class Answer:
    """What came back, undecoded; `whole` is false when the connection broke in the middle."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool


def ask(
    stage: Stage,
    body: object = None,
    path: str = "/v1/chat/completions",
    *,
    method: str = "POST",
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = 60,
) -> Answer:
    """Ask the gateway; `body` is JSON, or bytes that are sent as they are."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection(stage.address.removeprefix("http://"), timeout=timeout_s)
    told = {"Content-Type": "application/json", "Authorization": f"Bearer {token or stage.run.token}"}
    connection.request(method, path, data, {**told, **(headers or {})})
    response = connection.getresponse()
    got = {name.lower(): value for name, value in response.getheaders()}
    try:
        return Answer(response.status, got, response.read(), True)
    except http.client.IncompleteRead as cut:
        return Answer(response.status, got, cut.partial, False)
    finally:
        connection.close()


def question(text: str = "hello", *, stream: bool = True, **more: object) -> dict[str, object]:
    """A chat request."""
    return {"model": "a-model", "messages": [{"role": "user", "content": text}], "stream": stream, **more}
