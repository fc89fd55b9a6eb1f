"""Planted secrets are nowhere below the directory of a run, in no spelling, whatever carried them."""

import base64
import json
import urllib.parse
from pathlib import Path

import pytest
from gateway_stage import Stage, settings_for
from plain_client import ask, question
from speaking_upstream import KEY, Raw, Said

from agent_trace.gateway import Limits, Loopback, serving

PLANTED = "planted/secret+" + 'value"7Qx2mN9v'


def spellings(secret: str) -> list[bytes]:
    """What may not be found: also the middle of it, so that no half stays."""
    plain = secret.encode()
    inner = [base64.b64encode(b"\0" * n + plain)[4:-4] for n in range(3)]
    return [plain, plain[4:-4], json.dumps(secret)[1:-1].encode(), urllib.parse.quote(secret, safe="").encode(), *inner]


def found_below(directory: Path, secrets: list[str]) -> list[str]:
    """Where one of them stands, in any file below."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    assert files
    return [
        f"{path.name}: {one!r}" for path in files for s in secrets for one in spellings(s) if one in path.read_bytes()
    ]


def everywhere(secret: str, token: str) -> str:
    """A text with the secret in many spellings."""
    packed = base64.b64encode(f"user:{secret}".encode()).decode()
    wrapped = "\n".join(packed[n : n + 20] for n in range(0, len(packed), 20))
    return f"{secret} {json.dumps({'k': secret})} {urllib.parse.quote(secret)} {packed} {wrapped} {token}"


@pytest.mark.parametrize("inline", [1 << 20, 1 << 10], ids=["in the record", "in files"])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages"])
def test_no_planted_secret_reaches_the_disk(upstream, tmp_path: Path, path: str, inline: int):
    with serving(
        settings_for(upstream, secrets=(("planted", PLANTED),), limits=Limits(inline_bytes=inline))
    ) as gateway:
        address = gateway.listen(Loopback())
        run = gateway.admit("run-1", tmp_path, [("own", "own-secret-of-this-run")])
        stage = Stage(upstream, gateway, address, run, tmp_path)
        text = everywhere(PLANTED, run.token) + f" own-secret-of-this-run {KEY} " + "filler " * 400
        calls = (("bash", json.dumps({"command": f"curl -H 'Authorization: Bearer {KEY}' {PLANTED}"})),)
        split = [*(text[n : n + 7] for n in range(0, len(text), 7))]
        upstream.script = lambda asked: Said(calls=calls, thinking=text, split=tuple(split), pieces=9)
        headers = {"X-Trace": PLANTED.replace('"', ""), "Cookie": f"k={KEY}"}
        for stream in (True, False):
            body = {**question(text, stream=stream), "input": text, "metadata": {PLANTED: text}}
            assert ask(stage, body, f"{path}?key={KEY}", headers=headers).status == 200
        upstream.script = lambda asked: Raw(
            [text.encode()], 500, "text/plain", {"Retry-After": KEY, "x-request-id": KEY}
        )
        ask(stage, question(text), path)
        ask(stage, text.encode(), path)
        ask(stage, text.encode(), f"/{KEY}")
        assert run.counts["recorded"] == 4
        told = repr((run, run.refused_routes, gateway, settings_for(upstream), upstream.asked[0].number))
    assert found_below(tmp_path, [PLANTED, KEY, run.token, "own-secret-of-this-run"]) == []
    assert KEY not in told
    assert run.token not in told
    records = stage.trace().records
    assert all(sum(one.redactions.values()) >= 8 for one in records)
    assert stage.trace().faults == ()
