"""The server itself: `/v1/models` and `/v1/chat/completions` on loopback, one thread a connection."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from model_server.asked import Asked, BadRequest, read_request
from model_server.replies import Answer, Broken, Bytes, Hang, Refusal, Reply, Stall, Status, echo_of_secrets

KEY = "test-key-8d1f4c7e92b6a035"
_LONGEST_STALL_S = 60.0
Script = Callable[[Asked], Reply]


def _silent(asked: Asked) -> Reply:
    raise AssertionError(f"no script was set for request {asked.number}")


class ModelServer:
    """What a test sees: set `script`, ask through `base_url` with `KEY`, then look at `requests`.

    `unknown` are request fields, or types of `response_format`, that this endpoint does not know (it answers 400);
    `echo` makes every answer an error with this status that tells the caller's headers. `most_at_once` is the largest
    number of requests that were ever in work together.
    """

    def __init__(self, *models: str) -> None:
        self.models = models or ("small-model", "large-model")
        self.script: Script = _silent
        self.unknown: set[str] = set()
        self.echo: int | None = None
        self.requests: list[Asked] = []
        self.refused: list[str] = []
        self.hits = 0
        self.most_at_once = 0
        self.ended = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """End everything, stalled streams too; the port is closed after it."""
        self.ended.set()
        self._http.shutdown()
        self._http.server_close()

    def take(self, headers: Mapping[str, str], raw: bytes) -> Reply:
        """What becomes of one request to the chat API."""
        with self._lock:
            self.hits += 1
            number = self.hits
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self.echo is not None:
                return echo_of_secrets(self.echo, headers)
            if headers.get("authorization") != f"Bearer {KEY}":
                told = headers.get("authorization", "").removeprefix("Bearer ")
                told = f"Incorrect API key provided: {told[:7]}****{told[-4:]}."
                return Status(401, told, "invalid_request_error", "invalid_api_key")
            asked = read_request(number, headers, json.loads(raw), self.models, self.unknown)
            with self._lock:
                self.requests.append(asked)
            reply = self.script(asked)
            if isinstance(reply, Answer) and reply.wait_s:
                self.ended.wait(reply.wait_s)
            return reply
        except BadRequest as refused:
            self.refused.append(refused.message)
            code = 404 if refused.code == "model_not_found" else 400
            return Status(code, refused.message, "invalid_request_error", refused.code, refused.param)
        except Exception as error:  # noqa: BLE001 - a script that fails must fail the test, not hang it
            self.refused.append(f"the script failed: {error!r}")
            return Status(400, f"the script of the test failed: {error!r}", "script_error")
        finally:
            with self._lock:
                self._at_once -= 1


@contextlib.contextmanager
def serving(*models: str) -> Iterator[ModelServer]:
    """A running server, gone when the context is left."""
    server = ModelServer(*models)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: tests read stderr."""

        def do_GET(self) -> None:
            if self.path == "/v1/models":
                listed = [{"id": one, "object": "model", "created": 0, "owned_by": "tests"} for one in server.models]
                self._json(200, {"object": "list", "data": listed}, {})
            else:
                self._json(404, {"error": {"message": f"no route {self.path}"}}, {})

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if self.path != "/v1/chat/completions":
                self._json(404, {"error": {"message": f"no route {self.path}"}}, {})
                return
            streamed = b'"stream":true' in raw.replace(b" ", b"")
            with contextlib.suppress(ConnectionError):  # the caller gave up, as some tests want
                headers = {name.lower(): value for name, value in self.headers.items()}
                self._answer(server.take(headers, raw), streamed=streamed)

        def _answer(self, reply: Reply, *, streamed: bool) -> None:
            match reply:
                case Status():
                    error = {
                        "message": reply.message,
                        "type": reply.kind,
                        "param": reply.param,
                        "code": reply.error_code,
                    }
                    self._json(reply.code, {"error": error}, reply.headers, reply.body)
                case Hang():
                    server.ended.wait(_LONGEST_STALL_S)
                    self.close_connection = True
                case Bytes():
                    self._head(200, reply.content_type, {"Content-Length": str(len(reply.body))})
                    self.wfile.write(reply.body)
                case Answer() | Refusal() if not streamed:
                    self._json(200, _completion(reply), {})
                case _:
                    self._stream(reply)

        def _stream(self, reply: Reply) -> None:
            """Server-sent events in chunks; what breaks off has no last chunk."""
            self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
            match reply:
                case Answer():
                    size = max(1, -(-len(reply.text) // reply.pieces))
                    for start in range(0, len(reply.text), size):
                        self._event({"content": reply.text[start : start + size]})
                    self._end(reply.finish, reply.usage)
                case Refusal():
                    self._event({"refusal": reply.text})
                    self._end("stop", reply.usage)
                case Stall():
                    self._event({"content": reply.text})
                    ends = time.monotonic() + _LONGEST_STALL_S
                    while reply.comments and not server.ended.wait(0.02) and time.monotonic() < ends:
                        self._chunk(b": still here\n\n")
                    server.ended.wait(_LONGEST_STALL_S)
                    self.close_connection = True
                case Broken():
                    self._event({"content": reply.text})
                    self.close_connection = True

        def _end(self, finish: str, usage: tuple[int, int] | None) -> None:
            self._event({}, finish=finish)
            if usage is not None:
                self._send({**_HEAD, "choices": [], "usage": _usage(usage)})
            self._chunk(b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _event(self, delta: Mapping[str, str], finish: str | None = None) -> None:
            self._send({**_HEAD, "choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}]})

        def _send(self, value: Mapping[str, object]) -> None:
            self._chunk(f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode())

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _json(self, code: int, value: object, headers: Mapping[str, str], body: bytes | None = None) -> None:
            data = json.dumps(value).encode() if body is None else body
            self._head(code, "application/json", {**headers, "Content-Length": str(len(data))})
            self.wfile.write(data)

        def _head(self, code: int, kind: str, headers: Mapping[str, str]) -> None:
            self.send_response(code)
            self.send_header("Content-Type", kind)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

    return Handler


_HEAD = {"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 0, "model": "small-model"}


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    prompt, completion = usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _completion(reply: Answer | Refusal) -> dict[str, object]:
    text = (
        {"content": reply.text, "refusal": None}
        if isinstance(reply, Answer)
        else {"content": None, "refusal": reply.text}
    )
    finish = reply.finish if isinstance(reply, Answer) else "stop"
    choice = {"index": 0, "message": {"role": "assistant", **text}, "finish_reason": finish, "logprobs": None}
    head = {**_HEAD, "object": "chat.completion", "choices": [choice]}
    return head if reply.usage is None else {**head, "usage": _usage(reply.usage)}
