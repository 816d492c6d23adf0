"""What a run of the Lab measured: the figure, its numbers, findings, and what one takes away."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import registry
from lapviz.experiments.records import Results
from lapviz.explorer.pages.lab import state as lab_state
from lapviz.explorer.pages.lab.settings import LabSettings
from lapviz.explorer.session import widget_keys
from lapviz.explorer.share import links
from lapviz.explorer.widgets import shell
from lapviz.markdown import table

MOST_LINES = 300  # of the table of numbers


def show(settings: LabSettings, results: Results) -> None:
    """Draw the results; `settings` say which figure."""
    experiment = settings.experiment
    drawing = _figure_of(settings, results)
    if drawing is not None and points(results.rows, drawing):
        figure = figures.chart(results.rows, drawing, seed=results.config.seed)
        kind = st.session_state.get("lab-image", "PNG")
        config = figures.CONFIG_SVG if kind == "SVG" else figures.CONFIG_PNG
        st.plotly_chart(figure, key="lab-figure", config=config, theme=None,
                        alt=f"{drawing.title or experiment.title}: the table below has the "
                        "numbers")  # fmt: skip
        with st.expander("The numbers behind the figure", icon=":material/table:"):
            st.markdown(_numbers(results, drawing))
    found = [f"- {shell.plain(f.sentence)}" for f in experiment.check(results.rows)]
    if found:
        st.markdown("\n".join(found))
    _take_away(settings, results, drawing)


def _figure_of(settings: LabSettings, results: Results) -> registry.Drawing | None:
    drawings = settings.experiment.drawn(results.config)
    if len(drawings) > 1:
        key = widget_keys.bind("w-lab-figure", settings.figure)
        st.segmented_control(
            "Figure", range(len(drawings)), default=min(settings.figure, len(drawings) - 1),
            key=key, required=True,
            format_func=lambda i: drawings[i].title or f"Figure {i + 1}",
            on_change=lambda: lab_state.put(replace(settings, figure=st.session_state[key])),
            help="Different views of the same rows.",
        )  # fmt: skip
    return drawings[min(settings.figure, len(drawings) - 1)] if drawings else None


def _numbers(results: Results, drawing: registry.Drawing) -> str:
    shown = points(results.rows, drawing)
    spread = "Standard error" if drawing.summary == "mean" else "Quartiles"
    columns = [n for n in (drawing.facet, drawing.colour) if n]
    heads = [*columns, drawing.x_label or drawing.x, drawing.y_label or drawing.y, spread,
             "Trials", *drawing.best_over]  # fmt: skip
    lines = []
    for p in shown[:MOST_LINES]:
        names = [drawing.called(v) for n, v in ((drawing.facet, p.facet),
                 (drawing.colour, p.colour)) if n]  # fmt: skip
        error = None
        if p.n > 1:
            error = f"{p.high - p.y:.2g}" if spread == "Standard error" else (
                f"{p.low:.3g} – {p.high:.3g}")  # fmt: skip
        x = p.x if isinstance(p.x, int | float) else drawing.called(p.x)
        lines.append([*map(shell.plain, names), x, p.y, error, p.n, *p.chosen.values()])
    text = table([shell.plain(head) for head in heads], lines)
    left = len(shown) - MOST_LINES
    return text + (f"\n\n{left} more are in the downloads." if left > 0 else "")


def _take_away(settings: LabSettings, results: Results, drawing) -> None:
    name = settings.run.name
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _download("CSV", results.to_csv, f"{name}.csv", "text/csv",
                      "All rows; the first line has the whole configuration.")  # fmt: skip
            _download("Parquet", results.to_parquet, f"{name}.parquet", "application/octet-stream",
                      "All rows; the metadata have the whole configuration.")  # fmt: skip
            if drawing is not None:
                _download("Figure (HTML)", lambda: _page(results, drawing), f"{name}.html",
                          "text/html", "One file that opens in any browser, with zoom and "
                          "hover.")  # fmt: skip
                st.segmented_control(
                    "The camera button saves", ["PNG", "SVG"], default="PNG", key="lab-image",
                    help="Format of the image that the camera in the figure's corner downloads.",
                )  # fmt: skip
        if settings.run.data is None:
            st.caption("The command that reproduces it:")
            st.code(results.command(), language="bash", wrap_lines=True)
        else:
            st.caption(
                "Your data stay with you, so no command or link holds them. In Python, "
                "`Sweep().on(load)` of `lapviz.experiments.sweep` runs on your own X and y."
            )
        links.links(links.address(lab_state.link()), settings.experiment.title, "lab")


def _page(results: Results, drawing) -> str:
    figure = figures.chart(results.rows, drawing, seed=results.config.seed)
    return figures.to_html(figure, include_plotlyjs=True, title=drawing.title or "lapviz")


def _download(label: str, data, name: str, mime: str, words: str) -> None:
    st.download_button(label, data=data, file_name=name, mime=mime, key=f"lab-{name}-{mime}",
                       on_click="ignore", help=words)  # fmt: skip
