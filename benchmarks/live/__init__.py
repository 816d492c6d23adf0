"""``python -m benchmarks --live``: the explorer under its users.

Most parts drive it in Chromium (:mod:`~benchmarks.live.pointer`, :mod:`~benchmarks.live.server`);
large numbers of visitors speak Streamlit's protocol instead (:mod:`~benchmarks.live.visitors`).
"""
