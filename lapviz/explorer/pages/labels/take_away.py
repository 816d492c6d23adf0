"""What the Labels page gives away of a visitor's own table."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import own_labels, own_out
from lapviz.explorer.widgets import leaving, shell


def take_away(settings: Settings) -> None:
    """Predictions for every row, and the labels; nothing for other data."""
    if settings.data.name != "table":
        return
    leaving.guard("labels")
    thing = STORE.get(settings.data.source)
    stem = own_out.stem(thing)
    with st.expander("Take away", icon=":material/download:"), shell.guarded("The predictions"):
        st.caption(
            f"For all {thing.n_rows:,} rows of your table, with the settings of this page. “Copy "
            "as Python” below is the recipe."
        )
        made = None
        words = "Evaluate the estimate at every row; then it can be downloaded."
        if st.toggle("Predictions of the kernel Laplacian", key="own-take", help=words):
            made = shell.long_work("own-predictions", "Every row", own_labels.estimated, settings)
        with st.container(horizontal=True):
            if made is not None:
                st.download_button(
                    "Predictions", lambda: own_out.estimates(settings, made), mime="text/csv",
                    key="own-take-predictions", file_name=f"{stem}-predictions.csv",
                    on_click="ignore",
                    help="CSV: the whole table, with the number of each row (the first below the "
                    "header is 1), its class, and the chances of all classes.",
                )  # fmt: skip
            marks = own_labels.marks_of(settings.data, settings)
            st.download_button(
                "Labels", lambda: own_out.labels(settings.data, marks), mime="text/csv",
                key="own-take-labels", file_name=f"{stem}-labels.csv", on_click=leaving.saved,
                help="CSV: every row of the file, its label there, and the one set by hand.",
            )  # fmt: skip
