"""Stories: presets that each illustrate one idea, and the steps that they suggest."""
