"""A real browser before a real room."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_driver import DESK, Visiting, Visitor
from playwright.sync_api import Browser, sync_playwright
from room_driver import Running, running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's own, for one file: while it runs, nothing else in the process can run a loop."""
    with sync_playwright() as playwright:
        # Run as root, as in a container, the browser's own sandbox cannot be set up.
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--disable-dev-shm-usage", "--disable-gpu", *alone],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture
def visitor(chromium: Browser, room: Running) -> Iterator[Visiting]:
    """Somebody new, on a screen of this size. Whatever a page complains of fails the test."""
    contexts = []
    everybody: list[Visitor] = []

    def arrive(size: tuple[int, int] = DESK, **more: Any) -> Visitor:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **more)
        contexts.append(context)
        everybody.append(Visitor(room, context.new_page()))
        return everybody[-1]

    yield arrive
    for context in contexts:
        context.close()
    troubles = [each for one in everybody for each in one.troubles]
    assert not troubles, troubles
