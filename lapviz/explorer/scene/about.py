"""The settings of a picture in one line, for the caption of a picture that is kept."""

from __future__ import annotations

from lapviz.explorer.settings.records import Settings


def about(settings: Settings, bandwidth: float, mu: float) -> str:
    """Width, landmarks and extra penalty as they are in use: "σ = 0.2 · p = 200 · μ = 1e-05"."""
    return f"σ = {bandwidth:.3g} · p = {settings.space.n_landmarks} · μ = {mu:.3g}"
