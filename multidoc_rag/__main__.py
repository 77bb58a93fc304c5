"""`python -m multidoc_rag`."""

import sys

from multidoc_rag.cli import main

if __name__ == "__main__":
    sys.exit(main())
