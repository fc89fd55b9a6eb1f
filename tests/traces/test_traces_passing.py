"""What passes the gateway: bytes untouched, the real key in place of the token, and nothing else."""

import gzip
import json
import os
import subprocess
import sys

import httpx2
import openai
import pytest
from gateway_stage import Stage, settings_for
from plain_client import ask, question
from speaking_upstream import KEY, Raw, Said

from agent_trace.gateway import SettingsError, UnixSocket, serving, upstream_from
from agent_trace.reading import read_trace


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate", "br"])
@pytest.mark.parametrize("stream", [False, True])
def test_the_client_gets_the_very_bytes_and_the_record_what_they_say(stage: Stage, encoding: str, stream: bool):
    stage.upstream.script = lambda asked: Said("naïve ☃ " * 50, encoding=encoding)
    got = ask(stage, question(stream=stream), headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    assert got.body == stage.upstream.sent[1]
    assert got.headers.get("content-encoding", "") == encoding
    assert stage.upstream.asked[0].headers["accept-encoding"] == "gzip, deflate, br"
    record = stage.record()
    assert record.response.value["choices"][0]["message"]["content"] == "naïve ☃ " * 50
    assert record.request.value == question(stream=stream)
    assert (record.request_bytes, record.response_bytes) == (len(json.dumps(question(stream=stream))), len(got.body))


def test_a_compressed_request_passes_as_it_is(stage: Stage):
    packed = gzip.compress(json.dumps(question("packed")).encode())
    assert ask(stage, packed, headers={"Content-Encoding": "gzip"}).status == 200
    assert stage.upstream.asked[0].raw == packed
    assert stage.record().request.value == question("packed")


def test_the_real_key_goes_to_the_upstream_and_the_token_does_not(stage: Stage):
    stage.upstream.script = lambda asked: Said(
        "x", headers={"Set-Cookie": "a=b", "openai-organization": "us", "X-Own": "1"}
    )
    leaky = {"Cookie": "session=1", "X-Forwarded-For": "1.2.3.4", "X-Odd": f"t={stage.run.token}", "X-Fine": "yes"}
    got = ask(stage, question(), path="/v1/chat/completions?api-version=7", headers=leaky)
    (asked,) = stage.upstream.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.path == "/v1/chat/completions?api-version=7"
    assert asked.headers["x-fine"] == "yes"
    assert not {"cookie", "x-forwarded-for", "x-odd"} & set(asked.headers)
    assert got.headers["x-own"] == "1"
    assert not {"set-cookie", "openai-organization"} & set(got.headers)


@pytest.mark.parametrize(
    "path", ["/v1/files", "/v1/chat/completions/", "/v1/../v1/chat/completions", "//v1/messages", "/"]
)
def test_any_other_route_is_refused_and_counted(stage: Stage, path: str):
    assert ask(stage, question(), path=path).status == 404
    assert stage.upstream.asked == []
    assert dict(stage.run.counts) == {"refused": 1}
    assert dict(stage.run.refused_routes) == {f"POST {path}": 1}


def test_who_has_no_token_of_a_run_is_refused(stage: Stage):
    assert ask(stage, question(), token="run-guess").status == 401
    assert ask(stage, question(), token=KEY).status == 401
    stage.gateway.dismiss(stage.run)
    assert ask(stage, question()).status == 401
    assert (stage.gateway.unknown_tokens, stage.upstream.asked) == (3, [])


def test_models_and_counts_of_tokens_pass_unrecorded(stage: Stage):
    assert stage.openai().models.list().data == []
    assert ask(stage, question(), "/v1/messages/count_tokens").status == 200
    assert dict(stage.run.counts) == {"forwarded": 2}
    assert not stage.directory.exists()


def test_a_unix_socket_is_a_door_too(upstream, tmp_path):
    with serving(settings_for(upstream)) as gateway:
        path = gateway.listen(UnixSocket(tmp_path / "door.sock", 0o666))
        run = gateway.admit("run-1", tmp_path / "trace")
        http = httpx2.Client(transport=httpx2.HTTPTransport(uds=path))
        client = openai.OpenAI(base_url="http://door/v1", api_key=run.token, http_client=http)
        assert client.chat.completions.create(**question(stream=False)).choices[0].message.content == "hello"
    assert not (tmp_path / "door.sock").exists()
    assert len(read_trace(tmp_path / "trace").records) == 1


def test_an_error_that_tells_the_real_key_reaches_the_client_without_it(stage: Stage):
    told = json.dumps({"error": {"message": f"bad request with Authorization: Bearer {KEY}"}}).encode()
    stage.upstream.script = lambda asked: Raw([told], 400, "application/json", {"X-Told": KEY})
    got = ask(stage, question())
    assert (got.status, got.whole) == (400, True)
    assert KEY not in got.body.decode() + str(got.headers)
    assert json.loads(got.body)["error"]["message"].endswith("[redacted:model-key]")


def test_a_missing_key_or_a_strange_address_is_refused_without_showing_anything():
    with pytest.raises(SettingsError, match="NOT_SET is not set"):
        upstream_from("http://models/v1", "NOT_SET", {})
    with pytest.raises(SettingsError, match="without user") as refused:
        upstream_from("http://me:hidden@models/v1", "K", {"K": "v" * 20})
    assert "hidden" not in str(refused.value)
    assert "secret-value" not in repr(upstream_from("http://models/v1", "K", {"K": "secret-value-1"}))


@pytest.mark.parametrize(
    ("endpoint", "line"),
    [
        (["--openai", "http://models/v1", "NO_SUCH_KEY"], "error: NO_SUCH_KEY is not set"),
        (["--anthropic", "models", "PATH"], "error: an upstream's address must be"),
        ([], "error: name at least one endpoint"),
        (["--openai", "http://models/v1", "A_KEY", "--unix", "/no/such/place"], "error: "),
    ],
)
def test_a_gateway_that_cannot_start_says_why_in_one_line(endpoint: list[str], line: str, tmp_path):
    argv = [sys.executable, "-m", "agent_trace", "--records", str(tmp_path), *endpoint]
    environ = {**os.environ, "A_KEY": "a-key-of-mine", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(argv, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
