"""Language models behind one door, and what goes wrong with them."""
