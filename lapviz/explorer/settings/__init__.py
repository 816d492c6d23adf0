"""Settings: their descriptions, the records that hold them, and their form in a link."""
