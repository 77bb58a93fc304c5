"""Figures, units and dates in a text, and how two of them compare."""
