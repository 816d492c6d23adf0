# The Streamlit entry: streamlit run app.py

from lapviz.explorer.entry import main

main()
