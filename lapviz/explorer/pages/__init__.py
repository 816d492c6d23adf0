"""A folder for each page of the explorer."""
