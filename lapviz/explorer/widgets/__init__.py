"""A setting as a control or a slider of the stage, and the shell around a page."""
