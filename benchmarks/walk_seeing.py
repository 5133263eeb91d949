"""What of a page can be seen to be wrong without eyes: texts that overlap or are cut off."""

from __future__ import annotations

from playwright.sync_api import Page

# Texts of one chart that lie on each other, or reach beyond it; three pixels are forgiven.
_CHARTS = """
() => {
  const found = [];
  const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true});
  for (const chart of document.querySelectorAll('.js-plotly-plot')) {
    if (!shown(chart)) continue;
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll('svg text')]
      .filter(t => t.textContent.trim() && shown(t) && !t.closest('.modebar, .hoverlayer'))
      .map(t => ({said: t.textContent.trim(), turned: /rotate\\((?!0)/.test(
        (t.getAttribute('transform') || '')), box: t.getBoundingClientRect()}))
      .filter(t => t.box.width > 0);
    for (const t of texts)
      if (t.box.left < frame.left - 3 || t.box.right > frame.right + 3
          || t.box.top < frame.top - 3 || t.box.bottom > frame.bottom + 3)
        found.push(`beyond its chart: ${t.said.slice(0, 50)}`);
    for (let i = 0; i < texts.length; i++)
      for (let j = i + 1; j < texts.length; j++) {
        const [a, b] = [texts[i], texts[j]];
        if (a.turned && b.turned) continue;  // boxes of slanted texts say little
        const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (w > 3 && h > 4)
          found.push(`on each other: ${a.said.slice(0, 40)} | ${b.said.slice(0, 40)}`);
      }
  }
  return found;
}
"""

# Words outside charts that an edge hides: an ellipsis, or a box that is too small.
_CUT = """
() => {
  const found = [];
  const main = document.querySelector('[data-testid=stMain]');
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = node.parentElement, said = node.textContent.trim();
    if (!said || at.closest('svg, canvas, style, script, [aria-hidden=true], .js-plotly-plot'))
      continue;
    if (!at.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    for (let e = at, i = 0; e && i < 4; e = e.parentElement, i++) {
      const style = getComputedStyle(e);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const cut = (style.overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 2)
        || (style.overflowY === 'hidden' && e.scrollHeight > e.clientHeight + 4);
      if (cut && e.clientWidth > 0) { found.push(`cut: ${said.slice(0, 60)}`); break; }
    }
  }
  return found;
}
"""


def crowded(page: Page) -> list[str]:
    """Texts of charts that overlap or leave their chart."""
    return page.evaluate(_CHARTS)


def cut(page: Page) -> list[str]:
    """Texts outside charts of which an edge hides a part."""
    return page.evaluate(_CUT)
