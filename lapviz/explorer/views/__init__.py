"""From settings to what the pages show: scenes for the stages, with the numbers beside them."""
