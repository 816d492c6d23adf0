"""The stage's Python side: its payloads, its mounting, and the built JavaScript."""

import dataclasses
import hashlib
import math
import re
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
import stage_scenes

from lapviz import kernels
from lapviz.estimates.codes import decode
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stage import component
from lapviz.explorer.stories import presets
from lapviz.figures.fields import nearness
from lapviz.figures.stage import PLACE, encode
from lapviz.figures.stage.container import START, fingerprint, unpack
from lapviz.figures.stage.payload import encode_parts
from lapviz.labels import Label
from lapviz.scenes import FilterChoice, Grid, Modes, Panel, Points, RidgeModel, Scene

FILTERS = (
    FilterChoice("tikhonov", "Tikhonov", ("/", 1.0, ("+", 1.0, ("*", "lam", "gamma")))),
    FilterChoice("heat", "Heat"),
)


@pytest.fixture
def scene() -> Scene:
    """Three classes: a kernel of two parameters, modes with columns, and a panel with a note."""
    labels = (Label(50, 0, (0.0, 1.0)), Label(-1, 2, (0.5, 0.5)))
    square = stage_scenes.scene(labels, 3, 5, with_columns=True, intercept=True, filters=FILTERS,
                                lam=0.5, hide=("zoom",))  # fmt: skip
    rng = np.random.default_rng(0)
    values = {"points": rng.normal(size=(3, 60)), "grid": rng.normal(size=(3, 24, 24))}
    ridge, laplacian, graph = square.panels
    model = RidgeModel.of(kernels.get("polynomial", 0.5, degree=4))
    panels = (
        dataclasses.replace(ridge, model=model, **values),
        dataclasses.replace(laplacian, **values),
        dataclasses.replace(graph, grid=None, note="The graph falls apart."),
    )
    return dataclasses.replace(square, panels=panels)


# ---- bytes ----------------------------------------------------------------------------------


def test_a_scene_survives_the_bytes(scene):
    sent = unpack(encode(scene))
    static, answer = sent["static"], sent["answer"]
    np.testing.assert_array_equal(static["points"]["xy"], scene.points.xy.astype("f4"))
    np.testing.assert_array_equal(static["points"]["index"], scene.points.index)
    np.testing.assert_array_equal(static["points"]["truth"], scene.points.truth)
    near = static["grid"].pop("near")
    assert static["grid"] == {"x": [0.0, 1.0, 24], "y": [0.0, 1.0, 24]}
    np.testing.assert_array_equal(near, nearness(scene.grid, scene.points.xy))
    assert near.dtype == np.uint8
    model = scene.panels[1].model
    assert static["modes"][0]["gamma"] == model.gamma.tolist()
    np.testing.assert_allclose(static["modes"][0]["grid"], model.grid, rtol=6e-4)
    np.testing.assert_allclose(static["modes"][0]["points"], model.points, rtol=6e-4)
    for panel, original in zip(answer["panels"][:2], scene.panels[:2], strict=True):
        np.testing.assert_array_equal(panel["points"], original.points.astype("f4"))
        np.testing.assert_allclose(panel["grid"], original.grid, rtol=6e-4)
    ridge = answer["panels"][0]["model"]
    assert ridge["is"] == "ridge"
    assert ridge["argument"] == "u"
    assert ridge["values"] == {"sigma": 0.5, "degree": 4.0}
    assert ridge["formula"] == ["**", ["+", 1.0, ["/", "u", ["**", "sigma", 2.0]]], "degree"]
    columns = answer["panels"][1]["model"]
    turn = np.array(columns["columns_turn"])
    gram = turn.T @ model.columns_gram @ turn
    np.testing.assert_allclose(gram, np.diag(np.diag(gram)), atol=1e-12 * np.abs(gram).max())
    turned = np.tensordot(turn.T, model.columns_grid, 1)
    np.testing.assert_allclose(columns["columns_grid"], turned, rtol=6e-4)
    assert columns["columns_gram"] == model.columns_gram.tolist()
    assert answer["panels"][2]["note"] == "The graph falls apart."
    assert answer["labels"] == [[0.0, 1.0, 50, 0], [0.5, 0.5, -1, 2]]
    assert answer["hide"] == ["zoom"]
    assert answer["filters"] == {
        "tikhonov": {"label": "Tikhonov", "formula": ["/", 1.0, ["+", 1.0, ["*", "lam", "gamma"]]]},
        "heat": {"label": "Heat", "formula": None},
    }
    for name in ("lam", "mu", "filter", "data_term", "editable", "free_labels", "view_key", "kind"):
        assert answer[name] == getattr(scene, name)


def test_digits_signs_zeros_and_nan_are_kept(scene):
    """One output is sent exactly; several outputs and modes as half floats with a scale per row."""
    grid = np.zeros((3, 24, 24))
    grid[0, 0, 0], grid[1, 0, :2] = np.nan, (-7e4, 1e-9)
    one = np.random.default_rng(1).normal(size=(1, 24, 24))
    fade = np.concatenate([np.geomspace(1e3, 1e-5, 288), -np.geomspace(1e-5, 1e3, 288)])
    rows = np.tile(fade, 5).reshape(5, 24, 24) * 10.0 ** -np.arange(0, 20, 4)[:, None, None]
    model = dataclasses.replace(scene.panels[1].model, grid=rows)
    panels = (
        dataclasses.replace(scene.panels[0], grid=grid),
        dataclasses.replace(scene.panels[1], model=model),
        Panel("one", one[:, 0, :1].repeat(60, axis=1), one),
    )
    sent = unpack(encode(dataclasses.replace(scene, panels=panels, lam=math.inf)))
    several, _, exact = (panel["grid"] for panel in sent["answer"]["panels"])
    np.testing.assert_allclose(several, grid, rtol=6e-4, atol=1e-8)
    np.testing.assert_array_equal(exact, one.astype("f4"))
    np.testing.assert_allclose(sent["static"]["modes"][0]["grid"], model.grid, rtol=1e-3)
    assert sent["answer"]["lam"] is None


def test_modes_that_underflow_reach_the_browser_as_zeros(scene):
    """Far from all data they fall below the smallest float32, and must not become infinite."""
    ridge, laplacian, graph = scene.panels
    scale = np.float32(1e-42) / np.abs(laplacian.model.grid).max()
    faint = dataclasses.replace(laplacian.model, grid=laplacian.model.grid * scale)
    panels = (ridge, dataclasses.replace(laplacian, model=faint), graph)
    sent = unpack(encode(dataclasses.replace(scene, panels=panels)))["static"]["modes"][0]["grid"]
    assert np.abs(faint.grid).max() > 0
    assert np.isfinite(sent).all()


@pytest.mark.slow
def test_marks_of_wrong_points_agree_with_the_accuracy():
    """Far from its four labels, kernel ridge has scores that underflow in single precision."""
    scene = labels_view(presets.for_story("spread")).scene
    sent = unpack(encode(scene))["answer"]["panels"]
    unlabelled = ~np.isin(scene.points.index, [label.index for label in scene.labels])
    truth = scene.points.truth[unlabelled]
    for panel, original in zip(sent, scene.panels, strict=True):
        codes = decode(np.asarray(panel["points"]).T)
        assert np.mean(codes[unlabelled] == truth) == pytest.approx(original.accuracy, abs=1e-12)
    assert [panel["points"].dtype for panel in sent] == ["f8", "f4", "f4"]


def test_the_hash_depends_on_the_content(scene):
    static, answer = encode_parts(scene, {"key": "k"})
    assert unpack(answer)["needs"] == fingerprint(static)
    changed = encode_parts(dataclasses.replace(scene, lam=0.7), {"key": "k"})
    assert fingerprint(changed[0]) == fingerprint(static)
    assert fingerprint(changed[1]) != fingerprint(answer)
    moved = dataclasses.replace(
        scene, points=dataclasses.replace(scene.points, xy=scene.points.xy + 1)
    )
    assert fingerprint(encode_parts(moved, {"key": "k"})[0]) != fingerprint(static)


def test_points_in_space_and_images_are_sent_once():
    rng = np.random.default_rng(5)
    n = 9
    xyz, images = rng.normal(size=(n, 3)), rng.integers(0, 256, (n, 5, 4)).astype(np.uint8)
    points = Points(xyz[:, :2], np.arange(n), None, xyz, images)
    panels = tuple(Panel(name, rng.normal(size=(1, n))) for name in "ab")
    scene = Scene(panels, points, (0, 1, 0, 1), "k", axes=("x", "y", "z"))
    static, answer = encode_parts(scene)
    sent = unpack(static)["static"]["points"]
    np.testing.assert_array_equal(sent["xyz"], xyz.astype("f4"))
    np.testing.assert_array_equal(sent["images"], images)
    assert sent["images"].dtype == np.uint8
    assert sent["xy"] is None, "points in space have no positions in a plane"
    assert len(static) < 12 * n + images.size + 4 * n + 900
    (size,) = struct.unpack_from("<I", static)
    offsets = [START + size, *map(int, re.findall(rb'"at":(\d+)', static))]
    assert len(offsets) == 4
    assert all(offset % 8 == 0 for offset in offsets), "typed arrays are aligned in memory"
    assert unpack(answer)["answer"]["axes"] == ["x", "y", "z"]


def test_payloads_are_small():
    """64 modes on 96 x 96 and three panels: about 1.2 MB once, then little for each answer."""
    n, m, side = 800, 64, 96
    rng = np.random.default_rng(0)
    grid = Grid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    modes = Modes(np.arange(m) + 1.0, rng.normal(size=(m, side, side)), rng.normal(size=(m, n)))
    panel = Panel("f", rng.normal(size=(1, n)), rng.normal(size=(1, side, side)), model=modes)
    points = Points(rng.random((n, 2)), np.arange(n))
    static, answer = encode_parts(Scene((panel,) * 3, points, (0, 1, 0, 1), "k", grid))
    assert len(static) < 1.01 * (2 * m * (side * side + n)) + 40 * n
    assert len(answer) < 3 * 4 * (side * side + n) + 4000


# ---- mounting -----------------------------------------------------------------------------------


def test_a_key_that_streamlit_cannot_take_is_refused(scene):
    with pytest.raises(ValueError, match="contains '__'"):
        component.stage(component.Encoded.of(scene), key="a__b")


# ---- the bundle -------------------------------------------------------------------------------


SOURCES = Path(component.__file__).parent


def sources() -> dict[str, Path]:
    """Sources of the bundle by their names in build.mjs."""
    folder = SOURCES
    scripts = [*folder.glob("js/*/*.js*"), *folder.glob("vendor/*.js")]
    paths = {path.relative_to(folder).as_posix(): path for path in scripts}
    return {"../../contract.json": folder.parents[1] / "contract.json"} | paths


def test_the_bundle_was_built_from_these_sources():
    digest = hashlib.sha256()
    for name, path in sorted(sources().items()):
        digest.update(f"{name}\n".encode() + path.read_bytes())
    head = (PLACE / "bundle.js").read_text("utf-8").splitlines()[:3]
    assert f"// sources: sha256 {digest.hexdigest()}" in head, "npm ci && npm run build (build.mjs)"


@pytest.mark.slow
def test_esbuild_reproduces_the_bundle(tmp_path):
    if not (SOURCES / "node_modules").is_dir() or shutil.which("node") is None:
        pytest.skip("the build's tools are not installed: npm ci, in lapviz/explorer/stage")
    built = tmp_path / "bundle.js"
    subprocess.run(["node", "build.mjs", str(built)], cwd=SOURCES, check=True)
    assert built.read_bytes() == (PLACE / "bundle.js").read_bytes()


def test_the_bundle_has_every_module_and_evaluates_no_strings():
    text = (PLACE / "bundle.js").read_text("utf-8")
    for name in sources():
        assert f"// {name}\n" in text, f"{name} is imported by nothing"
    assert "new Function" not in text
    assert "eval(" not in text


def test_the_lock_names_no_host():
    """A build uses the registry of whoever builds."""
    assert "://" not in (SOURCES / "package-lock.json").read_text("utf-8")
