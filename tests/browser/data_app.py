"""The page “Your data” alone, with sessions that end a second after their visitor has left."""

import streamlit as st

from lapviz.explorer.host import limits, visitors
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.data import page as data

visitors.GRACE = 1.0
limits.prepare()
if "count" in st.query_params:
    st.title("Count")
    st.text(f"visitors: {len({owner for owner, _ in STORE._data.values()})}")
else:
    data.page()
