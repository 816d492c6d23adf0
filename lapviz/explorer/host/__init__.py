"""The server: limits, visitors' data, launch and check, Streamlit's private names."""
