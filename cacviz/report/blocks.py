"""What a report is made of: sections of paragraphs, points, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

Tone = Literal["grave", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """Sentences that stand one below the other."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Callout:
    """A sentence that nobody should miss."""

    text: str
    tone: Tone = "hint"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A table under its name, with a caption; cells are words or numbers."""

    name: str
    caption: str
    frame: pd.DataFrame


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure under its name, with its legend."""

    name: str
    caption: str
    figure: go.Figure


Block = Paragraph | Heading | Points | Callout | Grid | Picture


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A whole document; `lines` stand under the title and in the footer."""

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]

    def blocks(self) -> Iterator[Block]:
        for section in self.sections:
            yield from section.blocks


def paragraphs(*texts: str) -> list[Paragraph]:
    """A paragraph for each text that says something."""
    return [Paragraph(text) for text in texts if text]
