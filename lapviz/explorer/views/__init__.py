"""From settings to the content of the pages: scenes for the stages, and the numbers below."""
