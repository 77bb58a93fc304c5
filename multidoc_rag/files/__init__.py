"""A file becomes pages of exact text, with boxes, sections and tables, and chunks."""
