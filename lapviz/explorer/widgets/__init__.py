"""Settings as controls or sliders, and the shell around a page."""
