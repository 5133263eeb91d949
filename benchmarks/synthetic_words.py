"""What the synthetic study says: the paper's four statements checked, and its four panels."""

from __future__ import annotations

import numpy as np

METHODS = ("cac, paper's alpha", "cac, ours", "k-means + lr", "lr")
COLOURS = ("#B2182B", "#0072B2", "#009E73", "#7f7f7f")
WIDTH, HEIGHT, LEFT, TOP, INSIDE = 300, 230, 46, 34, (240, 150)
FLAT, RISE = 0.02, 0.02  # of AUC: less is flat; more over the whole range is a rise


def statements(rows):
    """Each of the paper's sentences, with the figures for every method and whether it holds."""
    yield f"{len(rows)} rows, {rows[['ics', 'ocs', 'natural']].drop_duplicates().shape[0]} cohorts."
    for method in METHODS:
        part = rows[rows["method"] == method]
        auc, f1, collapsed = (part[name].mean() for name in ("auc", "f1", "collapsed"))
        yield f"\n{method}: AUC {auc:.3f}, F1 {f1:.3f}, collapsed in {collapsed:.0%} of fits"
        for column, wanted, words in (
            ("ics", "rises", "inner class separation"),
            ("ocs", "flat", "outer cluster separation"),
            ("natural", "falls", "number of natural clusters"),
        ):
            yield _statement(part, column, wanted, words)
        if method != "lr":
            yield _enough(part)


def _statement(part, column, wanted, words):
    means = part.groupby(column)["auc"].mean()
    change = means.iloc[-1] - means.iloc[0]
    found = "flat" if abs(change) < FLAT else ("rises" if change > 0 else "falls")
    figures = ", ".join(f"{at:g}: {value:.3f}" for at, value in means.items())
    said = "as the paper says" if found == wanted else f"the paper says: {wanted}"
    return f"  AUC with {words} {found} ({figures}); {said}"


def _enough(part):
    """Better where k is at least K, on cohorts with few natural clusters, where both occur."""
    few = part[part["natural"] <= part["clusters"].max()]
    enough = few["clusters"] >= few["natural"]
    by_cohort = few.assign(enough=enough).groupby(["ics", "ocs", "natural", "enough"])["auc"].mean()
    wide = by_cohort.unstack("enough").dropna()
    gain = (wide[True] - wide[False]).mean()
    all_cells = part[part["clusters"] >= part["natural"]]["auc"].mean()
    rest = part[part["clusters"] < part["natural"]]["auc"].mean()
    holds = "as the paper says" if gain > 0 else "not as the paper says"
    return (
        f"  AUC {all_cells:.3f} where k >= K, {rest:.3f} where k < K; on the same cohorts k >= K "
        f"gains {gain:+.3f}; {holds}"
    )


def panels(rows, path):
    """Three panels of AUC over one property each, and a table of AUC by k and K, as SVG."""
    low, high = 0.45, max(0.85, float(rows.groupby("ics")["auc"].mean().max()) + 0.05)
    body = []
    titles = {
        "ics": "a. Inner class separation",
        "ocs": "b. Outer cluster separation",
        "natural": "c. Natural clusters (K)",
    }
    for place, (column, title) in enumerate(titles.items()):
        body += [
            f'<g transform="translate({place * WIDTH} 0)">',
            *_panel(rows, column, title, low, high),
        ]
        body.append("</g>")
    body += [f'<g transform="translate({3 * WIDTH} 0)">', *_table(rows), "</g>", *_legend()]
    size = f'viewBox="0 0 {4 * WIDTH} {HEIGHT + 40}" width="{4 * WIDTH}" height="{HEIGHT + 40}"'
    style = 'font-family="sans-serif" font-size="11"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'
    ground = '<rect width="100%" height="100%" fill="white"/>'
    path.write_text("\n".join([head, ground, *body, "</svg>\n"]), encoding="utf-8")


def _panel(rows, column, title, low, high):
    yield _text(LEFT, 18, title, weight="bold")
    stops = sorted(rows[column].unique())
    xs = {at: LEFT + INSIDE[0] * number / max(len(stops) - 1, 1) for number, at in enumerate(stops)}
    for value in np.arange(0.5, high, 0.1):
        y = _y(value, low, high)
        yield f'<line x1="{LEFT}" x2="{LEFT + INSIDE[0]}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield _text(LEFT - 26, y + 4, f"{value:.1f}")
    for at, x in xs.items():
        yield _text(x - 6, TOP + INSIDE[1] + 18, f"{at:g}")
    yield _text(4, TOP - 4, "AUC")
    for method, colour in zip(METHODS, COLOURS, strict=True):
        means = rows[rows["method"] == method].groupby(column)["auc"].mean()
        points = " ".join(f"{xs[at]:.1f},{_y(v, low, high):.1f}" for at, v in means.items())
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _table(rows):
    """AUC of CAC (ours) by k and K, the darker the better; a frame where k >= K."""
    yield _text(LEFT, 18, "d. AUC of CAC (ours) by k and K", weight="bold")
    part = rows[rows["method"] == "cac, ours"]
    wide = part.pivot_table(index="clusters", columns="natural", values="auc")
    wide_px, high_px = INSIDE[0] / wide.shape[1], INSIDE[1] / wide.shape[0]
    low, high = wide.min().min(), wide.max().max()
    for i, k in enumerate(wide.index):
        yield _text(LEFT - 34, TOP + (i + 0.6) * high_px, f"k = {k}")
        for j, natural in enumerate(wide.columns):
            value = wide.loc[k, natural]
            shade = 0.1 + 0.7 * (value - low) / (high - low)
            x, y = LEFT + j * wide_px, TOP + i * high_px
            frame = ' stroke="#333" stroke-width="2"' if k >= natural else ""
            yield (
                f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide_px - 2:.1f}" '
                f'height="{high_px - 2:.1f}" fill="#0072B2" fill-opacity="{shade:.2f}"{frame}/>'
            )
            yield _text(x + 5, y + 0.6 * high_px, f"{value:.2f}"[1:])
    for j, natural in enumerate(wide.columns):
        yield _text(LEFT + j * wide_px + 6, TOP + INSIDE[1] + 18, f"{natural}")
    yield _text(LEFT, TOP + INSIDE[1] + 34, "K; framed: k at least K")


def _legend():
    for number, (method, colour) in enumerate(zip(METHODS, COLOURS, strict=True)):
        x = LEFT + number * 190
        y = HEIGHT + 22
        ends = f'x1="{x}" x2="{x + 24}" y1="{y - 4}" y2="{y - 4}"'
        yield f'<line {ends} stroke="{colour}" stroke-width="3"/>'
        yield _text(x + 30, y, method)


def _y(value, low, high):
    return TOP + (high - value) / (high - low) * INSIDE[1]


def _text(x, y, words, weight="normal"):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-weight="{weight}" fill="#222">{words}</text>'
