"""What a run of the Lab measured: the figure, its numbers, findings, and what one takes away."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import registry
from lapviz.experiments.records import Results
from lapviz.explorer.pages.lab.settings import LabSettings
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.share import links
from lapviz.explorer.widgets import shell
from lapviz.markdown import table

MOST_LINES = 300  # of the table of numbers


def show(settings: LabSettings, results: Results) -> None:
    """Draw the results; `settings` say which figure."""
    experiment = settings.experiment
    drawing = _figure_of(settings, results)
    if drawing is not None and points(results.rows, drawing):
        alt = f"{drawing.title or experiment.title}: the table below has the numbers"
        config = links.config_of("lab-image")
        shell.chart(_chart(results, drawing), "lab-figure", alt, config=config)
        with st.expander("The numbers behind the figure", icon=":material/table:"):
            st.markdown(_numbers(results, drawing))
    found = [f"- {shell.plain(f.sentence)}" for f in experiment.check(results.rows)]
    if found:
        st.markdown("\n".join(found))
    _take_away(settings, results, drawing)


def _figure_of(settings: LabSettings, results: Results) -> registry.Drawing | None:
    drawings = settings.experiment.drawn(results.config)
    if len(drawings) > 1:
        st.segmented_control(
            "Figure", range(len(drawings)), default=min(settings.figure, len(drawings) - 1),
            required=True,
            format_func=lambda i: drawings[i].title or f"Figure {i + 1}",
            **widget_keys.bind("w-lab-figure", settings.figure,
                               lambda figure: state.put(replace(settings, figure=figure))),
            help="Different views of the same rows.",
        )  # fmt: skip
    return drawings[min(settings.figure, len(drawings) - 1)] if drawings else None


def _chart(results: Results, drawing: registry.Drawing):
    return figures.chart(results.rows, drawing, seed=results.config.seed)


def _numbers(results: Results, drawing: registry.Drawing) -> str:
    shown, means = points(results.rows, drawing), drawing.summary == "mean"
    groups = [(name, part) for part in ("facet", "colour") if (name := getattr(drawing, part))]
    heads = [*(name for name, _ in groups), drawing.x_label or drawing.x,
             drawing.y_label or drawing.y, "Standard error" if means else "Quartiles", "Trials",
             *drawing.best_over]  # fmt: skip
    lines = []
    for p in shown[:MOST_LINES]:
        names = [shell.plain(drawing.called(getattr(p, part))) for _, part in groups]
        spread = f"{p.high - p.y:.2g}" if means else f"{p.low:.3g} – {p.high:.3g}"
        x = p.x if isinstance(p.x, int | float) else drawing.called(p.x)
        lines.append([*names, x, p.y, spread if p.n > 1 else None, p.n, *p.chosen.values()])
    text = table([shell.plain(head) for head in heads], lines)
    left = len(shown) - MOST_LINES
    return text + (f"\n\n{left} more are in the downloads." if left > 0 else "")


def _take_away(settings: LabSettings, results: Results, drawing: registry.Drawing | None) -> None:
    name = settings.run.name
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            links.download("CSV", results.to_csv, f"{name}.csv",
                           "All rows; the first line has the whole configuration.")  # fmt: skip
            links.download("Parquet", results.to_parquet, f"{name}.parquet",
                           "All rows; the metadata have the whole configuration.")  # fmt: skip
            if drawing is not None:
                links.download(
                    "Figure (HTML)", lambda: figures.to_html(
                        _chart(results, drawing), include_plotlyjs=True,
                        title=drawing.title or "lapviz"),
                    f"{name}.html", "One file that opens in any browser, with zoom and hover.",
                )  # fmt: skip
                links.image_format("lab-image")
        if settings.run.data is None:
            st.caption("The command that reproduces it:")
            st.code(results.command(), language="bash", wrap_lines=True)
        else:
            st.caption(
                "Your data stay with you, so no command or link holds them. In Python, "
                "`Sweep().on(load)` of `lapviz.experiments.sweep` runs on your own X and y."
            )
        links.links(links.address(state.link()), settings.experiment.title, "lab")
