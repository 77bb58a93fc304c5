"""From a question to its evidence, balanced over the documents."""
