"""The page “Your data” alone, where visitors who have left are forgotten after a second."""

import streamlit as st

from lapviz.explorer.host import limits as hosting
from lapviz.explorer.host import visitors
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.data import page as data

visitors.GRACE = 1.0
hosting.prepare()
if "count" in st.query_params:
    st.title("Count")
    st.text(f"visitors: {len(STORE.owners())}")
else:
    data.page()
