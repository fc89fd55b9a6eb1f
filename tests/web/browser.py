"""The system's Chromium for tests of pages, or why there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

__all__ = ["chromium"]

_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
_FLAGS += ["--disable-sync", "--disable-default-apps", "--no-first-run", "--disable-dev-shm-usage"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; skips visibly where there is none, and fails where CI promised one."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        lacking = "no chromium on PATH: run tests/web/install-chromium.sh"
        if os.environ.get("REPRODUCEGYM_REQUIRE_CHROMIUM") == "1":
            pytest.fail(f"REPRODUCEGYM_REQUIRE_CHROMIUM=1, yet {lacking}")
        pytest.skip(lacking)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()
