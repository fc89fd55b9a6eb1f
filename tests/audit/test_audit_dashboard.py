"""The dashboard: what it audits and for whom, what it keeps, what it shows, and how it says what is wrong."""

import json
import os
import resource
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from speaking_github import COMMIT, FILES, Reply, archive, speaking

from ml_audit import Report
from ml_audit.cli import main
from ml_audit.dashboard.application import application
from ml_audit.dashboard.auditing import Auditor
from ml_audit.dashboard.doors import Door
from ml_audit.dashboard.faults import HistoryError
from ml_audit.dashboard.grounds import Grounds, labelled
from ml_audit.dashboard.history import History
from ml_audit.github import GitHubRepository, Patience, Token, address_in

EVIL = "<img src=x onerror=alert(1)>"
TOKEN = "a-token-of-the-dashboard"
DRAWN = "import random\nprint(random.random())\n"


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with two small repositories, beside a secret."""
    root = tmp_path_factory.mktemp("ground") / "code"
    for name, text in (("drawn", DRAWN), ("seeded", f"import random\nrandom.seed(0)\n{DRAWN}")):
        (root / name).mkdir(parents=True)
        (root / name / "train.py").write_text(text)
    (root / "drawn" / f"{EVIL}.py").write_text(DRAWN)
    (root.parent / "secret").mkdir()
    (root.parent / "secret" / "key.py").write_text(DRAWN)
    (root / ".hidden").mkdir()
    (root / ".hidden" / "key.py").write_text(DRAWN)
    (root / "out").symlink_to(root.parent / "secret")
    return root


def opened(code: Path, history: Path, *, token: str | None = None, api: str | None = None) -> TestClient:
    """A dashboard on `code` and, with `api`, on a server that speaks GitHub's API."""

    def remote(named: str) -> GitHubRepository | None:
        address = address_in(named)
        patience = Patience(sleep=lambda _: None)
        return address and GitHubRepository(address, f"{api}/api/v3", Token("the-key-never-shown"), patience=patience)

    kept = History(history, patience_s=0.1)
    kept.prepare()
    auditor = Auditor(Grounds(labelled([code]), remote), kept, lambda: datetime(2026, 11, 30, 9, 5, tzinfo=UTC))
    app = application(auditor, Door(frozenset({"localhost"}), token), suggest=token is None)
    return TestClient(app, base_url="http://localhost", follow_redirects=False)


@pytest.fixture(scope="module")
def client(code: Path, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A dashboard that has audited both."""
    made = opened(code, tmp_path_factory.mktemp("history") / "h.sqlite3")
    for name in ("seeded", "drawn"):
        assert made.post("/audits", data={"repository": f"local/code/{name}"}).status_code == 303
    return made


def test_an_audit_is_kept_in_the_names_of_the_command(
    client: TestClient, code: Path, capsys: pytest.CaptureFixture[str]
):
    made = client.post("/api/audits", json={"repository": str(code / "seeded")})
    assert made.status_code == 201
    assert main([str(code / "seeded"), "--json"]) == 0
    assert made.json()["report"] == json.loads(capsys.readouterr().out)
    assert client.get(f"/api/audits/{made.json()['id']}").json() == made.json()
    listed = client.get("/api/audits", params={"repository": "local/code/seeded"}).json()["audits"]
    assert [audit["at"] for audit in listed] == ["2026-11-30T09:05:00Z"] * 2
    shared = set(listed[0]) & set(Report.model_fields)
    assert shared >= {"repository", "commit", "score", "score_interval", "risk", "badge"}
    assert all(listed[0][name] == made.json()["report"][name] for name in shared - {"findings"})
    (known,) = [one for one in client.get("/api/repositories").json()["repositories"] if "seeded" in one["key"]]
    assert (known["audits"], known["latest"]) == (2, listed[0])


def test_pages_show_scores_history_findings_and_a_badge(client: TestClient):
    home = client.get("/").text
    assert 'href="/repositories/local/code/drawn"' in home
    assert '<option value="local/code/seeded">' in home
    page = client.get("/repositories/local/code/drawn")
    assert "python-seed-missing" in page.text
    assert 'class="chart"' in page.text
    assert EVIL not in page.text
    assert "&lt;img src=x onerror=alert(1)&gt;.py" in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<script" not in page.text + home
    picture = client.get("/badge/local/code/drawn.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    score = client.get("/api/audits", params={"repository": "local/code/drawn"}).json()["audits"][0]["score"]
    assert f"{score:.1f}/10" in picture.text
    both = {"repository": ["local/code/drawn", "local/code/seeded"]}
    compared = client.get("/api/compare", params=both).json()
    assert compared["differing"]["seed_python"] == ["yes", "no"]
    assert "seed python" in client.get("/compare", params=both).text


ELSEWHERE = [
    "/etc",
    "local/code/../secret",
    "local/code/out",
    "local/none",
    "../secret",
    "~root",
    "local/code/missing",
    "local/code/.hidden",
    "code/work",
]


def test_a_directory_named_without_local_is_not_asked_of_github(client: TestClient):
    told = client.post("/api/audits", json={"repository": "code/work"}).json()["error"]
    assert told["kind"] == "misuse"
    assert "local/code/work" in told["message"]
    assert "github/code/work" in told["message"]


@pytest.mark.parametrize("named", [*ELSEWHERE, "\0", "", "x" * 501, "local"])
def test_nothing_else_of_this_machine_is_read_nor_told(client: TestClient, named: str):
    before = len(client.get("/api/audits").json()["audits"])
    refused = client.post("/audits", data={"repository": named})
    assert refused.status_code == 422
    assert client.post("/api/audits", json={"repository": named}).status_code == 422
    told = [client.post("/api/audits", json={"repository": n}).json() for n in ("/etc/passwd", "/etc/none")]
    assert told[0]["error"]["message"].replace("passwd", "none") == told[1]["error"]["message"]
    assert len(client.get("/api/audits").json()["audits"]) == before


def test_repositories_on_github_are_kept_under_the_name_that_they_have_now(code: Path, tmp_path: Path):
    with speaking() as github:
        github.holds(archive(FILES), name="ann/work")
        github.say("/api/v3/repos/old/name", Reply(301, headers={"Location": "/api/v3/repos/ann/work"}))
        client = opened(code, tmp_path / "h.sqlite3", api=github.base)
        for named in ("ann/work", "old/name", "github/ann/work", f"{github.base}/ann/work"):
            assert (
                client.post("/audits", data={"repository": named}).headers["location"]
                == "/repositories/github/ann/work"
            )
        (known,) = client.get("/api/repositories").json()["repositories"]
        assert (known["audits"], known["latest"]["commit"]) == (4, COMMIT)
        assert COMMIT[:10] in client.get("/repositories/github/ann/work").text
        for reply, status, kind in (
            (Reply(404), 404, "not_found"),
            (Reply(401), 502, "token"),
            (Reply(429, headers={"retry-after": "90"}), 503, "rate_limit"),
            (Reply(451), 451, "blocked"),
            (Reply(503), 502, "unreachable"),
        ):
            github.say("/api/v3/repos/ann/work", reply)
            refused = client.post("/api/audits", json={"repository": "ann/work"})
            assert (refused.status_code, refused.json()["error"]["kind"]) == (status, kind)
            assert "the-key-never-shown" not in refused.text
            assert client.post("/audits", data={"repository": "ann/work"}).status_code == status
    assert not any(b"the-key-never-shown" in p.read_bytes() for p in tmp_path.iterdir())


def test_other_sites_other_names_and_strangers_are_kept_out(code: Path, tmp_path: Path):
    client = opened(code, tmp_path / "h.sqlite3", token=TOKEN)
    order = {"repository": "local/code/seeded"}
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/", headers={"host": "192.0.2.7:8321"}).status_code == 200
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post("/audits", data={**order, "token": TOKEN}, headers=headers).status_code == 403
    assert client.post("/audits", data=order).status_code == 401
    assert (
        client.post("/api/audits", json=order, headers={"authorization": "Bearer wrong"}).json()["error"]["kind"]
        == "token_needed"
    )
    assert client.post("/audits", content=b"repository=" + b"x" * 20_000).status_code == 422
    assert client.get("/api/repositories").json() == {"repositories": []}
    assert 'type="password"' in client.get("/").text
    assert "<datalist" not in client.get("/").text
    assert client.post("/api/audits", json=order, headers={"authorization": f"Bearer {TOKEN}"}).status_code == 201
    assert (
        client.post("/audits", data={**order, "token": TOKEN}, headers={"origin": "http://localhost"}).status_code
        == 303
    )
    assert TOKEN not in client.get("/").text + repr(Door(frozenset(), TOKEN))


def test_what_is_not_there_is_told(client: TestClient):
    for path in ("/repositories/none", "/badge/none.svg", "/api/audits/99", "/none", "/compare?repository=none"):
        assert client.get(path).status_code == 404, path
    assert client.get("/repositories/local/code/drawn?audit=1").status_code == 404
    for path in (
        "/api/audits?limit=0",
        "/api/audits/x",
        "/api/compare?repository=a",
        "/api/audits/99999999999999999999",
    ):
        told = client.get(path)
        assert (told.status_code, told.json()["error"]["kind"]) == (422, "misuse"), path
    assert client.post("/api/audits", json={"repository": "a/b", "root": "/"}).status_code == 422


@pytest.fixture
def history(tmp_path: Path) -> Path:
    History(tmp_path / "h.sqlite3").prepare()
    return tmp_path / "h.sqlite3"


def serve(history: Path, *flags: str, **environ: str) -> int:
    return main(["serve", "--history", str(history), "--port", "0", *flags], environ)


def test_a_history_that_cannot_be_used_is_one_line_and_fourteen(history: Path, capsys: pytest.CaptureFixture[str]):
    def told() -> str:
        assert serve(history) == 14
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        return printed.err

    with closing(sqlite3.connect(history)) as other:
        other.execute("PRAGMA user_version = 99")
    assert "newer ml-audit" in told()
    with closing(sqlite3.connect(history)) as other:
        other.execute("PRAGMA application_id = 7")
    assert "belongs to another program" in told()
    history.write_bytes(b"SQLite format 3\0" + os.urandom(5_000))
    assert "is damaged" in told()
    history.unlink()
    history.mkdir()
    assert "cannot be" in told()


def test_a_locked_or_full_history_is_told_while_serving(code: Path, history: Path, client: TestClient):
    here = opened(code, history)
    order = {"repository": "local/code/seeded"}
    other = sqlite3.connect(history)
    other.execute("BEGIN IMMEDIATE")
    locked = here.post("/api/audits", json=order)
    other.close()
    assert (locked.status_code, locked.json()["error"]["kind"]) == (503, "history")
    assert "locked by another program" in locked.json()["error"]["message"]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        full = here.post("/audits", data=order)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handled)
    assert full.status_code == 503
    assert "full" in full.text
    assert here.get("/api/audits").json() == {"audits": []}
    assert here.post("/audits", data=order).status_code == 303
    with sqlite3.connect(history) as other:
        other.execute("UPDATE audits SET report = x'00'")
    assert "audit again" in here.get("/repositories/local/code/seeded").text
    history.unlink()
    assert here.get("/").status_code == 503


def test_a_dashboard_that_cannot_start_says_why(
    history: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert serve(history, "--port", str(taken.getsockname()[1])) == 15
    assert "address already in use" in capsys.readouterr().err
    assert serve(history, "--port", "99999") == 15
    assert serve(history, "--host", "no.such.host.invalid", ML_AUDIT_SERVE_TOKEN=TOKEN) == 15
    assert serve(history, "--host", "0.0.0.0") == 2
    assert "set a token" in capsys.readouterr().err
    assert serve(history, ML_AUDIT_SERVE_TOKEN="short") == 2
    assert serve(history, "--root", str(history.parent / "none")) == 2
    assert serve(history, "--api-url", "http://192.0.2.1/api", GITHUB_TOKEN="x") == 2
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert serve(history) == 2
    assert "pip install 'reproducegym[dashboard]'" in capsys.readouterr().err


def test_names_that_are_no_text_are_kept_as_their_codes(code: Path, tmp_path: Path):
    odd = tmp_path / "code" / "odd"
    odd.mkdir(parents=True)
    (odd / os.fsdecode(b"tr\xffain.py")).write_text(DRAWN)
    client = opened(tmp_path / "code", tmp_path / "h.sqlite3")
    made = client.post("/api/audits", json={"repository": "local/code/odd"})
    assert made.status_code == 201
    assert "tr\\udcffain.py" in {found["file"] for found in made.json()["report"]["findings"]}
    assert "tr\\udcffain.py" in client.get("/repositories/local/code/odd").text


def test_a_history_is_for_its_owner_alone(history: Path):
    assert history.stat().st_mode & 0o077 == 0
    with pytest.raises(HistoryError, match="cannot be made"):
        History(Path("/proc/none/h.sqlite3")).prepare()


def test_serve_is_the_command_beside_a_directory_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("serve").mkdir()
    Path("serve", "train.py").write_text(DRAWN)
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "set a token" in capsys.readouterr().err
    assert main(["serve", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["repository"] == "serve"
