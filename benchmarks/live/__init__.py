"""``python -m benchmarks --live``: the explorer with people in front of it.

Most parts drive it in Chromium (:mod:`~benchmarks.live.pointer`, :mod:`~benchmarks.live.server`);
visitors in numbers speak Streamlit's protocol instead (:mod:`~benchmarks.live.visitors`).
"""
