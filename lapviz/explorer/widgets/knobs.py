"""Numbers that a hand can move: sliders on fixed scales, on the stage and in the sidebar.

A setting has one such control, so that no order of events can leave two of them at odds. The
browser sends what a hand changed, with a revision; Python answers with all values and the revision
that it knows, and never writes to the control in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from lapviz import fit
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Allowed
from lapviz.explorer.compute import fits
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.session import state
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import ranged
from lapviz.explorer.settings.records import AUTO, Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.figures.stage.rows import number
from lapviz.parameters import Parameter, Slider

SIZES = (10, 20, 30, 50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000,
         50_000, 100_000)  # fmt: skip
LANDMARKS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 500, 700, 1000, 1200, 1500, 2000)
WIDTHS_PER_DECADE, WIDTHS_DECADES = 32, 3
DRAWN_WIDTH = 0.06  # of the sheet: the middle of the scale of σ


@dataclass(frozen=True)
class Knob:
    """A slider on a fixed scale, with its number to type.

    Attributes
    ----------
    name : str
        The setting, or a name that ``take`` understands.
    label, symbol, help : str
        Its name for people, its letter if it has one, a sentence.
    value : float
        What it is now.
    low, high, step : float
        Ends of the scale; the distance of two positions, or on a "log" scale positions per decade.
    scale : {"linear", "log"}
    values : tuple of float
        The positions, where they are not even.
    whole, zero : bool
        Whole numbers only; whether 0 stands before the low end of a log scale.
    auto : bool or None
        Whether it is chosen from the data; None: that is no choice here.
    limits : (float, float) or None
        What may be typed, if that is more than the scale.
    disabled : str
        Why it has no effect now, or "".
    """

    name: str
    label: str
    value: float
    low: float
    high: float
    step: float
    symbol: str = ""
    help: str = ""
    scale: str = "linear"
    values: tuple[float, ...] = ()
    whole: bool = False
    zero: bool = False
    auto: bool | None = None
    limits: tuple[float, float] | None = None
    disabled: str = ""

    def read(self, raw: Any) -> float | str | None:
        """The value that the browser sent, within the limits; None if it cannot be used."""
        if raw == "auto":
            return "auto" if self.auto is not None else None
        value = number(raw)
        if value is None:
            return None
        low, high = self.limits or (self.low, self.high)
        value = min(max(value, 0.0 if self.zero and value <= 0 else low), high)
        return round(value) if self.whole else float(f"{value:.6g}")


def knob(described: Parameter, value: float, slider: Slider | None = None, **own: object) -> Knob:
    """The knob of a parameter: its words, its range on a page, and a slider, by default its own.

    The slider of even positions goes on to a value that lies beyond its end.
    """
    slider = slider or described.slider
    high = slider.high if slider.log else max(slider.high, value)
    scale = {"scale": "log" if slider.log else "linear", "zero": slider.zero}
    low, most = described.range(page=True)
    own = {"limits": None if low is None or most is None else (low, most)} | own
    return Knob(described.name, described.label, value, min(slider.low, value) if not slider.log
                else slider.low, high, slider.step, described.symbol, described.help,
                values=slider.values, whole=described.integral, **scale, **own)  # fmt: skip


def of(
    settings: Settings,
    name: str,
    value: float | None = None,
    slider: Slider | None = None,
    **own: object,
) -> Knob:
    """The knob of a setting; ``value`` is the number that it has, where the data choose it."""
    described, asked = ranged(settings, name), settings.get(name)
    own = {"auto": asked == AUTO if described.auto else None} | own
    return knob(described, asked if value is None else value, slider, **own)


@dataclass(frozen=True)
class Numbers:
    """Numbers behind a picture that the data may have chosen, and the σ that suits the data."""

    bandwidth: float
    mu: float
    usual: float
    p: int
    lam: float


@step
def _usual_width(data: DataSpec, kernel: str) -> float:
    """σ that suits a data set as it starts, so that its scale does not move with n or p."""
    start = presets.papers_of_data(data).change(
        sigma="auto", kernel=kernel, options=data.options, standardise=data.standardise
    )
    start = replace(start, data=replace(start.data, scaling=data.scaling))
    return fits.method(start).kernel.bandwidth


def _usual(settings: Settings) -> float:
    """The same for these data; of a drawing a share of its sheet, whatever was drawn on it."""
    data = settings.data
    if data.name == drawing.NAME:
        x0, x1, y0, y1 = drawing.of(data).view
        return DRAWN_WIDTH * max(x1 - x0, y1 - y0)
    same = DataSpec(
        data.name, options=data.options, standardise=data.standardise, source=data.source,
        scaling=data.scaling,
    )  # fmt: skip  # whatever n and seed
    return _usual_width(same, settings.space.kernel)


def numbers(settings: Settings) -> Numbers:
    """The numbers of settings that have them everywhere; part of the work of a picture."""
    usual, space, lam = _usual(settings), settings.space, settings.estimate.lam
    if settings.data.n_samples > 0:
        method = fits.method(settings)
        return Numbers(method.kernel.bandwidth, method.mu, usual, space.n_landmarks, lam)
    # An empty drawing: the usual σ, and defaults where points would choose.
    space, mu = space.relevant(), settings.energy.mu
    width = usual if space.bandwidth == AUTO else space.bandwidth
    if isinstance(mu, str):
        mu = fit.auto.least_mu(fit.kernel(np.zeros((1, 2)), replace(space, bandwidth=width)))
    p = fit.few_labels.FEWEST if space.n_landmarks == AUTO else space.n_landmarks
    return Numbers(width, mu, usual, p, fit.EstimateSpec.lam if lam == AUTO else lam)


def toolbar(
    settings: Settings, known: Numbers | None, hidden: frozenset[str], page: str = ""
) -> tuple[Knob, ...]:
    """The stage's knobs σ, p and μ, and λ of estimates of classes.

    With ``known`` None there are none whose number is not known yet.
    """
    estimates, regression = page in ("labels", "start"), page == "regression"
    made = []
    space, energy = settings.space, settings.energy
    if "kernel" not in hidden:
        sigma = space.bandwidth if space.bandwidth != AUTO else known and known.bandwidth
        if sigma:
            usual = known.usual if known else sigma
            middle = round(WIDTHS_PER_DECADE * np.log10(usual))
            half = WIDTHS_PER_DECADE * WIDTHS_DECADES // 2
            ends = [float(f"{10 ** ((middle + s) / WIDTHS_PER_DECADE):.3g}") for s in (-half, half)]
            slider = Slider(*ends, WIDTHS_PER_DECADE, log=True)
            made.append(of(settings, "sigma", sigma, slider))
        p = known and known.p if space.n_landmarks == AUTO else space.n_landmarks
        if p:
            slider = Slider(LANDMARKS[0], MAX_LANDMARKS, 16, log=True, values=LANDMARKS)
            own = {"auto": None} if regression else {}
            made.append(of(settings, "p", p, slider, **own))
    if "regularisation" not in hidden:
        mu = known and known.mu if isinstance(energy.mu, str) else energy.mu
        if mu is not None:
            made.append(of(settings, "mu", mu))
        lam = settings.estimate.lam
        lam = known and known.lam if lam == AUTO else lam
        if estimates and lam is not None:  # the stage has this knob; from here it knows of "auto"
            own = {"auto": None} if page == "start" else {}  # a time, which no rule is for
            made.append(of(settings, "lam", lam, limits=None, **own))
    return tuple(made)


def sidebar_sliders(
    name: str, knobs: Sequence[Knob], take: Callable[[dict], None] | None = None
) -> None:
    """Knobs in the sidebar.

    Parameters
    ----------
    name : str
        Of the group, unique on the page.
    knobs : sequence of Knob
    take : callable, optional
        Called with the values by name that a hand changed; by default they are settings.
    """
    take = take or (lambda values: state.update(**values))
    channel.show(
        "knobs",
        {"knobs": [asdict(knob) for knob in knobs]},
        key=f"knobs-{name}@{state.page()}",
        allowed=Allowed("knobs", knobs=knobs),
        on_change=lambda said: take(said.changes) if said.changes else None,
    )
