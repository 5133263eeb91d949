"""The picture of the dial: lines drawn as SVG, without a plotting library."""

from __future__ import annotations

import math

STEP = 0.05  # of AUPRC, between two lines of the grid
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 60, 190, 20, 50
COLOURS = {
    "lr": "#7f7f7f",
    "gbm": "#bcbd22",
    "kmeans": "#8c564b",
    "cac": "#2ca02c",
    "deepcac_soft": "#1f77b4",
    "deepcac_hard": "#d62728",
}


def draw(means, path):
    """`means`: AUPRC by method, clusters and how far effects are turned; writes the SVG."""
    low, high = math.floor(means.min() / STEP) * STEP, math.ceil(means.max() / STEP) * STEP
    lines = {key: part.droplevel([0, 1]) for key, part in means.groupby(level=[0, 1])}
    body = [*_axes(low, high)]
    ends = _spread({key: _y(part.iloc[-1], low, high) for key, part in lines.items()})
    for key, part in lines.items():
        points = " ".join(f"{_x(t):.1f},{_y(v, low, high):.1f}" for t, v in part.items())
        dash = ' stroke-dasharray="5 4"' if key[1] == 1 else ""
        colour = COLOURS[key[0]]
        body.append(f'<polyline points="{points}" fill="none" stroke="{colour}"{dash}/>')
        label = key[0].replace("_", " ") + (f", k = {key[1]}" if key[1] else "")
        body.append(_text(_x(1) + 8, ends[key] + 4, label, colour))
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    style = 'font-family="sans-serif" font-size="12" stroke-width="2"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'
    ground = '<rect width="100%" height="100%" fill="white"/>'
    path.write_text("\n".join([head, ground, *body, "</svg>\n"]))


def _x(turned):
    return LEFT + turned * (WIDTH - LEFT - RIGHT)


def _y(value, low, high):
    return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)


def _spread(places, gap=15):
    """Labels moved down where they would lie on one another."""
    found, last = {}, float("-inf")
    for key in sorted(places, key=places.get):
        found[key] = last = max(places[key], last + gap)
    return found


def _axes(low, high):
    bottom = HEIGHT - BOTTOM
    for step in range(round((high - low) / STEP) + 1):
        value = low + STEP * step
        at = _y(value, low, high)
        yield f'<line x1="{LEFT}" x2="{_x(1)}" y1="{at}" y2="{at}" stroke="#ddd" stroke-width="1"/>'
        yield _text(LEFT - 36, at + 4, f"{value:.2f}")
    for turned in (0, 0.25, 0.5, 0.75, 1):
        yield _text(_x(turned) - 10, bottom + 18, f"{turned:g}")
    yield _text(
        LEFT, HEIGHT - 10, "effects in one of three subtypes: 0 as in the others, 1 opposite"
    )


def _text(x, y, words, colour="#222"):
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}" stroke="none">{words}</text>'
