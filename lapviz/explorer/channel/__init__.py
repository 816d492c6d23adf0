"""The channel between Python and what the browser draws: one component, one form of message."""
