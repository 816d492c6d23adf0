"""Segmentation: exact on clear regions, equal to the plain estimator, the same at every step."""

import numpy as np
import pytest

from lapviz import LaplacianClassifier, pictures
from lapviz.pictures import Picture, Stroke
from lapviz.pictures import segment as module

STROKES = (Stroke(0, 1, ((3, 4), (3, 30))), Stroke(1, 1, ((30, 20), (40, 20))))


def two_regions(noise=6, seed=0):
    """A noisy disc on a noisy ground, and its mask."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:36, :50]
    mask = ((x - 33) ** 2 + (y - 20) ** 2 <= 121).astype(np.uint8)
    colours = np.array([[40, 90, 60], [230, 150, 60]])
    rgb = colours[mask] + rng.normal(0, noise, (36, 50, 3))
    return Picture("disc", np.clip(rgb, 0, 255).astype(np.uint8)), mask


def test_two_regions_are_separated_exactly_and_probabilities_of_three_classes_sum_to_one():
    picture, mask = two_regions()
    segmenter = pictures.prepare(picture)
    result = segmenter.segment(STROKES)
    np.testing.assert_array_equal(result.mask, mask)
    assert result.codes == (0, 1)
    assert result.shares == {0: (mask == 0).mean(), 1: (mask == 1).mean()}
    result = segmenter.segment((*STROKES, Stroke(2, 1, ((3, 34), (20, 34)))))
    assert result.probabilities.shape == (36, 50, 3)
    np.testing.assert_allclose(result.probabilities.sum(axis=2), 1, rtol=1e-5)
    best = np.array(result.codes)[result.probabilities.argmax(axis=2)]
    assert (best == result.mask).mean() > 0.999  # ties of clipped probabilities aside


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_it_is_the_plain_estimator_on_the_same_pixels(lam):
    picture, _ = two_regions(noise=40)
    result = pictures.prepare(picture, weight=0.3, n_landmarks=60).segment(STROKES, lam=lam)
    X = pictures.features(picture.rgb, 0.3)
    y = pictures.paint(STROKES, (36, 50)).ravel().astype(int)
    plain = LaplacianClassifier(operator="laplacian", n_landmarks=60, lam=lam, mu="floor",
                                random_state=0).fit(X, y)  # fmt: skip
    np.testing.assert_array_equal(result.mask.ravel(), plain.predict(X))
    probabilities = plain.predict_proba(X).reshape(36, 50, 2)
    np.testing.assert_allclose(result.probabilities, probabilities, atol=1e-6)


def test_a_coarse_segmentation_has_the_values_of_the_full_one():
    picture, _ = two_regions(noise=40)
    segmenter = pictures.prepare(picture)
    full = segmenter.segment(STROKES)
    with pytest.raises(ValueError, match="step must be"):
        segmenter.segment(STROKES, step=0)
    for step in (2, 3, 7):
        coarse = segmenter.segment(STROKES, step=step)
        np.testing.assert_array_equal(coarse.mask, full.mask[::step, ::step])
        expected = full.probabilities[::step, ::step]
        np.testing.assert_allclose(coarse.probabilities, expected, atol=1e-6)


def test_a_large_picture_is_assembled_on_a_lattice(monkeypatch):
    picture, mask = two_regions()
    monkeypatch.setattr(module, "MOST_ASSEMBLED", 500)
    segmenter = pictures.prepare(picture)
    assert segmenter.lattice == 2
    assert segmenter.assembled.forms.n_samples == 18 * 25
    np.testing.assert_array_equal(segmenter.segment(STROKES).mask, mask)


def test_many_scribbled_pixels_are_thinned_and_no_class_is_lost(monkeypatch):
    picture, _ = two_regions()
    monkeypatch.setattr(module, "MOST_LABELLED", 40)
    segmenter = pictures.prepare(picture)
    strokes = (Stroke(0, 12, ((10, 10), (40, 30))), Stroke(1, 0, ((45, 2),)))
    rows, codes = segmenter.labelled(strokes)
    assert len(rows) <= 42
    assert set(codes) == {0, 1}
    painted = pictures.paint(strokes, (36, 50)).ravel()
    np.testing.assert_array_equal(painted[rows], codes)


@pytest.mark.parametrize(
    "strokes",
    [(), STROKES[:1], (*STROKES, Stroke(pictures.ERASER, 99, ((30, 20),))),
     (Stroke(0, 1, ((-90, -90),)), STROKES[1])],
)  # fmt: skip
def test_fewer_than_two_classes_are_refused(strokes):
    segmenter = pictures.prepare(two_regions()[0])
    for call in (segmenter.segment, lambda s: pictures.ridge_classes(segmenter, s),
                 lambda s: pictures.graph_classes(segmenter, s)):  # fmt: skip
        with pytest.raises(ValueError, match="at least two classes"):
            call(strokes)


def test_one_colour_without_position_is_refused():
    grey = Picture("grey", np.full((20, 20, 3), 90, np.uint8))
    with pytest.raises(ValueError, match="one colour"):
        pictures.prepare(grey, weight=0.0)
    result = pictures.prepare(grey, weight=0.5).segment(
        (Stroke(0, 1, ((2, 10),)), Stroke(1, 1, ((17, 10),)))
    )
    np.testing.assert_array_equal(result.mask[:, [0, 19]], [[0, 1]] * 20)


def test_kernel_ridge_matches_its_linear_system():
    picture, _ = two_regions(noise=40)
    segmenter = pictures.prepare(picture, n_landmarks=50)
    classes = pictures.ridge_classes(segmenter, STROKES, lam=0.5)
    rows, codes = segmenter.labelled(STROKES)
    X, kernel = segmenter.points.astype(float), segmenter.kernel
    weights = np.linalg.solve(
        kernel(X[rows], X[rows]) + len(rows) * max(0.5 * segmenter.mu, 1e-12) * np.eye(len(rows)),
        np.where(codes == 1, 1.0, -1.0),
    )
    scores = kernel(X, X[rows]) @ weights
    clear = np.abs(scores) > 1e-6
    np.testing.assert_array_equal(classes.ravel()[clear], (scores > 0)[clear])


@pytest.mark.parametrize("options", [{"lam": -1.0}, {"lam": "1"}, {"step": 0}, {"step": 2.5}])
def test_kernel_ridge_refuses_what_segment_refuses(options):
    segmenter, (name,) = pictures.prepare(two_regions()[0]), options
    for call in (segmenter.segment, lambda s, **o: pictures.ridge_classes(segmenter, s, **o)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            call(STROKES, **options)


def test_the_graph_runs_on_a_lattice_of_a_large_picture(monkeypatch):
    picture, mask = two_regions()
    monkeypatch.setattr(pictures.baselines, "MOST_NODES", 500)
    classes, step = pictures.graph_classes(pictures.prepare(picture), STROKES)
    assert step == 2
    assert classes.shape == (18, 25)
    assert (classes == mask[::2, ::2]).mean() > 0.97


def test_a_graph_that_would_lose_a_class_is_refused(monkeypatch):
    monkeypatch.setattr(pictures.baselines, "MOST_NODES", 500)
    segmenter = pictures.prepare(two_regions()[0])
    dots = Stroke(0, 0, ((0, 0),)), Stroke(1, 0, ((1, 0),))
    for strokes in (dots, (*dots, Stroke(2, 5, ((30, 20),)))):
        assert segmenter.segment(strokes).mask.shape == (36, 50)
        with pytest.raises(ValueError, match="2 × 2 pixels, and a class is only in squares of"):
            pictures.graph_classes(segmenter, strokes)


@pytest.mark.parametrize(
    "parameters", [{"n_landmarks": 0}, {"bandwidth": -1.0}, {"weight": 2.0}, {"bandwidth": "0.5"}]
)
def test_a_parameter_out_of_range_is_refused(parameters):
    with pytest.raises(ValueError, match=r"\w"):
        pictures.prepare(two_regions()[0], **parameters)


# ---- the photographs -----------------------------------------------------------------------


def pagoda():
    """The tower of china.jpg as a hand-drawn polygon, and thin scribbles of three classes."""
    from PIL import Image, ImageDraw

    corners = [(204, 30), (214, 32), (216, 48), (230, 70), (270, 100), (320, 122), (300, 137),
               (298, 160), (330, 172), (322, 190), (320, 233), (328, 243), (352, 252), (340, 268),
               (340, 305), (350, 320), (372, 338), (345, 370), (330, 372), (310, 395), (305, 425),
               (290, 400), (250, 390), (210, 385), (205, 362), (130, 340), (75, 335), (82, 285),
               (65, 275), (70, 258), (98, 245), (97, 233), (100, 190), (85, 180), (90, 167),
               (120, 160), (120, 138), (95, 130), (100, 108), (150, 95), (190, 65), (198, 48),
               (195, 35)]  # fmt: skip
    image = Image.new("L", (640, 427))
    ImageDraw.Draw(image).polygon(corners, fill=1)
    paths = [(0, (205, 60), (205, 240)), (0, (120, 305), (300, 300)), (1, (60, 60), (600, 100)),
             (1, (420, 270), (520, 260)), (2, (30, 380), (180, 380)), (2, (420, 370), (520, 350)),
             (2, (600, 200), (600, 380))]  # fmt: skip
    return np.asarray(image) == 1, tuple(Stroke(code, 1, tuple(path)) for code, *path in paths)


@pytest.mark.long
def test_on_the_tower_it_beats_ridge_and_is_level_with_the_graph():
    tower, strokes = pagoda()
    segmenter = pictures.prepare(pictures.load("china"))
    ours = (segmenter.segment(strokes).mask == 0) != tower
    ridge = (pictures.ridge_classes(segmenter, strokes, step=3) == 0) != tower[::3, ::3]
    classes, step = pictures.graph_classes(segmenter, strokes)
    graph = (classes == 0) != tower[::step, ::step]
    assert ours.mean() < 0.05
    assert ours.mean() < 0.6 * ridge.mean()
    assert ours.mean() == pytest.approx(graph.mean(), abs=0.01)
