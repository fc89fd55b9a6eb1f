"""Papers come from web servers that behave and from those that do not; what cannot be had is one clear line."""

import gzip
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from misbehaving_site import (
    PDF,
    Patient,
    Site,
    bomb,
    break_off,
    endless,
    garbage,
    resume,
    running_site,
    send,
    silent,
    status,
    trickle,
)

from reproducegym.errors import MisuseError, ReproduceGymError, SourceUnreachableError, UnreadablePaperError
from reproducegym.parsing.sources import Manners, fetch_url
from reproducegym.parsing.sources.address import redirected
from reproducegym.schema.paper import Source

HTML = b"<!DOCTYPE html><html></html>"


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture
def patient() -> Patient:
    return Patient()


def fetched(url: str, patient: Patient, **changes: object) -> Source:
    return fetch_url(url, manners=patient.manners(**changes)).source


def refused(url: str, error: type[ReproduceGymError], patient: Patient, **changes: object) -> str:
    with pytest.raises(error) as caught:
        fetch_url(url, manners=patient.manners(**changes))
    assert "\n" not in str(caught.value)
    assert url.split("?")[0] in str(caught.value)
    return str(caught.value)


def test_a_paper_is_fetched_whatever_type_the_server_says_and_secrets_are_not_written_down(
    site: Site, patient: Patient
) -> None:
    site.on("/paper.pdf?token=secret", send(PDF))
    got = fetched(f"{site.base}/paper.pdf?token=secret#page=2", patient)
    assert (got.kind, got.origin, got.content) == ("pdf", f"{site.base}/paper.pdf", PDF)
    assert fetched(site.on("/octets", send(PDF, "application/octet-stream")), patient).kind == "pdf"
    assert fetched(site.on("/said-html", send(PDF, "text/html")), patient).kind == "pdf"
    assert fetched(site.on("/paper.md", send(b"# Title\n\nText.\n", "text/plain")), patient).kind == "markdown"
    assert fetched(site.on("/moved", status(301, Location="/octets")), patient).content == PDF
    assert patient.waits == []


def test_what_is_no_paper_says_what_it_is(site: Site, patient: Patient) -> None:
    page = site.on("/page", send(HTML, "text/html; charset=utf-8"))
    assert "web page" in refused(page, UnreadablePaperError, patient)
    assert "web page" in refused(site.on("/x.pdf", send(b"\n" + HTML)), UnreadablePaperError, patient)
    text = site.on("/text", send(b"hello", "text/plain"))
    assert "neither a PDF nor Markdown (it says text/plain)" in refused(text, UnreadablePaperError, patient)
    assert "empty" in refused(site.on("/empty", send(b"")), UnreadablePaperError, patient)
    picture = site.on("/film", send(b"x", "video/mp4", length=10**9))
    assert "video/mp4, not a paper" in refused(picture, UnreadablePaperError, patient)
    assert patient.waits == []


def test_errors_of_the_address_are_said_at_once(site: Site, patient: Patient) -> None:
    assert "answered 404" in refused(f"{site.base}/nothing", SourceUnreachableError, patient)
    assert "answered 403" in refused(site.on("/mine", status(403)), SourceUnreachableError, patient)
    assert "answered 500" in refused(site.on("/broken", status(500)), SourceUnreachableError, patient)
    assert patient.waits == []


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/y", "paper.pdf", "http://", "http://[::1", "http://h:x/"]
)
def test_only_http_addresses_are_fetched(url: str) -> None:
    with pytest.raises(MisuseError, match=r"write it like https://host/paper\.pdf"):
        fetch_url(url)


def test_redirects_have_a_bound_and_never_leave_the_web(site: Site, patient: Patient) -> None:
    loop = site.on("/loop", status(302, Location="/loop"))
    assert "redirects more than 5 times" in refused(loop, SourceUnreachableError, patient)
    assert len(site.asked) == 6
    local = site.on("/local", status(302, Location="file:///etc/passwd"))
    assert "redirects to no web address" in refused(local, SourceUnreachableError, patient)


def test_a_redirect_from_https_to_http_is_refused() -> None:
    asked = httpx.Request("GET", "https://host/paper.pdf")
    answer = httpx.Response(302, request=asked)
    assert redirected(answer, httpx.Request("GET", "https://other/"), "x").url.host == "other"
    with pytest.raises(SourceUnreachableError, match=r"unprotected http \(http://other/p\)"):
        redirected(answer, httpx.Request("GET", "http://other/p?token=secret"), "https://host/paper.pdf")


def test_nothing_is_read_beyond_the_size_limit(site: Site, patient: Patient) -> None:
    said = site.on("/said", send(b"", length=10**12))
    for url in (said, site.on("/endless", endless), site.on("/bomb", bomb(30_000_000))):
        assert "larger than the limit of 100000 bytes" in refused(
            url, SourceUnreachableError, patient, max_bytes=100_000
        )
    assert patient.waits == []


def test_a_body_packed_unasked_is_unpacked_and_a_damaged_one_refused(site: Site, patient: Patient) -> None:
    packed = gzip.compress(PDF)
    assert fetched(site.on("/packed", send(packed, Content_Encoding="gzip")), patient).content == PDF
    assert site.asked[0][1]["accept-encoding"] == "identity"
    cut = site.on("/cut", send(packed[:-20], Content_Encoding="gzip"))
    assert "its end is missing" in refused(cut, UnreadablePaperError, patient)
    bad = site.on("/bad", send(b"no gzip", Content_Encoding="gzip"))
    assert "damaged" in refused(bad, UnreadablePaperError, patient)
    odd = site.on("/odd", send(PDF, Content_Encoding="br"))
    assert "packed as br" in refused(odd, UnreadablePaperError, patient)


def test_a_busy_server_is_asked_again_after_the_time_it_names(site: Site, patient: Patient) -> None:
    url = site.on("/busy", status(429, Retry_After="7"), status(503), send(PDF))
    assert fetched(url, patient).content == PDF
    assert patient.waits == [7.0, 2.0]
    assert "answered 429" in patient.told[0]
    assert "trying again in 7 s" in patient.told[0]


def test_the_time_to_wait_may_be_a_date(site: Site, patient: Patient) -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert fetched(site.on("/dated", status(503, Retry_After=until), send(PDF)), patient).content == PDF
    assert 25 <= patient.waits[0] <= 31


def test_a_server_that_asks_for_too_long_a_wait_is_left_alone(site: Site, patient: Patient) -> None:
    url = site.on("/later", status(429, Retry_After="3600"))
    assert "asks to wait 3600 s; try again then" in refused(url, SourceUnreachableError, patient)
    assert (patient.waits, len(site.asked)) == ([], 1)


def test_a_server_that_stays_busy_is_given_up_after_some_attempts(site: Site, patient: Patient) -> None:
    assert "answered 503" in refused(site.on("/down", status(503)), SourceUnreachableError, patient)
    assert patient.waits == [1.0, 2.0, 4.0]
    assert len(site.asked) == 4


def test_a_download_goes_on_where_it_broke_off(site: Site, patient: Patient) -> None:
    tag = {"ETag": '"one"'}
    url = site.on("/big.pdf", break_off(PDF, 20_000, **tag), resume(PDF[:40_000] + PDF[40_000:], **tag))
    assert fetched(url, patient).content == PDF
    assert site.asked[1][1]["range"] == "bytes=20000-"
    assert site.asked[1][1]["if-range"] == '"one"'
    assert "broke off" in patient.told[0]


def test_a_download_begins_anew_when_the_file_changed_or_cannot_be_resumed(site: Site, patient: Patient) -> None:
    changed = site.on("/changed", break_off(b"%PDF-old" * 999, 4000, ETag='"one"'), send(PDF, ETag='"two"'))
    assert fetched(changed, patient).content == PDF
    weak = site.on("/weak", break_off(PDF, 4000, ETag='W/"one"'), send(PDF))
    assert fetched(weak, patient).content == PDF
    assert "range" not in site.asked[-1][1]
    stamp = {"Last_Modified": "Mon, 02 Nov 2026 10:00:00 GMT"}
    wrong = site.on(
        "/wrong", break_off(PDF, 4000, **stamp), send(PDF[9:], code=206, Content_Range="bytes 9-99/100"), send(PDF)
    )
    assert fetched(wrong, patient).content == PDF
    gone = site.on("/gone", break_off(PDF, 4000, **stamp), status(416), send(PDF))
    assert fetched(gone, patient).content == PDF


def test_a_download_that_never_completes_is_one_line(site: Site, patient: Patient) -> None:
    assert "broke off" in refused(site.on("/torn", break_off(PDF, 100)), SourceUnreachableError, patient)
    assert "broke off" in refused(site.on("/noise", garbage), SourceUnreachableError, patient)
    refused_url = "http://127.0.0.1:9/x.pdf"
    assert "cannot be reached" in refused(refused_url, SourceUnreachableError, patient)
    assert len(patient.waits) == 9


def test_a_silent_or_trickling_server_is_not_waited_for_without_end(site: Site, patient: Patient) -> None:
    began = time.monotonic()
    quiet = refused(site.on("/quiet", silent), SourceUnreachableError, patient, read_s=0.1, attempts=2)
    assert "did not answer in time" in quiet
    slow = refused(site.on("/slow", trickle), SourceUnreachableError, patient, total_s=0.4)
    assert "did not arrive within" in slow
    assert time.monotonic() - began < 5


def test_by_default_we_wait_for_minutes_at_most() -> None:
    manners = Manners()
    assert manners.longest_wait_s * manners.attempts <= 300
    assert manners.total_s <= 900
