"""Scenes as the bytes that the browser reads: one blob with what lasts, another with the answer.

The first (grid, points, modes; curves) makes up most of the bytes and depends on data and spectrum
only. Streamlit does not send an unchanged message twice, so a change of lambda or of a label costs
only the second blob, which names the first by its content hash.
"""

from __future__ import annotations

from typing import Any

from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.stage import curve_parts, plane_parts
from lapviz.figures.stage.container import fingerprint, pack
from lapviz.scenes import Scene


def _parts(scene: Scene | CurveScene) -> Any:
    return curve_parts if isinstance(scene, CurveScene) else plane_parts


def answer_of(scene: Scene | CurveScene) -> dict[str, Any]:
    """What is shown of a scene, and the settings that the browser can change."""
    return _parts(scene).answer_part(scene)


def encode(scene: Scene | CurveScene) -> bytes:
    """The whole scene as one blob, with the entries ``static`` and ``answer``."""
    return pack({"static": _parts(scene).static_part(scene), "answer": answer_of(scene)})


def encode_lasting(scene: Scene | CurveScene) -> bytes:
    """The first of the two blobs of :func:`encode_parts`."""
    return pack({"static": _parts(scene).static_part(scene)})


def encode_parts(
    scene: Scene | CurveScene, mount: dict[str, Any] | None = None
) -> tuple[bytes, bytes]:
    """The scene as two blobs; ``mount`` (key, title, ...) is sent with the second."""
    lasting = encode_lasting(scene)
    answer = {"answer": answer_of(scene)} | (mount or {}) | {"needs": fingerprint(lasting)}
    return lasting, pack(answer)
