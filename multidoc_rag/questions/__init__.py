"""What kind of answer a question wants."""
