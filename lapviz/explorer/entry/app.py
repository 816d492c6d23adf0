# The script that Streamlit runs for an installed package.
#
# It is in a folder of its own: beside a folder ``pages`` Streamlit would take the modules in there
# for scripts, and show them, blank, to whoever opens a link before the start page was ever opened.

from lapviz.explorer.entry import main

main()
