"""Secrets are found in every spelling and form, wherever a stream is cut, and ordinary text stays as it is."""

import base64
import json
import urllib.parse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_trace.redact import Redactor

KEY = "q7R+x/9_tok-" + 'en"Zß8'
LETTERS = st.text(st.sampled_from("ab7R+x/9\\\"\n ='"), max_size=40)
LOWER = str.maketrans("ABCDEF", "abcdef")
SPELLINGS = {
    "plain": lambda s: s,
    "json": lambda s: json.dumps(s)[1:-1],
    "json of json": lambda s: json.dumps(json.dumps(s, ensure_ascii=False))[3:-3],
    "percent": lambda s: urllib.parse.quote(s, safe=""),
    "form": urllib.parse.quote_plus,
    "percent, lower": lambda s: urllib.parse.quote(s, safe="").translate(LOWER),
    "hex": lambda s: s.encode().hex(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_known_secret_goes_in_every_spelling(spelling: str):
    written = SPELLINGS[spelling](KEY)
    assert Redactor([("key", KEY)]).text(f"x={written}; y") == "x=[redacted:key]; y"


@settings(max_examples=50)
@given(st.binary(max_size=20), st.binary(max_size=20), st.booleans(), st.sampled_from([0, 20, 76]))
def test_base64_hides_no_secret_wherever_it_stands_and_however_lines_are_broken(
    before: bytes, after: bytes, url: bool, width: int
):
    turn = base64.urlsafe_b64encode if url else base64.b64encode
    secret = "a-longer-secret-value-0123456789-0123456789"
    written = turn(before + secret.encode() + after).decode()
    broken = "\n".join(written[n : n + width] for n in range(0, len(written), width)) if width else written
    clean = Redactor([("key", secret)]).text(f"{broken}\n")
    assert "[redacted:key]" in clean
    left = clean.replace("[redacted:key]", "").replace("\n", "")
    assert len(left) <= len(turn(before)) + len(turn(after)) + 8


@settings(max_examples=30)
@given(st.lists(st.one_of(LETTERS, st.just(KEY), st.just(json.dumps(KEY)[1:-1])), max_size=8), st.data())
def test_a_stream_is_redacted_as_the_whole_however_it_is_cut(parts: list[str], data: st.DataObject):
    redactor = Redactor([("key", KEY), ("other", '9\\"ab7R+x')], patterns=())
    text = ("".join(parts) * data.draw(st.integers(1, 40))).encode()
    stream, got, rest = redactor.stream(), b"", text
    while rest:
        size = data.draw(st.integers(1, max(1, len(rest))))
        got, rest = got + stream.feed(rest[:size]), rest[size:]
    got += stream.end()
    assert got == redactor.redacted(text)
    assert KEY.encode() not in got


@settings(max_examples=30)
@given(
    st.recursive(
        st.one_of(st.none(), st.integers(), LETTERS, st.just(f"a{KEY}b")),
        lambda inner: st.lists(inner) | st.dictionaries(LETTERS, inner),
    )
)
def test_a_value_keeps_its_shape_and_loses_its_secrets(value: object):
    clean = Redactor([("key", KEY)], patterns=()).value(value)
    assert KEY not in json.dumps(clean, ensure_ascii=False)
    assert shape(clean) == shape(value)


def shape(value: object) -> object:
    if isinstance(value, dict):
        return len(value)
    return [shape(one) for one in value] if isinstance(value, list) else type(value)


FORMS = {
    "key": ["sk-" + "proj-a1B2c3D4e5F6g7H8i9J0", "ghp_" + "a1B2" * 9, "AKIA" + "ABCDEFGH12345678", "hf_" + "a1B2" * 8],
    "token": ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"],
    "private-key": ["-----BEGIN RSA " + "PRIVATE KEY-----\nMIIB\nAbc+/=\n-----END RSA PRIVATE KEY-----"],
    "private-host": ["10.1.2.3", "192.168.0.7", "172.16.9.9"],
}


@pytest.mark.parametrize(("name", "secret"), [(name, one) for name, many in FORMS.items() for one in many])
@pytest.mark.parametrize("around", ["{}", "x {} y", "'{}'", "\n{}\n", "a={};b"])
def test_what_has_the_form_of_a_secret_goes(name: str, secret: str, around: str):
    assert Redactor().text(around.format(secret)) == around.format(f"[redacted:{name}]")
    inner = json.dumps(around.format(secret))
    assert secret.split("\n")[-1] not in Redactor().text(inner).replace("\\n", "\n")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [redacted:token]"),
        ("Cookie: sid=abc; theme=dark\nNext: 1", "Cookie: [redacted:cookie]\nNext: 1"),
        ('{"set-cookie": "a=b; Path=/"}', '{"set-cookie": "[redacted:cookie]"}'),
        ("export OPENAI_API_KEY=abcdefgh12345678", "export OPENAI_API_KEY=[redacted:key]"),
        ("HF_TOKEN=abcdefgh12345678 x", "HF_TOKEN=[redacted:secret] x"),
        ("x-api-key: abcdefgh12345678", "x-api-key: [redacted:key]"),
        ("https://me:hunter22@db.internal/x", "https://me:[redacted:password]@[redacted:private-host]/x"),
    ],
)
def test_secrets_that_a_name_gives_away_go(text: str, clean: str):
    assert Redactor().text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "risk-sensitive-reinforcement-learning-with-regret-bounds",
        "task-force-2 and disk-usage, sk-learn, sk-",
        "version 10.2.1, section 192.168, 110.1.2.3.4",
        "torch._C._internal and foo.local(); threading.local",
        "the bearer of bad news; basic assumption: none",
        "the cookie jar: a story",
        "password policy: at least one digit",
        "max_tokens=100, tokens_per_second: 12.5",
        "http://127.0.0.1:8000/v1 and http://localhost",
    ],
)
def test_ordinary_text_stays(text: str):
    assert Redactor().text(text) == text


def test_a_host_of_ours_and_a_short_word_that_is_no_secret():
    redactor = Redactor([("key", "none")], hosts=["gpu-7.cluster.example"])
    assert redactor.text("none at gpu-7.cluster.example") == "none at [redacted:private-host]"
    assert "none" not in repr(Redactor([("key", "none-at-all-1")]))
