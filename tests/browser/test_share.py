"""Keep and share: link, code and file of a page; views, hidden groups and present mode in links.

*Copy as Python*: tests/explorer/share/test_recipes.py.
"""

import re
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

from playwright.sync_api import expect

from lapviz.explorer.share.links import qr_code
from lapviz.figures.live_picture import embed_code

CLIPBOARD = "navigator.clipboard.readText()"


def test_a_page_is_shared_as_link_code_and_file(explorer, page, tmp_path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explorer.open("labels", story="circles", p=200, lam=0.5)
    page.get_by_text("Keep and share").click()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied", exact=True).wait_for()
    link = f"{page.url}&more=1"  # “More” is open here, and so for others
    assert page.evaluate(CLIPBOARD) == link
    page.get_by_role("button", name="Copy embed code").click()
    page.wait_for_function(f"{CLIPBOARD}.then((t) => t.startsWith('<iframe'))")
    title = "Four labels colour four circles"
    code = embed_code(f"{link}&embed=true&hide=page", title)
    assert unescape(page.evaluate(CLIPBOARD)) == unescape(code)
    page.get_by_role("button", name="QR code").click()
    image = page.get_by_alt_text(re.compile("QR code of http"))
    assert image.is_visible()
    assert "lam=0.5" in image.get_attribute("alt")
    explorer.settle()
    words = page.get_by_role("button", name="Save as a live page").inner_text()
    most = float(re.search(r"at most ([\d.]+) MB", words)[1])
    file = tmp_path / "lapviz-labels-circles.html"
    file.write_bytes(explorer.saved("Save as a live page", file.name, exact=False))
    assert file.stat().st_size <= 1e6 * (most + 0.05)
    saved = page.context.new_page()
    page.context.set_offline(True)
    saved.goto(file.as_uri())
    saved.locator("#lapviz-link").wait_for()
    assert saved.locator("#lapviz-link").get_attribute("href") == page.url
    assert saved.locator("h1").inner_text() == title
    page.context.set_offline(False)


def test_letters_and_more_are_in_links(visitor):
    """As in the link and as toggled by the user; a link without them leaves them unchanged."""
    state = "[s.root.hasAttribute('data-letters'), s.board.toolbar.more.open]"
    tab = visitor().open("labels", data="half_moons", n=200, p=50, letters=1, more=1)
    assert tab.ask(state) == [True, True]
    assert tab.settings.data.n_samples == 200
    tab.push("Letters").until("letters", None)
    assert tab.query["more"] == "1"
    assert tab.ask(state) == [False, True]
    tab.push("More", exact=True).until("more", None)
    tab.push("More", exact=True).until("more", "1")
    tab.press("Smoothness λ", "ArrowRight").until_not("lam", None)
    assert tab.query["more"] == "1"
    tab.open("labels", data="half_moons", n=200, p=50)
    assert tab.ask(state) == [False, True]  # remembered by the browser


def test_a_link_restores_the_view_of_its_sender(explorer, page):
    explorer.open("labels", data="digits", n=200, p=50)
    view = "[s.display.enlarged, s.view.zoom, s.display.sameScale, s.display.images]"
    assert explorer.ask("s.display.hasImages && s.display.images")
    explorer.ask("[s.display.enlarge(2), s.zoomBy(1.4), s.display.share(true), 0]")
    explorer.ask("s.display.set('images', 'images', false, 'base'), 0")
    explorer.until_not("stage", None)
    before = explorer.ask(view)
    assert before == [2, 1.4, True, False]
    # Python writes the address and keeps the view; σ would move the points, and the zoom with them
    explorer.ask("s.setKnob('lam', 1, { done: true }), 0")
    explorer.until("lam", "1")
    page.wait_for_timeout(600)  # longer than the browser waits before it writes a view
    link = page.url
    assert "stage=e2" in link
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    explorer.settle()
    assert explorer.ask(view) == before
    assert page.url == link


def test_a_link_presents_and_the_code_is_that_of_the_step(explorer, page):
    """No click is needed; the code does not turn on present mode on phones."""
    explorer.open("labels", story="circles", present=1)
    explorer.wait("s.display.present.on")
    bounds = "s.board.root.getBoundingClientRect().toJSON()"
    size = page.viewport_size
    assert explorer.ask(f"[{bounds}.width, {bounds}.height]") == [size["width"], size["height"]]
    focused = "s.board.root.contains(s.board.root.getRootNode().activeElement)"
    for _ in range(30):  # the page below has more controls than that
        page.keyboard.press("Tab")
        assert explorer.ask(focused)
    page.keyboard.press("q")
    for step, lam in (("", None), ("ArrowRight", "1e-06"), ("ArrowLeft", None)):
        if step:
            page.keyboard.press(step)
        explorer.until("lam", lam).settle()  # the code follows the address
        if lam:
            text = re.compile(r"The boundary does not move.*100.0\s% are right, 100.0\s% at λ = 1")
            expect(page.locator("div.sentence")).to_have_text(text)
        explorer.wait("s.display.present.code.image.checkVisibility()")
        sign = "" if lam else "!"  # the code is compared with the address a few times a second
        explorer.wait(f"{sign}s.display.present.code.image.alt.includes('lam=')")
        link = explorer.ask("s.display.present.code.image.alt").partition("QR code of ")[2]
        query = {name: value for name, value in explorer.query.items() if name != "present"}
        assert dict(parse_qsl(urlsplit(link).query)) == query
        assert explorer.ask("s.display.present.code.image.src") == qr_code(link)[0]
    page.keyboard.press("q")
    assert not page.locator(".code").is_visible()
    page.get_by_role("button", name="QR code", exact=True).first.click()
    assert page.locator(".code .qr").is_visible()
    page.keyboard.press("Escape")
    assert explorer.ask("s.display.present.on && s.display.present.code.node.hidden")
    assert explorer.query["present"] == "1"
    page.keyboard.press("Escape")
    explorer.until("present", None)
    assert not explorer.ask("s.display.present.on")
    explorer.reload()
    assert not explorer.ask("s.display.present.on")


def test_embed_stage_is_the_stage_alone(explorer, page):
    """Short for hide=page, also on another page that a step opens, as are hidden groups."""
    explorer.open("labels", story="noisy-circles", embed="stage", hide="data,graph", p=100, n=300)
    for name in ("stHeader", "stSidebar"):
        assert not page.get_by_test_id(name).is_visible()
    link = page.get_by_role("link", name="Open with all controls")
    explorer.ask("s.display.present.enter()")
    explorer.wait("s.display.present.on")
    while not page.url.partition("?")[0].endswith("/eigenfunctions"):
        before = page.url
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"location.href !== {before!r}")
        explorer.settle()
    explorer.until("hide", "data,graph,page")
    explorer.wait("s.display.present.on")
    page.keyboard.press("q")
    assert "no QR code here" in page.locator(".code").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert not page.get_by_test_id("stHeader").is_visible()
    page.goto(urljoin(page.url, link.get_attribute("href")))
    explorer.settle()
    assert explorer.query["hide"] == "data,graph"
    assert page.get_by_test_id("stHeader").is_visible()
