"""Multi-document question answering with evidence. Importing this stays light: names are loaded on first use."""
