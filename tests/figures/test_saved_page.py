"""The saved page as text: its content, its permissions, its size."""

import base64
import hashlib
import html
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from lapviz import GalerkinEmbedding
from lapviz.explorer.host.limits import COLUMN_NUMBERS, GRID_LARGE, MAX_DRAWN
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets
from lapviz.figures.fitted_scenes import eigenfunction_scene
from lapviz.figures.live_picture import embed_code, live_page, most_bytes
from lapviz.figures.live_scenes import page_bytes
from lapviz.figures.stage.container import unpack
from lapviz.labels import Label
from lapviz.markdown import short

MAX_BYTES = 3_000_000


class Elements(HTMLParser):
    """Elements with an id or of one of these tags: attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.attributes, self.texts, self.stack = {}, {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        name = dict(attributes).get("id") or tag
        if name == "script":
            name += "-" + dict(attributes).get("type", "")
        self.attributes[name] = dict(attributes)
        self.stack.append(name)

    def handle_data(self, data):
        if self.stack:
            self.texts[self.stack[-1]] = self.texts.get(self.stack[-1], "") + data

    def handle_endtag(self, tag):
        if self.stack:
            self.stack.pop()


@pytest.fixture(scope="module")
def circles():
    return labels_view(presets.for_story("circles").change(p=200)).scene


@pytest.mark.slow
def test_pages_without_all_functions_take_at_most_three_megabytes(circles):
    rng = np.random.default_rng(0)
    most = COLUMN_NUMBERS // (GRID_LARGE**2 + MAX_DRAWN)  # labels with representers
    rows = rng.choice(2000, most, replace=False)
    marks = tuple(Label(int(row), int(row) % 2) for row in rows)
    largest = presets.for_data("four_circles").change(p=300, n=20_000, marks=marks)
    assert len(largest.labels.chosen) == most
    panels = [circles, labels_view(largest).scene]
    assert [len(scene.panels) for scene in panels] == [3, 3]
    others = [
        eigen_view(presets.for_data("half_moons")).scene,
        *(regression_view(presets.for_story(name)).scene for name in ("stop", "slopes")),
    ]
    for scene in (*panels, *others):
        page = live_page(scene, "https://lapviz.example/", title="x")
        assert len(page) <= min(most_bytes(scene), MAX_BYTES)  # which the button shows


def test_a_page_with_all_functions_takes_what_the_button_says():
    settings = presets.for_story("circles").change(p=60, n=300)
    for term in ("labelled", "all"):
        leading, complete = (
            labels_view(settings.change(term=term), complete=complete).scene
            for complete in (False, True)
        )
        assert complete.panels[1].model.complete
        assert len(live_page(complete)) <= most_bytes(leading) + page_bytes(leading, 61)


@pytest.fixture(scope="module")
def small():
    X = np.random.default_rng(0).normal(size=(30, 2))
    return eigenfunction_scene(GalerkinEmbedding(n_components=2, random_state=0).fit(X), X)


def test_the_policy_allows_this_script_and_style_and_no_request(small):
    text = live_page(small).decode()
    elements = Elements(text)
    header = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    policy = dict(part.strip().split(" ", 1) for part in html.unescape(header[1]).split(";"))
    assert policy["default-src"] == "'none'"
    for directive, name in (("script-src", "script-module"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(elements.texts[name].encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert policy["img-src"] == "data: blob:"
    assert "connect-src" not in policy  # so default-src applies
    assert policy["base-uri"] == policy["form-action"] == "'none'"


def blobs(scene, **options):
    """The static part and the answer, as stored in the page."""
    elements = Elements(live_page(scene, **options).decode())
    return (
        unpack(zlib.decompress(base64.b64decode(elements.texts[f"lapviz-{name}"])))
        for name in ("static", "answer")
    )


@pytest.mark.slow
def test_labels_can_be_set_where_a_model_depends_on_them(circles):
    """Passes need Python, and so does kernel ridge on more than two features."""
    wine = labels_view(presets.for_data("wine")).scene
    assert wine.editable
    assert "Python has answered" not in wine.remark
    for scene, editable in ((circles, True), (wine, False)):
        answer = [*blobs(scene)][1]["answer"]
        assert (answer["editable"], bool(answer["labels"])) == (editable, True)  # they are shown
        page = live_page(scene).decode()
        lam = f"λ = {short(scene.lam)}"
        assert (f"{scene.about} · {lam}" in page) is not editable, "no slider shows it"
        assert ("Other labels, settings and data need Python." in page) is not editable


@pytest.mark.slow
def test_lambda_is_added_for_classes_only():
    """Of the other pictures it is, if at all, among what the scene says of itself."""
    roll = regression_view(presets.for_story("roll-values").change(n=100, p=30, lam=10.0)).scene
    moons = eigen_view(presets.for_data("half_moons").change(n=100, p=30)).scene
    assert roll.about.endswith(" · λ = 10")
    assert "λ" not in moons.about
    for scene in (roll, moons):
        assert f'<p class="about">{scene.about}</p>' in live_page(scene).decode()


NASTY = "</title><script>alert(1)</script><img src=x onerror=alert(1)>\"' &amp; $policy ${x} -->"


def test_text_stays_text(small):
    scene = replace(small, classes=(NASTY, "b"), about=NASTY)
    elements = Elements(live_page(scene, title=NASTY, file_name=NASTY).decode())
    assert elements.texts["title"] == elements.texts["h1"] == NASTY
    assert not {"script-", "img"} & set(elements.attributes)


NO_LINKS = (
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//host/x", "labels?p=2", "",
)  # fmt: skip


def test_only_web_addresses_become_links_and_links_and_embed_code_are_escaped(small):
    for link in NO_LINKS:
        assert "lapviz-link" not in Elements(live_page(small, link).decode()).attributes
    link = 'https://lapviz.example/labels?a=1&b="><script>'
    page = Elements(live_page(small, link, file_name='a "b" & c.html', title="<t>").decode())
    assert page.attributes["lapviz-link"]["href"] == link
    assert page.attributes["lapviz-link"]["rel"] == "noopener noreferrer"
    code = page.texts["lapviz-embed"]
    assert code == embed_code('a "b" & c.html', "<t>")
    assert Elements(code).attributes["iframe"]["src"] == 'a "b" & c.html'
    assert Elements(code).attributes["iframe"]["title"] == "<t>"


@pytest.mark.slow
def test_the_page_says_what_needs_python_and_has_the_licence_of_what_is_inside(circles, small):
    for scene, phrases in (
        (circles, ("σ, p, kernel, energy or data set needs Python", "“needs Python” stays as")),
        (small, ("Hover, zoom and enlarge work here", "Mike Bostock", "Permission to use")),
    ):
        assert [phrase for phrase in phrases if phrase not in live_page(scene).decode()] == []
