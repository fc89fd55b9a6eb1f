"""The dashboard of ml-audit in a real browser: a repository is audited through the form, and its pages are read."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import chromium


@pytest.fixture
def dashboard(tmp_path: Path) -> Iterator[str]:
    """Its address; it serves two small repositories of ours below one root."""
    for name, draw in (("seeded", "random.seed(0)"), ("drawn", "")):
        (tmp_path / "code" / name).mkdir(parents=True)
        (tmp_path / "code" / name / "train.py").write_text(f"import random\n{draw}\nprint(random.random())\n")
    flags = ["--root", str(tmp_path / "code"), "--history", str(tmp_path / "h.sqlite3"), "--port", "0"]
    program = subprocess.Popen([sys.executable, "-m", "ml_audit", "serve", *flags], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    try:
        yield program.stdout.readline().split()[1]
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0
    finally:
        program.kill()
        program.stdout.close()


def test_a_repository_is_audited_through_the_form_and_read(dashboard: str):
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 380, "height": 800}, color_scheme="dark")
        asked: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(dashboard)
        assert page.get_by_role("heading", name="Nothing audited yet").is_visible()
        for name in ("seeded", "drawn", "drawn"):
            page.goto(dashboard)
            page.get_by_label("Audit a repository").fill(f"local/code/{name}")
            page.get_by_role("button", name="Audit", exact=True).click()
            page.get_by_role("heading", name=f"local/code/{name}").wait_for()
        assert page.url == f"{dashboard}/repositories/local/code/drawn"
        assert page.get_by_text("python-seed-missing").first.is_visible()
        assert page.locator("svg.chart circle").count() == 2
        assert page.locator("img[alt^=badge]").evaluate("image => image.complete && image.naturalHeight") == 20
        for address in (page.url, dashboard, f"{dashboard}/compare"):
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 29)"
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_role("button", name="Compare").click()
        assert page.get_by_role("row", name="seed python yes no").is_visible()
        page.goto(dashboard)
        page.get_by_label("Audit a repository").fill("/etc")
        page.get_by_role("button", name="Audit", exact=True).click()
        assert page.get_by_text("no directory that this dashboard reads").is_visible()
        assert {url.split("/")[2] for url in asked} == {dashboard.split("/")[2]}
        assert [told for told in errors if "422" not in told] == []
