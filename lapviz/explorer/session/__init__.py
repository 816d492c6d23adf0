"""One visitor's state: settings with undo, the current page, their data."""
