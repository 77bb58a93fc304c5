"""Files become part of a library, in the background and whatever happens."""
