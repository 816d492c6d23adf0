"""The page that the tests share remembers nothing of the test before."""

from __future__ import annotations

import pytest
from shared_tab import Tab

HELD = """[localStorage.length, sessionStorage.length, document.cookie.length, innerWidth,
  matchMedia("(prefers-color-scheme: dark)").matches,
  matchMedia("(prefers-reduced-motion: reduce)").matches,
  matchMedia("(forced-colors: active)").matches, Boolean(window.left)]"""
NOTHING = [0, 0, 0, 1280, False, False, False, False]


@pytest.fixture
def tab(browser):
    tab = Tab(browser)
    yield tab
    tab.context.close()


def opened(tab):
    tab.page.route("http://tab.test/", lambda route: route.fulfill(body="<h1>It</h1>"))
    tab.page.goto("http://tab.test/")
    return tab.page


def test_a_tab_forgets_all_that_it_can_hold(tab):
    page = opened(tab)
    assert page.evaluate(HELD) == NOTHING
    page.evaluate(
        """() => {
          localStorage.a = sessionStorage.b = "kept";
          document.cookie = "c=kept";
          window.left = true;
          addEventListener("pagehide", () => (localStorage.late = "kept"));
        }"""
    )
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce", forced_colors="active")
    page.context.new_page()
    assert all(page.evaluate(HELD))
    tab.forget()
    assert tab.page.url == "about:blank"
    assert len(tab.context.pages) == 1
    assert opened(tab).evaluate(HELD) == NOTHING
