"""The page itself: the layout, then what is heard in each part of it."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

from multidoc_rag.ui.conversation_events import hear_conversation
from multidoc_rag.ui.desk import Desk
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.intake import Intake
from multidoc_rag.ui.layout import make_parts
from multidoc_rag.ui.library_events import hear_library
from multidoc_rag.ui.sessions import Sessions
from multidoc_rag.ui.tab_events import hear_tabs
from multidoc_rag.ui.viewer_events import hear_viewer
from multidoc_rag.ui.web import Addresses


def make_page(desk: Desk, intake: Intake, addresses: Addresses, *, samples: Path, results: Path) -> gr.Blocks:
    """Build the Blocks: layout first, then handlers; nothing heavy is loaded and the library is not opened."""
    with gr.Blocks(title="multidoc_rag", fill_width=True, fill_height=True, analytics_enabled=False) as page:
        front = Front(desk, intake, addresses, Sessions(), make_parts(desk))
        hear_library(page, front)
        hear_viewer(front)
        hear_conversation(front, samples)
        hear_tabs(front, results)
    return page
