"""Words of a plotly figure for print: its markup becomes plain text."""

from __future__ import annotations

import html
import re
import textwrap

BREAK, TAG = re.compile(r"<br\s*/?>"), re.compile(r"</?(b|i|em|strong|sup|sub|span)[^>]*>")


def cleaned(text: object) -> str:
    """Plain text with line breaks; nothing of it is taken for a formula."""
    words = TAG.sub("", BREAK.sub("\n", str(text)))
    return html.unescape(words).replace("$", r"\$")


def folded(text: object, width: int) -> str:
    """The same, broken into lines of at most so many characters."""
    lines = [line for part in cleaned(text).split("\n") for line in textwrap.wrap(part, width)]
    return "\n".join(lines)


def formatted(value: float, style: str) -> str:
    """A number in one of plotly's formats, as far as figures here use them."""
    if style.endswith("%"):
        return f"{value:{style}}"
    try:
        return f"{value:{style or ',.6g'}}"
    except ValueError:  # a format of plotly's own, such as ~s
        return f"{value:,.6g}"
