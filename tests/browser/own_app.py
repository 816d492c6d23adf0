"""The page “Your data” alone, where visitors who have left are forgotten after a second."""

import streamlit as st

from lapviz.explorer import hosting, own, visits
from lapviz.explorer.pages import data

visits.LOOK, own.GRACE = 0.5, 1.0
hosting.prepare()
if "count" in st.query_params:
    st.title("Count")
    st.text(f"visitors: {len(own.present())}")
else:
    data.page()
