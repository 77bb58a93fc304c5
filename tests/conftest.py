"""What several test files share: the sample documents in a real library, with the real embedding model."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "evaluation_files"
SHARED = ROOT.parent / "shared" / "data"

# no test may find a key or send anything; the caches stay the user's own
for variable in ("HF_TOKEN", "OPENAI_API_KEY", "HUGGING_FACE_HUB_TOKEN"):
    os.environ.pop(variable, None)
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real material; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the real material (../shared/data) is not here")
    return SHARED


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index store that holds three of the sample PDFs; tests must not change it."""
    from multidoc_rag import Library

    folder = tmp_path_factory.mktemp("samples") / "store"
    names = ("annual-report-2024.pdf", "economic-assessment.pdf", "operations-manual.pdf")
    with Library.open(folder) as library:
        reports = library.add([SAMPLES / name for name in names])
    assert [report.status for report in reports] == ["added"] * 3
    return folder


@pytest.fixture
def library(sample_store: Path) -> Iterator["Library"]:  # type: ignore[name-defined]  # noqa: F821
    """The three sample PDFs, ready to be asked."""
    from multidoc_rag import Library

    with Library.open(sample_store) as opened:
        yield opened
