"""What of a page can be seen to be wrong without eyes: pale, cut or overlapping texts, too wide."""

from playwright.sync_api import Page

LEAST = 4.5  # WCAG 2.2, 1.4.3; 3 for large text

_COLOURS = """
  const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const rgba = color => {
    if (!known.has(color)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const over = (top, below) => below.map((v, i) => i < 3 ? top[i] * top[3] + v * (1 - top[3]) : 1);
  const light = color => {
    const [r, g, b] = color.slice(0, 3).map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
"""

# text whose colour is too near to what lies behind it, with the ratio; icons and drawings aside
_PALE = (
    f"least => {{{_COLOURS}"
    + """
  const ways = element => {
    const found = [];
    for (let e = element; e; e = e.parentElement) found.unshift(getComputedStyle(e));
    return found;
  };
  const pale = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = node.parentElement, said = node.textContent.trim();
    if (!said || at.closest('svg, canvas, style, script, [role=img], [aria-hidden=true], :disabled')
        || at.closest('[data-testid=stSliderThumbValue]'))  // stands above the thumb, not on it
      continue;
    if (!at.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    let behind = [255, 255, 255, 1], faded = 1;
    for (const style of ways(at)) {
      behind = over(rgba(style.backgroundColor), behind);
      faded *= Number(style.opacity);
    }
    const style = getComputedStyle(at), [r, g, b, a] = rgba(style.color);
    const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    const wanted = size >= 24 || (bold && size >= 18.66) ? 3 : least;
    const found = ratio(over([r, g, b, a * faded], behind), behind);
    if (found < wanted) pale.push(`${found.toFixed(2)}: ${said.slice(0, 60)}`);
  }
  return pale;
}
"""
)

# words of charts, which lie on the page itself
_PALE_CHARTS = (
    f"least => {{{_COLOURS}"
    + """
  const page = rgba(getComputedStyle(document.querySelector('.stApp')).backgroundColor);
  const pale = [];
  const words = ':is(.xtick text, .ytick text, .xtitle, .ytitle, .legendtext, .cbaxis text)';
  for (const text of document.querySelectorAll(`.js-plotly-plot ${words}`)) {
    if (!text.textContent.trim() || !text.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(text), [r, g, b, a] = rgba(style.fill);
    const found = ratio(over([r, g, b, a * style.fillOpacity * style.opacity], page), page);
    if (found < least) pale.push(`${found.toFixed(2)}: ${text.textContent.trim().slice(0, 60)}`);
  }
  return pale;
}
"""
)

# what has the focus: where it is, its name, and whether a ring shows it
_FOCUS = """
() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const rings = [];
  for (let at = e, i = 0; at && i < 4; at = at.parentElement, i++) rings.push(getComputedStyle(at));
  const ring = s => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0)
    || s.boxShadow !== 'none';
  const said = e.getAttribute('aria-label') || e.innerText || e.placeholder || e.tagName;
  return {name: said.trim().split('\\n').join(' ').slice(0, 60), ring: rings.some(ring),
          kind: e.tagName + (e.type ? ':' + e.type : '')};
}
"""


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


def pale_texts(page: Page) -> list[str]:
    """Texts of the page below the least contrast."""
    return page.evaluate(_PALE, LEAST)


def pale_in_charts(page: Page) -> list[str]:
    """Words of charts below the least contrast."""
    return page.evaluate(_PALE_CHARTS, LEAST)


def too_wide(page: Page) -> bool:
    """Whether the page, or what scrolls in its middle, goes sideways."""
    return page.evaluate(
        "() => [document.scrollingElement, document.querySelector('[data-testid=stMain]')]"
        ".some(e => e.scrollWidth > e.clientWidth)"
    )


def focused(page: Page) -> dict | None:
    """What has the focus now."""
    return page.evaluate(_FOCUS)


def crowded(page: Page) -> list[str]:
    """Texts of charts that overlap or leave their chart."""
    return page.evaluate(_CHARTS)


def cut(page: Page) -> list[str]:
    """Texts outside charts of which an edge hides a part."""
    return page.evaluate(_CUT)
