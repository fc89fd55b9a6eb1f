"""Stories of the key: whatever an endpoint says, it stands in no line, no error, no file and no log."""

import json
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import KEY, Answer, Broken, Refusal, Status, echo_of_secrets, rate_limited
from scripted_llm import GOOD, QUESTION, Word, rig

from reproducegym.adapters.llm import Endpoint
from reproducegym.errors import ModelUnavailableError

TOLD = (KEY, KEY[:8], KEY[-6:])


def shown(made, error: BaseException | None) -> str:
    """Everything that a person or a file could ever see."""
    told = "" if error is None else "".join(traceback.format_exception(error)) + repr(error)
    files = "".join(path.read_text() for path in made.files())
    return "\n".join([made.lines, told, files, *(one.to_json() for one in made.kept), repr(made.llm.__dict__)])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429, 500, 503])
def test_an_endpoint_that_tells_our_headers_gives_nothing_away(model_server, tmp_path, caplog, status):
    caplog.set_level(logging.DEBUG)
    model_server.echo = status
    made = rig(model_server, tmp_path, attempts=2)
    error = None
    try:
        made.llm.ask(QUESTION, Word)
    except ModelUnavailableError as raised:
        error = raised
    assert model_server.hits >= 1
    everything = shown(made, error) + caplog.text
    assert not [part for part in TOLD if part in everything]


@pytest.mark.parametrize(
    "reply",
    [
        lambda asked: Broken(KEY),
        lambda asked: Refusal(f"your key is {asked.headers['authorization']}"),
        lambda asked: rate_limited(KEY),
        lambda asked: Status(500, body=KEY.encode()),
        lambda asked: Status(302, headers={"Location": f"http://127.0.0.1:9/{KEY}"}),
        lambda asked: Status(400, "bad key", param=KEY, error_code=KEY),
    ],
    ids=["broken", "refusal", "wait", "page", "redirect", "fields"],
)
def test_nor_does_one_that_tells_it_elsewhere(model_server, tmp_path, reply):
    model_server.script = reply
    made = rig(model_server, tmp_path, attempts=2)
    error = None
    try:
        answer = made.llm.ask(QUESTION, Word)
        made.told.append(repr(answer))
    except ModelUnavailableError as raised:
        error = raised
    assert not [part for part in TOLD if part in shown(made, error)]


def test_a_reply_that_repeats_the_key_is_not_shown_in_the_error_of_its_form(model_server, tmp_path):
    model_server.script = lambda asked: Answer({"word": KEY, "count": KEY})
    made = rig(model_server, tmp_path)
    answer = made.llm.ask(QUESTION, Word)
    assert answer.reason == "no_fit"
    assert KEY not in answer.detail


def test_an_endpoint_shows_no_key_of_its_own():
    endpoint = Endpoint("https://one.example/v1", KEY, ".env", ("header-value-123",))
    assert KEY not in repr(endpoint)
    assert "header-value-123" not in repr(endpoint)
    assert endpoint.host == "one.example"
    assert endpoint.redacted(f"a {KEY[:7]}***{KEY[-4:]} b Bearer xyz c header-value-123 d sk-proj-12") == (
        "a [removed] b [removed] c [removed] d [removed]"
    )


@given(st.text(), st.text())
def test_no_text_around_a_key_lets_it_through(before, after):
    redacted = Endpoint("https://one.example/v1", KEY, ".env").redacted(before + KEY + after)
    assert KEY not in redacted
    assert "\n" not in redacted


def test_a_key_that_is_no_secret_spoils_no_text():
    endpoint = Endpoint("http://127.0.0.1:1/v1", "none", ".env")
    assert endpoint.redacted("nonetheless none of it") == "nonetheless [removed] of it"


SCRIPT = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from scripted_llm import QUESTION, Word, rig
made = rig(sys.argv[1], Path(sys.argv[2]), attempts=1)
try:
    print(made.llm.ask(QUESTION, Word))
except Exception as error:
    print(error)
"""


@pytest.mark.parametrize("status", [None, 400, 500])
def test_the_sdks_own_log_tells_no_key(model_server, tmp_path, status):
    model_server.script = lambda asked: Answer(GOOD)
    model_server.echo = status
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, model_server.base_url, str(tmp_path), str(here), str(here.parents[1])],
        env={**os.environ, "OPENAI_LOG": "debug"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "openai._base_client" in done.stderr
    assert not [part for part in TOLD if part in done.stdout + done.stderr]
    assert json.dumps(KEY) not in done.stderr


def test_the_servers_own_echo_does_tell_the_key():
    """Else the stories above would prove nothing."""
    assert KEY in echo_of_secrets(400, {"authorization": f"Bearer {KEY}"}).message
