"""Line icons as inline SVG (16 pixels, drawn with the text's colour)."""

_PATHS = {
    "add": "M8 3v10M3 8h10",
    "folder": "M2 4.500C2 3.700 2.700 3 3.500 3h3L8 5h4.500c.8 0 1.500.7 1.500 1.500V12H2z",
    "upload": "M8 10.5V3M5 5.7 8 2.8l3 2.9M3 10.5v1.6c0 .6.4.9 1 .9h8c.6 0 1-.3 1-.9v-1.6",
    "close": "M4 4l8 8M12 4l-8 8",
    "bin": "M3 4.5h10M6.3 4.5V3.2h3.4v1.3M4.5 4.5l.5 8.3h6l.5-8.3M6.8 7v3.4M9.2 7v3.4",
    "previous": "M10 3.5 5.5 8l4.5 4.5",
    "next": "M6 3.5 10.5 8 6 12.5",
    "up": "M3.5 10 8 5.500l4.500 4.500",
    "down": "M3.500 6 8 10.500l4.500-4.500",
    "plus": "M8 4v8M4 8h8",
    "minus": "M4 8h8",
    "open": "M9 3h4v4M13 3 7.5 8.5M11.5 9.5V12c0 .6-.4 1-1 1H4c-.6 0-1-.4-1-1V5.500c0-.6.4-1 1-1h2.500",
    "moon": "M13 9.600A5.500 5.500 0 0 1 6.400 3a5.500 5.500 0 1 0 6.600 6.600z",
    "page": "M4 2.500h5.200L12 5.300v8.200H4zM9 2.700v2.800h2.800M6 8h4M6 10.500h4",
    "chat": "M3 3.500h10v7H7.500L4.500 13v-2.500H3z",
    "books": "M3 3h3v10H3zM6.500 3h3v10h-3zM10.300 4l2.700-.7 2 9.200-2.700.6z",
    "retry": "M12.500 8a4.500 4.500 0 1 1-1.400-3.200M12.500 2.500v2.700H9.800",
    "lock": "M4.500 7.500h7V13h-7zM6 7.500V5.500a2 2 0 0 1 4 0v2",
}


def icon(name: str) -> str:
    """The icon as an `svg` element that screen readers skip."""
    return (
        '<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" '
        'stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path '
        f'd="{_PATHS[name]}"/></svg>'
    )
