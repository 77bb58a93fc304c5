"""Each sentence of an answer held against its evidence."""
