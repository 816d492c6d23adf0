"""The page “Your data” alone, where visitors who have left are forgotten after a second."""

import streamlit as st

from lapviz.explorer.host import limits as hosting
from lapviz.explorer.host import visitors as own
from lapviz.explorer.pages.data import page as data
from lapviz.explorer.session import visitor as visits

visits.LOOK, own.GRACE = 0.5, 1.0
hosting.prepare()
if "count" in st.query_params:
    st.title("Count")
    st.text(f"visitors: {len(own.present())}")
else:
    data.page()
