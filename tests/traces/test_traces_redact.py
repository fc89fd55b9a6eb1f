"""Secrets are found in every spelling and form, wherever a stream is cut, and ordinary text stays as it is."""

import base64
import json
import time
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_trace.redact import Redactor

KEY = "q7R+x/9_tok-" + 'en"Zß8'
LETTERS = st.text(st.sampled_from("ab7R+x/9\\\"\n ='"), max_size=40)
LOWER = str.maketrans("ABCDEF", "abcdef")
PLAIN = "sk-planted-0123456789-aBcDeFgH"


def every(form: str) -> Callable[[str], str]:
    """Each byte in one form."""
    return lambda secret: "".join(form.format(one) for one in secret.encode())


def dump(width: int, address: str, group: int, left: str, right: str) -> Callable[[str], str]:
    """As xxd, hexdump -C and od write it, after some other text."""

    def lines(secret: str) -> str:
        data = b"some" + secret.encode()
        rows = []
        for at in range(0, len(data), width):
            row = data[at : at + width]
            pairs = " ".join(row[n : n + group].hex() for n in range(0, len(row), group))
            rows.append(f"{address.format(at)}{pairs:<40}{left}{row.decode()}{right}".rstrip())
        return "\n".join(rows)

    return lines


def wrapped(text: str, end: str) -> str:
    return end.join(text[n : n + 13] for n in range(0, len(text), 13))


def base32(text: str) -> str:
    return base64.b32encode(text.encode()).decode().rstrip("=")


SPELLED = {
    "percent, all": every("%{:02x}"),
    "percent, all, capitals": every("%{:02X}"),
    "percent twice": every("%25{:02X}"),
    "percent, some": lambda s: "".join(f"%{ord(one):02x}" if at % 3 else one for at, one in enumerate(s)),
    "JSON": every("\\u{:04x}"),
    "JSON, capitals": every("\\u{:04X}"),
    "JSON in JSON in JSON": every("\\" * 4 + "u{:04x}"),
    "JavaScript": every("\\u{{{:x}}}"),
    "Python": every("\\U{:08x}"),
    "C": every("\\x{:02x}"),
    "octal": every("\\{:03o}"),
    "HTML": every("&#{};"),
    "HTML, padded, no end": lambda s: "".join(f"&#{ord(one):04}" for one in s),
    "HTML, hex": every("&#x{:x};"),
    "HTML twice": every("&amp;#x{:X};"),
    "HTML in percent": lambda s: urllib.parse.quote(every("&#{};")(s), safe="&#;"),
    "base32": base32,
    "base32, lower": lambda s: base32(s).lower(),
    "base32, broken": lambda s: wrapped(base32(s), "\n"),
    "hex, mixed": lambda s: s.encode().hex().replace("d", "D"),
    "hex, spaced": lambda s: s.encode().hex(" "),
    "hex, colons": lambda s: s.encode().hex(":").upper(),
    "hex, groups": lambda s: s.encode().hex(" ", 2),
    "hex, dashes, broken": lambda s: wrapped(s.encode().hex("-"), "\n"),
    "hex, a list": lambda s: ", ".join(f"0x{one:02x}" for one in s.encode()),
    "hex, a list in lines": lambda s: ",\n        ".join(f"0x{one:02X}" for one in s.encode()),
    "xxd": dump(16, "{:08x}: ", 2, "  ", ""),
    "hexdump -C": dump(8, "{:08x}  ", 1, "  |", "|"),
    "od": dump(8, "{:07o} ", 1, "  >", "<"),
    "upper": str.upper,
    "lower": str.lower,
    "swapped": str.swapcase,
    "continued": lambda s: wrapped(s, "\\\n"),
    "continued, in JSON": lambda s: wrapped(s, "\\\\\\n"),
    "broken, CR LF": lambda s: wrapped(s, "\r\n"),
}


@pytest.mark.parametrize("spelling", SPELLED)
def test_a_known_secret_goes_however_it_is_spelled(spelling: str):
    written = SPELLED[spelling](PLAIN)
    redactor = Redactor([("key", PLAIN)], patterns=())
    clean = redactor.text(f"x {written}\ny")
    assert clean.count("[redacted:key]") == 1
    assert clean.startswith("x ")
    assert clean.endswith("\ny")
    assert len(clean) < 70
    text = f"{'filler ' * 2000}{written}\n{'filler ' * 2000}".encode()
    stream = redactor.stream()
    given = b"".join(stream.feed(text[n : n + 333]) for n in range(0, len(text), 333)) + stream.end()
    assert given == redactor.redacted(text)
    assert len(given) < 28_070
    raw = json.dumps({"a": f"say {written}", "b": "\\"})
    left = json.loads(redactor.redacted(raw.encode()))
    assert left["b"] == "\\"
    assert left["a"].count("[redacted:key]") == 1


@settings(max_examples=40)
@given(st.text("aB9\"/<&'ß\n €😀+ %", min_size=8, max_size=20), st.data())
def test_any_mixture_of_escapes_hides_no_secret(secret: str, data: st.DataObject):
    ways = ["{}", "%{}", "\\u", "&#"]
    written = "".join(escaped(one, data.draw(st.sampled_from(ways))) for one in secret)
    clean = Redactor([("key", secret)], patterns=()).text(f"[{written}]")
    assert clean == "[[redacted:key]]"


def escaped(character: str, way: str) -> str:
    if way == "%{}":
        return every("%{:02X}")(character)
    if way == "&#":
        return f"&#{ord(character)};"
    return json.dumps(character)[1:-1] if way == "\\u" else character


PEM = "-----BEGIN KEY-----\nMIIBaBcD+/0123\nqRsTuV==\n-----END KEY-----\n"


@pytest.mark.parametrize("spelling", ["{}", "JSON", "percent, all", "HTML", "continued", "broken, CR LF"])
def test_a_secret_of_several_lines_goes(spelling: str):
    written = SPELLED.get(spelling, str)(PEM)
    assert Redactor([("key", PEM)], patterns=()).text(f"x {written}\n y").startswith("x [redacted:key]")
    assert "MIIB" not in Redactor([("key", PEM)], patterns=()).text(PEM.replace("\n", "\r\n\n"))


@pytest.mark.parametrize("unit", ["{0}  \n0000 " * 2, "{1}\n\n", "%{0}\\\n", "{0}" + " " * 31, "\\" * 31 + "u00{0}"])
def test_text_by_somebody_who_knows_the_secret_takes_no_longer_than_other_text(unit: str):
    """It says the secret, and then much that nearly is it."""
    near = "".join(unit.format(f"{ord(one):02x}", one) for one in PLAIN[:-1])
    text = f"\n00000000: {PLAIN.encode().hex(' ')}\n" + near * 20
    began = time.monotonic()
    assert "[redacted:key]" in Redactor([("key", PLAIN)], patterns=()).text(text)
    assert time.monotonic() - began < 5


def test_words_that_only_look_alike_stay():
    redactor = Redactor([("key", PLAIN)], patterns=())
    for text in (PLAIN[:-1], PLAIN.replace("-", " "), PLAIN.encode().hex()[:-2], base32(PLAIN)[:-3], PLAIN[::-1]):
        assert redactor.text(text) == text


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
