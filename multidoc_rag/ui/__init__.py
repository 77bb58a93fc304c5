"""The Gradio front-end: it translates events into widgets and decides nothing.

Only this package and app.py import gradio.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multidoc_rag.config import Config

if TYPE_CHECKING:
    import gradio

    from multidoc_rag.ui.desk import Desk

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class App:
    """The page, what it runs on, and the arguments it is launched with."""

    page: gradio.Blocks
    desk: Desk
    launch_options: dict[str, Any]

    def launch(self, **options: Any) -> Any:
        """`Blocks.launch` with the security headers, routes and look; options are added (host, port, ...)."""
        return self.page.launch(**(self.launch_options | options))


def make_app(
    library_path: str | Path = "index_store",
    collection: str = "default",
    config: Config | None = None,
    *,
    samples: Path = ROOT / "evaluation_files",
    results: Path = ROOT / "evaluation_outputs",
    local_only: bool = True,
) -> App:
    """The app over one collection of an index store; the library is opened by the first page, not here.

    `samples` is the folder of the sample library, `results` what the Evaluation tab shows. With `local_only` the
    server answers requests for 127.0.0.1 and localhost only.
    """
    from starlette.middleware import Middleware

    from multidoc_rag.ui.desk import Desk
    from multidoc_rag.ui.intake import Intake
    from multidoc_rag.ui.page import make_page
    from multidoc_rag.ui.theme import STATIC, make_theme, static
    from multidoc_rag.ui.web import Addresses, SecurityHeaders, routes

    config = config or Config.from_env()
    desk = Desk(Path(library_path), collection, config)
    addresses = Addresses()
    page = make_page(desk, Intake(desk), addresses, samples=samples, results=results)
    page.queue(default_concurrency_limit=8, max_size=64)
    options: dict[str, Any] = {
        "theme": make_theme(),
        "css_paths": [STATIC / "app.css"],
        "head": f"<style>{static('base.css')}</style>{static('head.html')}",
        "app_kwargs": {
            "middleware": [Middleware(SecurityHeaders, local_only=local_only)],
            "routes": routes(desk, addresses),
            "docs_url": None,
            "redoc_url": None,
        },
        "max_file_size": f"{config.max_file_mb}mb",
        "footer_links": [],
        "run_history": False,
        "enable_monitoring": False,
        "mcp_server": False,
        "ssr_mode": False,
        "share": False,
        "pwa": False,
        "show_error": False,
        "quiet": True,
    }
    return App(page, desk, options)
