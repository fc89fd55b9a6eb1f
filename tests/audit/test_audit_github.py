"""The GitHub source against a server of ours: what is asked, what is followed, what is told, and what never shows."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from speaking_github import COMMIT, FILES, GitHub, Reply, archive, speaking, tagged

from ml_audit import LocalDirectory, Repository, SourceError, audit
from ml_audit.cli import main
from ml_audit.github import Address, Cache, GitHubRepository, Patience, Token, address_in, api_base
from ml_audit.github.address import web_base

SECRET = "the-key-that-is-never-shown"
NOW = 1_800_000_000.0
ABOUT = "/api/v3/repos/ann/work"
TARBALL = f"{ABOUT}/tarball/{COMMIT}"
CODELOAD = "/_codeload/x?token=short"


@pytest.fixture(scope="module")
def serving() -> Iterator[GitHub]:
    with speaking() as server:
        yield server


@pytest.fixture
def github(serving: GitHub) -> GitHub:
    serving.seen.clear()
    serving.replies.clear()
    serving.holds(archive(FILES))
    return serving


class Clock:
    """Time that passes by sleeping alone, and the lines that were said meanwhile."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.said: list[str] = []

    def patience(self, wait: float = 0.0) -> Patience:
        return Patience(wait, sleep=self.slept.append, now=lambda: NOW + sum(self.slept), say=self.said.append)


def read(github: GitHub, clock: Clock | None = None, **given: object) -> Repository:
    wait = given.pop("wait", 0.0)
    token, ref, cache = given.pop("token", None), given.pop("ref", None), given.pop("cache", None)
    return GitHubRepository(
        Address("ann", "work", ref),
        f"{github.base}/api/v3",
        Token(token) if token else None,
        Cache(cache),
        (clock or Clock()).patience(wait),
        **given,
    ).read()


def test_a_repository_is_read_as_its_checkout_is_in_four_requests(github: GitHub, tmp_path: Path):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    fetched = read(github)
    assert github.paths() == [ABOUT, f"{ABOUT}/commits/main", TARBALL, CODELOAD]
    assert (fetched.name, fetched.commit, fetched.notes) == ("ann/work", COMMIT, ())
    local = audit(LocalDirectory(tmp_path).read())
    assert (fetched.url, audit(fetched).url) == (f"{github.base}/ann/work", f"{github.base}/ann/work")
    same = {"repository": local.repository, "commit": None, "url": None}
    assert audit(fetched).model_copy(update=same) == local


def test_a_token_goes_to_the_api_alone_and_shows_nowhere(
    github: GitHub, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    with speaking() as elsewhere:
        elsewhere.say("/pack?token=short", Reply(body=archive(FILES)))
        github.say(TARBALL, Reply(302, headers={"Location": f"{elsewhere.base}/pack?token=short"}))
        source = GitHubRepository(
            Address("ann", "work"), f"{github.base}/api/v3", Token(SECRET), Cache(tmp_path), Patience()
        )
        report = audit(source.read())
        assert [headers.get("authorization") for _, headers, _ in github.seen] == [f"Bearer {SECRET}"] * 3
        assert [headers.get("authorization") for _, headers, _ in elsewhere.seen] == [None]
    shown = [repr(source), report.model_dump_json(), caplog.text, *github.paths()]
    shown += [p.read_bytes().decode("latin-1") for p in tmp_path.rglob("*") if p.is_file()]
    assert len(list(tmp_path.iterdir())) == 3
    assert not any(SECRET in text for text in shown)
    assert "token=short" not in "".join(shown[:3])
    assert all(p.stat().st_mode & 0o077 == 0 for p in tmp_path.iterdir())


def test_what_has_not_changed_is_not_sent_again(github: GitHub, tmp_path: Path):
    first = read(github, cache=tmp_path)
    github.seen.clear()
    assert read(github, cache=tmp_path) == first
    assert [status for _, _, status in github.seen] == [304, 304]
    for kept in tmp_path.iterdir():
        kept.write_bytes(kept.read_bytes()[:40])
    assert read(github, cache=tmp_path) == first


@pytest.mark.parametrize(
    ("path", "reply", "code", "told"),
    [
        (ABOUT, Reply(401), 6, "does not accept the token"),
        (ABOUT, Reply(403, b'{"message": "Resource not accessible"}'), 7, "forbids"),
        (ABOUT, Reply(404), 5, "not found"),
        (ABOUT, Reply(451), 11, "legal"),
        (ABOUT, Reply(502), 9, "fails (502)"),
        (ABOUT, Reply(418), 13, "418"),
        (ABOUT, Reply(200, b"<html>welcome</html>"), 13, "--api-url"),
        (ABOUT, Reply(200, b'{"full_name": "../..", "default_branch": "main"}'), 13, "--api-url"),
        (ABOUT, Reply(301, headers={"Location": "http://127.0.0.2:9/repositories/1"}), 13, "another host"),
        (ABOUT, Reply(301, headers={"Location": "/api/v3/repos/ann/work?x"}), 5, "not found"),
        (ABOUT, Reply(302, headers={"Location": "file:///etc/passwd"}), 13, "none of the web"),
        (ABOUT, Reply(302, headers={"Location": "http://127.0.0.1:99999/x"}), 13, "none of the web"),
        (f"{ABOUT}/commits/main", Reply(409), 10, "no commit"),
        (f"{ABOUT}/commits/main", Reply(422), 5, "no such branch"),
        (f"{ABOUT}/commits/main", Reply(200, b"{}"), 13, "commit"),
        (TARBALL, Reply(404), 5, "archive"),
        (CODELOAD, Reply(302, headers={"Location": "http://127.0.0.2:9/x"}), 13, "another host"),
        (CODELOAD, Reply(200, b"no archive at all"), 12, "no gzip archive"),
        (CODELOAD, Reply(200, archive({})), 10, "no files"),
        (ABOUT, Reply(429, headers={"Retry-After": "9000"}), 8, "2027-01-15 10:30:00 UTC"),
        (
            ABOUT,
            Reply(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000600"}),
            8,
            "2027-01-15 08:10:00 UTC",
        ),
        (ABOUT, Reply(403, b'{"message": "You have exceeded a secondary rate limit"}'), 8, "08:01:00"),
    ],
)
def test_each_fault_is_one_line_with_its_code(github: GitHub, path: str, reply: Reply, code: int, told: str):
    github.say(path, reply)
    with pytest.raises(SourceError, match=r"^[^\n]+$") as raised:
        read(github, token=SECRET)
    assert (raised.value.exit_code, told in str(raised.value)) == (code, True), raised.value
    assert SECRET not in str(raised.value)


def test_failures_of_the_server_are_tried_again(github: GitHub):
    clock = Clock()
    github.say(ABOUT, Reply(503), Reply(500), *github.replies[ABOUT])
    github.say(CODELOAD, Reply(200, archive(FILES)[:50], cut=True), *github.replies[CODELOAD])
    assert set(read(github, clock).files) == set(FILES)
    assert clock.slept == [1, 2, 1]


def test_nobody_there_is_told(github: GitHub):
    source = GitHubRepository(Address("ann", "work"), "http://127.0.0.1:9/api", patience=Clock().patience())
    with pytest.raises(SourceError, match="cannot be reached") as raised:
        source.read()
    assert raised.value.exit_code == 9


def test_limits_are_waited_for_where_that_is_allowed(github: GitHub):
    clock = Clock()
    limited = Reply(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW) + 30)})
    github.say(ABOUT, limited, Reply(429, headers={"Retry-After": "5"}), *github.replies[ABOUT])
    assert read(github, clock, wait=60.0).commit == COMMIT
    assert clock.slept == [31, 6]
    assert clock.said[0].endswith("waiting 31 s, until 2027-01-15 08:00:30 UTC")


def test_a_renamed_and_archived_repository_is_followed_and_told(github: GitHub):
    github.holds(archive(FILES), "ann/new-work", archived=True)
    github.say(ABOUT, Reply(301, headers={"Location": "/api/v3/repositories/7"}))
    github.say("/api/v3/repositories/7", *github.replies["/api/v3/repos/ann/new-work"])
    fetched = read(github)
    assert fetched.name == "ann/new-work"
    assert fetched.notes == ("renamed: ann/work is now ann/new-work", "archived by its owners: it gets no repairs")
    assert len(github.seen) == 5


def test_a_ref_is_resolved_by_the_server(github: GitHub):
    github.say(f"{ABOUT}/commits/feature/x", tagged(COMMIT.encode()))
    assert read(github, ref="feature/x").commit == COMMIT


@pytest.mark.parametrize(
    ("named", "api_url", "base"),
    [
        ("ann/work", None, "https://api.github.com"),
        ("github.com/ann/work.git", None, "https://api.github.com"),
        ("https://www.github.com/ann/work/tree/feature%2Fx", None, "https://api.github.com"),
        ("https://git.example/ann/work", "https://git.example/api/v3/", "https://git.example/api/v3"),
        ("https://house.example/ann/work", "https://api.house.example", "https://api.house.example"),
        ("ann/work@v1.0-rc/2", "http://localhost:8080/api/v3", "http://localhost:8080/api/v3"),
    ],
)
def test_each_way_to_name_a_repository_leads_to_its_api(named: str, api_url: str | None, base: str):
    address = address_in(named)
    assert address is not None
    assert (address.owner, address.name) == ("ann", "work")
    assert api_base(api_url, address, secret=True) == base
    assert web_base(base) == base.removesuffix("/api/v3").replace("//api.", "//")


@pytest.mark.parametrize(
    "named",
    ["https://github.com/ann", "https://github.com/ann/work/issues/1", "ann/work@.x", "ann/work@a b", "ann/w@x.lock"],
)
def test_what_names_no_repository_is_refused(named: str):
    with pytest.raises(SourceError):
        address_in(named)


def test_what_was_not_fetched_is_noted(github: GitHub):
    github.holds(archive({**FILES, ".gitmodules": b'[submodule "x"]\n  path = x\n'}), archived=True)
    report = audit(read(github))
    assert report.coverage.notes == ("archived by its owners: it gets no repairs", "1 submodules were not fetched")


def test_a_cut_or_huge_archive_is_a_partial_result_that_says_so(github: GitHub, tmp_path: Path):
    noise = {f"m{n}.py": b"# %d\n" % (n * 7919**3) * 40 for n in range(400)}
    packed = archive(noise)
    github.say(CODELOAD, Reply(200, packed[: len(packed) // 2], cut=True))
    broken = read(github, cache=tmp_path)
    github.say(CODELOAD, Reply(200, packed))
    capped = read(github, most_archive=len(packed) // 2)
    for partial, why in ((broken, "broke off"), (capped, "longer than")):
        assert 0 < len(partial.files) < 400
        assert partial.coverage is not None
        assert partial.coverage.sampled
        assert why in partial.notes[0]
    assert not list(tmp_path.glob("*.tar.gz"))


def test_the_program_takes_names_and_addresses(
    github: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(f"HOUSE_TOKEN={SECRET}\n")
    Path("src").mkdir()
    github.say(f"{ABOUT}/commits/v1", tagged(COMMIT.encode()))
    api = ["--api-url", f"{github.base}/api/v3", "--cache", str(tmp_path / "kept")]
    assert main(["ann/work@v1", "--json", *api, "--token-env", "HOUSE_TOKEN"]) == 0
    assert main([f"{github.base}/ann/work/tree/v1", *api], {"GITHUB_TOKEN": SECRET}) == 0
    assert github.seen[-1][1]["authorization"] == f"Bearer {SECRET}"
    assert main(["ann/gone", *api]) == 5
    asked = len(github.seen)
    for code, arguments in (
        (2, ["ann/work", "--fix", *api]),
        (2, ["ann/work@a..b", *api]),
        (2, [f"http://{SECRET}@127.0.0.1/ann/work", *api]),
        (2, ["https://example.org/ann/work"]),
        (2, ["https://github.com/ann/work", *api]),
        (2, ["ann/work", "--api-url", "http://example.org/api", "--token-env", "HOUSE_TOKEN"]),
        (2, ["ann/work", "--token-env", SECRET, *api]),
        (3, ["src/wrk", *api]),
    ):
        assert main(arguments) == code, arguments
    assert len(github.seen) == asked
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
    assert printed.err.count("error: ") == 9
