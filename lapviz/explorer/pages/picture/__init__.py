"""Your data: a picture to scribble on."""
