"""The stage on a bare page, without Streamlit, under a strict Content-Security-Policy."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import stage_scenes
from bare_page import opened, until

from lapviz import kernels, scenes
from lapviz.estimates import codes, ridge_on_labels
from lapviz.labels import Label
from lapviz.scenes import RidgeModel

PICTURE = """(i) => {
  const { base } = window.__lapviz.stages.alone.panels[i];
  const { data } = base.getContext("2d").getImageData(0, 0, base.width, base.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""
WAITING = "window.__lapviz.stages.alone.panels.map((p) => p.node.classList.contains('waiting'))"


@pytest.fixture
def scene():
    labels = (Label(-1, 0, (0.2, 0.3)), Label(-1, 1, (0.8, 0.7)))
    return stage_scenes.scene(labels, with_columns=True, shift=2.0)


def test_a_strict_policy_lets_the_stage_paint_and_follow_lambda(page, scene):
    opened(page, scene)
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    assert page.evaluate(WAITING) == [False, False, True]  # the graph is Python's alone
    assert all(page.evaluate(PICTURE, i) > 100 for i in range(3))
    page.evaluate("window.__lapviz.stages.alone.setFilter('landweber')")
    until(page, "window.painted.includes('filter')")
    assert page.evaluate(WAITING) == [False, False, True]
    assert page.evaluate("window.violations") == []
    assert page.evaluate("window.tryText()") == "refused"  # so the policy does hold


def test_a_panel_does_not_wait_for_what_it_does_not_depend_on(page, scene):
    graph = dataclasses.replace(scene.panels[2], depends=("labels",))
    bare = dataclasses.replace(scene.panels[0], model=None, depends=("lam", "labels"))
    opened(page, dataclasses.replace(scene, panels=(bare, scene.panels[1], graph)))
    page.evaluate("window.__lapviz.stages.alone.setFilter('heat')")
    until(page, "window.painted.includes('filter')")
    assert page.evaluate(WAITING) == [False, False, False]
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    assert page.evaluate(WAITING) == [True, False, False]
    page.evaluate("window.__lapviz.stages.alone.edit({ labels: [], did: 'cleared' })")
    until(page, "window.painted.includes('labels')")
    assert page.evaluate(WAITING) == [True, False, True]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_samples", [60, 100])
def test_the_share_right_follows_lambda(page, js, n_classes, n_samples):
    """Counted as Python counts, over the drawn points; marked where these are not all."""
    xy = stage_scenes.scene(()).points.xy
    labels = tuple(Label(10 * i, i % n_classes).at(*xy[i]) for i in range(6))
    scene = stage_scenes.scene(labels, n_classes=n_classes, n_samples=n_samples)
    truth = np.random.default_rng(0).integers(-1, n_classes, 60)
    panels = tuple(dataclasses.replace(p, accuracy=0.125, depends=d) for p, d in
                   zip(scene.panels, (("lam",), ("lam",), ("labels",)), strict=True))  # fmt: skip
    points = dataclasses.replace(scene.points, truth=truth)
    scene = dataclasses.replace(scene, points=points, panels=panels)
    opened(page, scene)
    heads = "[...document.querySelectorAll('.score')].map((node) => node.textContent)"
    assert page.evaluate(heads) == ["accuracy 12.5 %"] * 3
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    rest = (truth >= 0) & (np.arange(60) > 5)
    expected = []
    for panel in (0, 1):
        _, at = stage_scenes.evaluate(js, scene, panel, 0.02, anchored=True)
        right = codes.decode(at.T)[rest] == truth[rest]
        words = scenes.accuracy_words(right.mean())
        expected.append(words if n_samples == 60 else f"≈ {words}")
    assert page.evaluate(heads) == [*expected, "accuracy 12.5 %"]
    titled = page.evaluate("document.querySelector('.score').title")
    assert titled == ("" if n_samples == 60 else "Counted over the 60 points that are drawn")
    page.evaluate("window.__lapviz.stages.alone.setLam(0.1, false)")  # Python's answer again
    until(page, f"{heads}.every((text) => text === 'accuracy 12.5 %')")


def test_far_from_the_labels_the_sign_of_a_score_still_counts(page):
    """A narrow kernel decays below float32's range, Python's scores do not."""
    kernel = kernels.get("gaussian", 0.025)
    labels = (Label(-1, 0, (0.3, 0.4)), Label(-1, 1, (0.4, 0.6)))
    scene = stage_scenes.scene(labels)
    model = RidgeModel.of(kernel)
    panel = dataclasses.replace(scene.panels[0], model=model, accuracy=0.5)
    opened(page, dataclasses.replace(scene, panels=(panel,), n_samples=60))
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    X = np.array([label.place for label in labels])
    scores = kernel(scene.points.xy, X) @ ridge_on_labels(
        kernel, X, np.array([[-1.0], [1.0]]), 0.02 * scene.mu
    )
    assert (np.abs(scores) < 1e-46).any()
    share = (codes.decode(scores) == scene.points.truth).mean()
    head = page.evaluate("document.querySelector('.score').textContent")
    assert head == scenes.accuracy_words(share)


def test_a_kernel_without_a_formula_waits_for_python(page, scene):
    bare = dataclasses.replace(scene.panels[0], model=None)
    opened(page, dataclasses.replace(scene, panels=(bare, *scene.panels[1:])))
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    assert page.evaluate(WAITING) == [True, False, True]


def test_a_filter_without_a_formula_waits_for_python(page, scene):
    blind = tuple(dataclasses.replace(f, formula=None) for f in scene.filters)
    opened(page, dataclasses.replace(scene, filters=blind))
    page.evaluate("window.__lapviz.stages.alone.setLam(0.02, false)")
    until(page, "window.painted.includes('lam')")
    assert page.evaluate(WAITING) == [False, True, True]
