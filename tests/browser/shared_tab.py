"""One page for many tests: a new page for each would cost more than most of the tests."""

from urllib.parse import urlsplit

SIZE = {"width": 1280, "height": 900}
# The browser remembers that “More” is open.
MORE = 'try { localStorage.setItem("lapviz.more", "1") } catch {}'
KINDS = "local_storage,indexeddb,cache_storage,service_workers"


def clear(client, url: str) -> None:
    """Remove what an origin has stored."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    if origin.startswith("http"):
        client.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": KINDS})


def reset(context) -> None:
    """Undo what tests set for a whole context."""
    context.set_offline(False)
    context.clear_permissions()
    context.clear_cookies()


def empty(context) -> None:
    """Close all pages of a context and remove what they have stored."""
    reset(context)
    for page in context.pages:
        client, url = context.new_cdp_session(page), page.url
        page.goto("about:blank")
        clear(client, url)
        page.close()


class Tab:
    """A page of 1280 x 900, with “More” open on every stage, and the errors that it threw.

    Between tests it loses all state: address, storage, cookies, permissions, routes, emulated
    media, other pages. Scripts that run before every document stay, so a test that needs one opens
    a new page.
    """

    def __init__(self, browser):
        self.context = browser.new_context(viewport=SIZE)
        self.context.add_init_script(MORE)
        self.page = self.context.new_page()
        self.client = self.context.new_cdp_session(self.page)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def reset(self) -> None:
        page, context = self.page, self.context
        for other in context.pages:
            if other is not page:
                other.close()
        reset(context)
        url = page.url
        if url.startswith("http"):
            page.evaluate("sessionStorage.clear()")
        page.goto("about:blank")
        page.unroute_all()
        clear(self.client, url)
        page.set_default_timeout(60_000)
        page.set_viewport_size(SIZE)
        page.emulate_media(
            media="null", color_scheme="light", reduced_motion="no-preference", forced_colors="none"
        )
        page.mouse.move(0, 0)
