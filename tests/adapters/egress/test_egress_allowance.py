"""What is listed and what never is: exact places, sites that a paper names, addresses of private networks."""

import subprocess
import sys
from pathlib import Path

import pytest
from egress_stage import allowed

from reproducegym.adapters.egress.allowance import Place, place_of
from reproducegym.adapters.egress.hello import HelloError, asked_name
from reproducegym.adapters.egress.named_hosts import hosts_of, named_hosts
from reproducegym.errors import MisuseError
from reproducegym.parsing import parser_for
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.paper import Source


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("files.example:443", Place("files.example", 443)),
        ("10.0.0.1:80", Place("10.0.0.1", 80)),
        ("[::1]:8080", Place("::1", 8080)),
        *(
            (text, None)
            for text in (
                "files.example",
                "files.example:0",
                "files.example:70000",
                "files.example:+80",
                "files.example.:443",
                "me@files.example:443",
                "a/b:1",
                "*.example:443",
                "::1:80",
                ":80",
                "",
            )
        ),
    ],
)
def test_a_place_is_a_whole_host_and_a_port(text: str, place: Place | None):
    assert place_of(text) == place


@pytest.mark.parametrize("entry", ["files.example", "*.example:443", "https://files.example", "Files.example:443"])
def test_what_is_listed_otherwise_is_a_misuse(entry: str):
    with pytest.raises(MisuseError, match="is not host:port"):
        allowed(entry)


def test_only_exact_places_are_listed():
    allowance = allowed("files.example:443")
    assert allowance.refusal(Place("files.example", 443)) is None
    for host, port in (("files.example", 80), ("a.files.example", 443), ("example", 443), ("xfiles.example", 443)):
        assert allowance.refusal(Place(host, port)) == "not_listed"


@pytest.mark.parametrize(
    ("named", "host"),
    [
        ("github.com", "github.com"),
        ("github.com", "raw.githubusercontent.com"),
        ("someone.github.io", "codeload.github.com"),
        ("www.lab.ac.uk", "data.lab.ac.uk"),
        ("lab.example", "mirror.lab.example"),
        ("arxiv.org", "export.arxiv.org"),
    ],
)
def test_no_part_of_a_site_that_the_paper_names_is_reached_though_it_is_listed(named: str, host: str):
    allowance = allowed(f"{host}:443", "files.example:443", named=(named,))
    assert allowance.refusal(Place(host, 443)) == "named_by_paper"
    assert allowance.refusal(Place("files.example", 443)) is None
    assert allowance.unreachable() == (Place(host, 443),)


@pytest.mark.parametrize("host", ["arxiv.org", "export.arxiv.org", "proceedings.mlr.press", "www.semanticscholar.org"])
def test_a_library_of_papers_is_closed_to_every_task(host: str):
    allowance = allowed(f"{host}:443", "files.example:443")
    assert allowance.unreachable() == (Place(host, 443),)
    assert allowance.refusal(Place(host, 443)) == "holds_papers"


@pytest.mark.parametrize("kind", ["pdf", "markdown"])
def test_where_a_link_leads_behind_its_words_is_named_and_closed(kind: str, tmp_path: Path):
    target = "https://github.com/someone/the-code"
    if kind == "pdf":
        document = pymupdf.open()
        page = document.new_page()
        page.insert_text((72, 72), "Our code is here, and it is short. " * 2)
        link = {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(72, 60, 200, 80), "uri": target}
        page.insert_link(link)
        source = Source(kind="pdf", origin="paper.pdf", content=document.tobytes())
    else:
        text = f"# A title\n\nOur code is [here]({target}), and it is short.\n"
        source = Source(kind="markdown", origin="paper.md", content=text.encode())
    store = PaperStore(tmp_path, "p")
    parse(store, parser_for(source), source)
    named = hosts_of(store.read_paper(), store.parse_record())
    assert "github.com" in named
    assert "github" not in (store.root / "00-parse" / "document.json").read_text()
    assert allowed("api.github.com:443", named=tuple(named)).refusal(Place("api.github.com", 443)) == "named_by_paper"


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("Code: https://github.com/someone/thing.", {"github.com"}),
        ("see http://user@Lab.Example:8080/x", {"lab.example"}),
        ("at github.com/someone/thing and www.lab.example", {"github.com", "lab.example"}),
        ("https://git-\nhub.com/a", {"git-hub.com"}),
        ("https://some-\none.github.io/page", {"some-one.github.io"}),
        ("https://\ngithub.com/a/b", {"github.com"}),
        ("https://github\n.com/a/b", {"github.com"}),
        ("ResNet-50/ImageNet reaches 3.5/4.0 and i.e. more", set()),
    ],
)
def test_hosts_are_found_in_what_a_paper_prints(text: str, hosts: set[str]):
    assert named_hosts([text]) >= hosts
    assert bool(named_hosts([text])) is bool(hosts)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("192.0.2.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1%eth0", "fd00::1", "ff02::1"),
        *("fec0::1", "64:ff9b:1::7f00:1", "::127.0.0.1", "::ffff:0:7f00:1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1"),
    ],
)
def test_addresses_that_are_not_of_the_internet_are_refused(address: str):
    assert allowed(networks=()).address_refusal(address) == "private_address"


def test_a_public_address_of_this_machine_is_private_too():
    asked = "from reproducegym.adapters.egress.proxy import is_own; print(is_own('198.41.0.4'), is_own('198.41.0.5'))"
    given = f'ip link set lo up && ip addr add 198.41.0.4/32 dev lo && exec "{sys.executable}" -c "$0"'
    done = subprocess.run(["unshare", "-rn", "sh", "-c", given, asked], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "False"], done.stderr
    assert allowed(networks=()).address_refusal("198.41.0.4", own=True) == "private_address"
    assert allowed(networks=("198.41.0.0/24",)).address_refusal("198.41.0.4", own=True) is None


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are_not(address: str):
    assert allowed(networks=()).address_refusal(address) is None


def test_a_private_network_is_reached_where_it_is_listed():
    allowance = allowed(networks=("10.1.2.0/24",))
    assert allowance.address_refusal("10.1.2.3") is None
    assert allowance.address_refusal("::ffff:10.1.2.3") is None
    assert allowance.address_refusal("10.1.3.3") == "private_address"


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n", b"\0" * 64, b"\x16\x03\x01\x00\x05hello"]
)
def test_what_is_no_tls_is_told_from_a_hello(data: bytes):
    with pytest.raises(HelloError):
        asked_name(data)
