"""The look: one accent hue, slate neutrals, small spacing, fonts that come with Gradio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gradio

STATIC = Path(__file__).parent / "static"


def static(name: str) -> str:
    """The text of a style sheet or script beside this module."""
    return (STATIC / name).read_text(encoding="utf-8")


def make_theme() -> gradio.themes.Base:
    """The Gradio theme; 400 and 700 are the weights whose bundled files hold Latin letters."""
    import gradio as gr

    return gr.themes.Base(
        primary_hue="indigo",
        neutral_hue="slate",
        font=[gr.themes.LocalFont("IBM Plex Sans", weights=(400, 700)), "system-ui", "sans-serif"],
        font_mono=[gr.themes.LocalFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "monospace"],
        radius_size="md",
        spacing_size="sm",
        text_size="sm",
    ).set(
        body_background_fill="#f6f7f9",
        body_background_fill_dark="#0d1117",
        background_fill_primary="#ffffff",
        background_fill_primary_dark="#151b23",
        background_fill_secondary="#f6f7f9",
        background_fill_secondary_dark="#0d1117",
        border_color_primary="#e3e7ed",
        border_color_primary_dark="#2a323d",
        block_background_fill="transparent",
        block_background_fill_dark="transparent",
        block_border_width="0px",
        block_border_width_dark="0px",
        block_shadow="none",
        block_shadow_dark="none",
        input_background_fill="#ffffff",
        input_background_fill_dark="#151b23",
        input_border_color="#d5dae2",
        input_border_color_dark="#2f3947",
        input_border_color_focus="*primary_500",
        input_border_color_focus_dark="*primary_400",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
        button_primary_text_color="#ffffff",
        button_primary_background_fill_dark="*primary_500",
        button_primary_background_fill_hover_dark="*primary_600",
        input_border_width="1px",
        input_border_width_dark="1px",
        input_radius="8px",
        button_secondary_background_fill="#ffffff",
        button_secondary_background_fill_dark="#151b23",
        button_secondary_background_fill_hover="*primary_50",
        button_secondary_background_fill_hover_dark="#23264a",
        button_secondary_border_color="*border_color_primary",
        button_secondary_border_color_dark="*border_color_primary",
        button_border_width="1px",
        button_border_width_dark="1px",
        slider_color="*primary_600",
        slider_color_dark="*primary_500",
        checkbox_label_background_fill="transparent",
        checkbox_label_background_fill_dark="transparent",
        checkbox_label_background_fill_hover="transparent",
        checkbox_label_background_fill_hover_dark="transparent",
        checkbox_label_background_fill_selected="transparent",
        checkbox_label_background_fill_selected_dark="transparent",
        body_text_color="#1c2430",
        body_text_color_dark="#dfe5ee",
        body_text_color_subdued="#5b6675",
        body_text_color_subdued_dark="#94a0b1",
    )
