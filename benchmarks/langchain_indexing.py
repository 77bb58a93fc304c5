"""The index a user would build instead, with LangChain; `indexing.py` runs it in an environment of its own.

    python benchmarks/langchain_indexing.py MODEL_FOLDER OUTPUT_FOLDER FILE...

PyPDFLoader, RecursiveCharacterTextSplitter 800/150, HuggingFaceEmbeddings on the same weights, FAISS, saved.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read, split, embed, index and save; print the number of chunks as JSON."""
    model, output, *files = sys.argv[1:]
    from langchain_community.document_loaders import PyPDFLoader
    from langchain_community.vectorstores import FAISS
    from langchain_huggingface import HuggingFaceEmbeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    pages = [page for file in files for page in PyPDFLoader(file).load()]
    splitter = RecursiveCharacterTextSplitter(chunk_size=800, chunk_overlap=150)
    chunks = splitter.split_documents(pages)
    embeddings = HuggingFaceEmbeddings(model_name=model, encode_kwargs={"normalize_embeddings": True})
    FAISS.from_documents(chunks, embeddings).save_local(output)
    print(json.dumps({"pages": len(pages), "chunks": len(chunks)}))


if __name__ == "__main__":
    main()
