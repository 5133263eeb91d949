"""Names that would be markup, and where a page shows text in which markup works."""

from dataclasses import replace

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Outcome

SITE = "evil.example"  # as `plain` writes it, it has a backslash
PAYLOADS = (
    f"![a](http://{SITE}/x.png)",
    f"[a](http://{SITE})",
    f"www.{SITE}",
    f"a@{SITE}",
    f"<img src=http://{SITE}/x.png>",
    f"&lt;img src='http://{SITE}'&gt;",
    f"\\![a](https://{SITE}/y.png)",
    f"[b]: http://{SITE}",
    f":material/home: {SITE}",
    f":red[{SITE}] $x_{SITE}$ `{SITE}`",
    f"# {SITE}",
    f"| {SITE} | b |",
)
# what these elements show is literal: tried in Chromium (tests/browser)
LITERAL = {
    *(
        "arrow_data_frame",
        "dataframe",
        "plotly_chart",
        "selectbox",
        "multiselect",
        "text_input",
        "text",
    ),
    *("text_area", "number_input", "html", "page_config", "navigation", "file_uploader"),
}
LITERAL_FIELDS = {"id", "url", "query_param_key", "form_id", "alt", "key", "html"}


def name(number):
    return f"{PAYLOADS[number % len(PAYLOADS)]} {number}"


def hostile_cohort(n=300):
    """The demo with names, labels, units and levels that would be markup."""
    demo = make_demo(n)
    renamed = {c.name: name(i) for i, c in enumerate(demo.columns)}
    frame = demo.frame.rename(columns=renamed)
    columns = [
        replace(c, name=renamed[c.name], label=name(i + 5), unit=name(i + 7) if i % 3 else "")
        for i, c in enumerate(demo.columns)
    ]
    for column in columns:
        if column.kind == "category":
            levels = frame[column.name].dropna().unique()
            words = {level: name(i) for i, level in enumerate(levels)}
            frame[column.name] = frame[column.name].map(words)
    outcome = renamed[demo.outcome.column]
    return make_cohort(name(2), frame, columns, Outcome(outcome))


def texts(message, path=""):
    """Every text of an element with the name of its field."""
    for field, value in message.ListFields():
        for item in _items(value):
            if hasattr(item, "ListFields"):
                yield from texts(item, f"{path}{field.name}.")
            elif isinstance(item, str) and field.name not in LITERAL_FIELDS:
                yield f"{path}{field.name}", item


def _items(value):
    repeated = hasattr(value, "__iter__") and not isinstance(value, str | bytes)
    return value if repeated and not hasattr(value, "ListFields") else [value]


def raw_texts(app):
    """Texts of a page in which a name stands as it was typed though markup works there."""
    found = []
    for node in app._tree:
        proto = getattr(node, "proto", None)
        said = texts(proto) if proto is not None else ()
        literal = node.type in LITERAL
        found += [
            (node.type, field, text)
            for field, text in said
            # labels and helps are markup even where what is chosen from is not
            if SITE in text and (field in ("label", "help") or not literal)
        ]
    return found
