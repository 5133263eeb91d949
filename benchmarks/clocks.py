"""How long until something is on screen, by the browser's own clock."""

from __future__ import annotations

# From the last press (or release) of the mouse until the page holds what is waited for.
CLOCK = """() => {
  const times = (window.clock = {});
  const held = () => Boolean(%s);
  document.addEventListener("%s", () => (times.pressed ??= performance.now()), {capture: true});
  const look = () => {
    if (!times.pressed || times.there || !held()) return;
    watch.disconnect();
    times.there = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => (times.drawn = performance.now())));
  };
  const watch = new MutationObserver(look);
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  watch.observe(document.body, all);
}"""


def seconds_until(page, truth, act, event="mousedown"):
    """Do it: seconds until a JavaScript expression is true, and until that is drawn."""
    page.evaluate(CLOCK % (truth, event))
    act()
    page.wait_for_function("window.clock.drawn")
    times = page.evaluate("window.clock")
    return [(times[end] - times["pressed"]) / 1000 for end in ("there", "drawn")]


def says(words, within="stApp"):
    """The expression that is true once part of the page says so."""
    place = f'document.querySelector("[data-testid={within}]")'
    return f'{place}?.innerText.replaceAll("\\u00a0", " ").includes("{words}")'
