"""What Streamlit runs where there is no checkout.

It stands in a folder of its own: Streamlit takes the modules of a folder ``pages`` beside it for
scripts, and shows them, blank, to who opens a link before anybody has opened the start page.
"""

from lapviz.explorer.entry import main

main()
