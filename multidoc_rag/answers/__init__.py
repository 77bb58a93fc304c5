"""From evidence to an answer with citations, and on to the page."""
