"""The index store: SQLite is the truth, FAISS and tantivy follow it."""
