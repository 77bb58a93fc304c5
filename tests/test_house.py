"""The house keeps its shape: imports point down, importing is light, nothing unsafe is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import multidoc_rag

PACKAGE = Path(multidoc_rag.__file__).parent

FLOORS = {
    0: {"errors", "records", "config", "language"},
    1: {
        "chunking", "routing", "routing_english", "routing_english_anywhere", "routing_languages", "routing_words",
        "queries", "evidence", "prompts", "citations", "markers", "metrics", "themes", "quotable", "salience",
        "checking", "examining", "checking_features", "checking_weights", "claims_text",
        "disagreement", "denials", "directions",
        "units", "numerals", "periods", "measures", "quantities", "agreement",
        "editions", "subjects", "typed_claims", "claims", "differences", "conflicts", "markup",
    },
    2: {
        "reading", "reading_text", "assembly", "layout", "tables", "formats", "ocr", "boxes",
        "pdf_worker", "pdf_document", "pdf_process",
        "embedding", "openvino_model", "long_texts", "entailment",
        "store", "database", "schema", "documents", "history", "derived", "vector_index", "lexical_index", "checkup",
        "salvage", "findings",
        "llm", "replies", "served_llm", "model_servers", "llm_failures", "local_llm",
    },
    3: {"retrieval", "quotes", "reasoner", "verification"},
    4: {"library", "ledger", "ingestion", "jobs", "add_worker", "summaries", "assistant", "places", "export"},
    5: {
        "cli", "__main__", "command_options", "library_commands", "question_commands", "checking_commands", "ui",
    },
}  # fmt: skip


def floor_of(module: str) -> int:
    return next(floor for floor, modules in FLOORS.items() if module in modules)


def room_of(module: str) -> set[str]:
    """The room that "multidoc_rag.folder.room" or "multidoc_rag.room" names; none for the package and its folders."""
    parts = [part for part in module.split(".")[1:] if part not in FOLDERS]
    return set(parts[:1])


def imports_of(path: Path) -> set[str]:
    """Rooms of this package that a file imports, anywhere in it, except for type checking only."""
    found = set()
    tree = ast.parse(path.read_text("utf-8"))
    guarded = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("multidoc_rag"):
            found |= room_of(node.module) or {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found |= room_of(alias.name) if alias.name.startswith("multidoc_rag.") else set()
    return found - {"__version__"}


ROOMS = sorted(
    path for path in PACKAGE.rglob("*.py") if path.stem != "__init__" and "ui" not in path.relative_to(PACKAGE).parts
)
FOLDERS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"ui"}


def test_every_room_has_a_floor() -> None:
    stems = [path.stem for path in ROOMS]
    assert sorted(stems) == sorted(set(stems))  # a room is known by its name alone
    assert set(stems) - set().union(*FLOORS.values()) == set()


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: path.stem)
def test_imports_point_down_or_sideways(path: Path) -> None:
    above = {name for name in imports_of(path) if floor_of(name) > floor_of(path.stem)}
    assert above == set()


def test_imports_form_no_circle() -> None:
    graph = {path.stem: imports_of(path) for path in ROOMS}
    done: set[str] = set()

    def visit(room: str, trail: tuple[str, ...]) -> None:
        assert room not in trail, f"circle: {' -> '.join((*trail, room))}"
        if room not in done:
            for below in sorted(graph.get(room, ())):
                visit(below, (*trail, room))
            done.add(room)

    for room in graph:
        visit(room, ())


def test_gradio_is_imported_in_the_front_end_alone() -> None:
    assert [path.name for path in ROOMS if "import gradio" in path.read_text("utf-8")] == []


def test_importing_the_package_and_its_command_line_stays_light() -> None:
    heavy = "{'torch', 'gradio', 'transformers', 'sentence_transformers', 'openvino', 'faiss', 'tantivy', 'pypdfium2'}"
    code = (
        "import sys, multidoc_rag, multidoc_rag.cli, multidoc_rag.library, multidoc_rag.answers.assistant;"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_every_public_name_can_be_had_and_is_documented() -> None:
    for name in multidoc_rag.__all__:
        assert getattr(multidoc_rag, name).__doc__
    assert sorted(multidoc_rag.__all__) == list(multidoc_rag.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = multidoc_rag.nonsense


def test_nothing_is_pickled_and_no_exception_is_swallowed() -> None:
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "") or ""}
                assert not names & {"pickle", "dill", "cloudpickle", "joblib"}, path
            if isinstance(node, ast.ExceptHandler):
                assert not (len(node.body) == 1 and isinstance(node.body[0], ast.Pass)), f"{path}:{node.lineno}"
