"""One visitor's state: settings with undo, where they are, what they brought."""
