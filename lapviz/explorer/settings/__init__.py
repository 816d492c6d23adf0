"""What a person can set, the records that hold it, and its way into a link and back."""
