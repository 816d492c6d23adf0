"""The channel between Python and the browser: components and one form of message."""
