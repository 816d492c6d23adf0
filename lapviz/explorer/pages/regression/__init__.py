"""The page Regression."""
