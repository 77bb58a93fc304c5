"""What documents say against each other."""
