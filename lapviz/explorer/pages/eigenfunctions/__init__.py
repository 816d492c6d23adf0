"""The page Eigenfunctions."""
