"""The page Labels."""
