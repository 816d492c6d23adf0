"""Knobs: sliders on fixed scales, on the stage and in the sidebar.

A setting has one such control, so that no order of events can leave two of them in conflict. The
browser sends the user's changes with a revision; Python answers with all values and the last
revision received, and never writes to the control in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from lapviz import fit
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Allowed, Message, number
from lapviz.explorer.compute import fits
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.limits import MAX_LANDMARKS
from lapviz.explorer.session import state
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.fields import ranged
from lapviz.explorer.settings.records import AUTO, SETTINGS, Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.parameters import Parameter, Slider

SIZES = (10, 20, 30, 50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000,
         50_000, 100_000)  # fmt: skip
LANDMARKS = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 500, 700, 1000, 1200, 1500, 2000)
WIDTHS_PER_DECADE, WIDTHS_DECADES = 32, 3
DRAWN_WIDTH = 0.06  # share of the sheet: the middle of the scale of σ


@dataclass(frozen=True)
class Knob:
    """A slider on a fixed scale, with a field for its number.

    Attributes
    ----------
    name : str
        Name of the setting, or a name that the callback of :func:`sidebar_sliders` understands.
    label, symbol, help : str
        Label on the page, letter of the formulas or "", sentence of help.
    value : float
        Current value.
    low, high, step : float
        Ends of the scale; distance between positions, or on a "log" scale positions per decade.
    scale : {"linear", "log"}
    values : tuple of float
        The positions, if they are not equidistant.
    whole, zero : bool
        Whether values are integers; whether 0 precedes the low end of a log scale.
    auto : bool or None
        Whether the value is chosen from the data; None: that is not available here.
    limits : (float, float) or None
        Limits of typed values, if they exceed the scale.
    disabled : bool
        Whether the knob has no effect at present.
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
    disabled: bool = False

    def read(self, raw: Any) -> float | str | None:
        """Value sent by the browser, clipped to the limits; None if it is invalid."""
        if raw == "auto":
            return "auto" if self.auto is not None else None
        value = number(raw)
        if value is None:
            return None
        low, high = self.limits or (self.low, self.high)
        value = min(max(value, 0.0 if self.zero and value <= 0 else low), high)
        return round(value) if self.whole else float(f"{value:.6g}")


def knob(field: Parameter, value: float, slider: Slider | None = None, **options: object) -> Knob:
    """Knob of a parameter with its range on a page; ``slider`` is by default the parameter's.

    A slider with equidistant positions is extended to a value beyond its end.
    """
    slider = slider or field.slider
    high = slider.high if slider.log else max(slider.high, value)
    scale = {"scale": "log" if slider.log else "linear", "zero": slider.zero}
    low, largest = field.range(page=True)
    options = {"limits": None if low is None or largest is None else (low, largest)} | options
    return Knob(field.name, field.label, value, min(slider.low, value) if not slider.log
                else slider.low, high, slider.step, field.symbol, field.help,
                values=slider.values, whole=field.integral, **scale, **options)  # fmt: skip


def of(
    settings: Settings,
    name: str,
    value: float | None = None,
    slider: Slider | None = None,
    **options: object,
) -> Knob:
    """Knob of a setting; ``value`` is its number, where the data choose it."""
    described, requested = ranged(settings, name), settings.get(name)
    options = {"auto": requested == AUTO if described.auto else None} | options
    return knob(described, requested if value is None else value, slider, **options)


@dataclass(frozen=True)
class Numbers:
    """Numbers behind a picture, by setting, chosen by the data or not; the usual σ for the data."""

    sigma: float
    mu: float
    usual: float
    p: int
    lam: float


@step
def _usual_width(data: DataSpec, kernel: str) -> float:
    """Automatic σ for a data set's defaults, so that the scale of σ does not depend on n or p."""
    start = presets.papers_of_data(data).change(
        sigma="auto", kernel=kernel, options=data.options, standardise=data.standardise
    )
    start = replace(start, data=replace(start.data, scaling=data.scaling))
    return fits.method(start).kernel.bandwidth


def _usual(settings: Settings) -> float:
    """Usual σ for the data; for a drawing a share of its sheet, whatever is drawn on it."""
    data = settings.data
    if data.name == drawing.NAME:
        x0, x1, y0, y1 = drawing.of(data).view
        return DRAWN_WIDTH * max(x1 - x0, y1 - y0)
    defaults = DataSpec(
        data.name, options=data.options, standardise=data.standardise, source=data.source,
        scaling=data.scaling,
    )  # fmt: skip  # for any n and seed
    return _usual_width(defaults, settings.space.kernel)


def numbers(settings: Settings) -> Numbers:
    """Numbers of settings without "auto"; computed with the picture."""
    usual, space, lam = _usual(settings), settings.space, settings.estimate.lam
    if settings.data.n_samples > 0:
        method = fits.method(settings)
        return Numbers(method.kernel.bandwidth, method.mu, usual, space.n_landmarks, lam)
    # An empty drawing: the usual σ, and defaults for what points would choose.
    space, mu = space.relevant(), settings.energy.mu
    width = usual if space.bandwidth == AUTO else space.bandwidth
    if isinstance(mu, str):
        mu = fit.auto.least_mu(fit.kernel(np.zeros((1, 2)), replace(space, bandwidth=width)))
    p = fit.few_labels.FEWEST if space.n_landmarks == AUTO else space.n_landmarks
    return Numbers(width, mu, usual, p, fit.EstimateSpec.lam if lam == AUTO else lam)


def toolbar(
    settings: Settings, numbers: Numbers | None, hidden: frozenset[str], page: str = ""
) -> tuple[Knob, ...]:
    """Knobs of the stage: σ, p and μ, and λ for estimates of classes.

    If ``numbers`` is None, knobs whose number is not known yet are left out.
    """
    # No rule chooses λ as a time, or p for an estimate of values.
    never_automatic = {"start": "lam", "regression": "p"}.get(page)
    knobs = []
    for name in ("sigma", "p", "mu", *["lam"] * (page in ("labels", "start"))):
        requested = settings.get(name)
        value = getattr(numbers, name, None) if isinstance(requested, str) else requested
        if value is None or SETTINGS[name].group in hidden:
            continue
        slider, options = None, {"auto": None} if name == never_automatic else {}
        if name == "sigma":
            middle = round(WIDTHS_PER_DECADE * np.log10(numbers.usual if numbers else value))
            half = WIDTHS_PER_DECADE * WIDTHS_DECADES // 2
            ends = [float(f"{10 ** ((middle + s) / WIDTHS_PER_DECADE):.3g}") for s in (-half, half)]
            slider = Slider(*ends, WIDTHS_PER_DECADE, log=True)
        elif name == "p":
            slider = Slider(LANDMARKS[0], MAX_LANDMARKS, 16, log=True, values=LANDMARKS)
        elif name == "lam":  # the stage has this knob; here it gets "auto"
            options["limits"] = None
        knobs.append(of(settings, name, value, slider, **options))
    return tuple(knobs)


def sidebar_sliders(
    name: str, knobs: Sequence[Knob], take: Callable[[dict], None] | None = None
) -> None:
    """Knobs in the sidebar.

    Parameters
    ----------
    name : str
        Name of the group, unique on the page.
    knobs : sequence of Knob
    take : callable, optional
        Called with the changed values by name; by default they change settings.
    """
    take = take or (lambda values: state.update(**values))
    channel.show(
        {"knobs": [asdict(knob) for knob in knobs]},
        key=f"knobs-{name}@{state.page()}",
        allowed=Allowed("knobs", knobs=knobs),
        on_change=lambda message: _take(take, message),
    )


def _take(take: Callable[[dict], None], message: Message) -> None:
    if message.changes and not state.restored():  # else older than the button's click
        take(message.changes)
