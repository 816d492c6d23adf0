"""The host's side: limits, what visitors bring, launch and check, Streamlit's private names."""
