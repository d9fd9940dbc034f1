// @ts-check
/**
 * What a page looks like, in numbers: its words, its empty room, what moved while it
 * loaded, what fits its window. Labels drawn inside charts, formulas and what stands in
 * closed Details count for nothing.
 */

/** How much taller than its content a box may be, px. */
const ROOM = 48;

/**
 * What is measured of an element. `words` have a letter each, `first` are those of them in
 * the first window. `slack` has boxes that are more than 48 px taller than what is in them,
 * `scrolls` those with scrollbars of their own, each as "selector: px". `smallest` is the
 * size of the smallest letters, px, and `windows` where the element ends, in windows.
 *
 * @typedef {{ words: string[], first: string[], slack: string[], scrolls: string[], smallest: number, windows: number }} Measured
 */

/** @param {Page | Frame} where @param {string} [root] @returns {Promise<Measured>} */
export const measured = (where, root = "main") => where.evaluate(look, { root, most: ROOM });

/**
 * How far the page has moved by itself since it was loaded: the sum of its layout shifts.
 *
 * @param {Page | Frame} where
 * @returns {Promise<number>}
 */
export function shift(where) {
  return where.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = /** @type {any[]} */ (observer.takeRecords());
    observer.disconnect();
    return shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
  });
}

/**
 * Which of the selectors name nothing that stands wholly inside the window, with why:
 * a selector is fine if all of its visible elements are inside and there is one.
 *
 * @param {Page | Frame} where
 * @param {readonly string[]} selectors
 * @returns {Promise<string[]>}
 */
export function outside(where, selectors) {
  return where.evaluate((selectors) => selectors.flatMap((selector) => {
    const seen = [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0);
    if (seen.length === 0) return [`${selector} is not seen`];
    const boxes = seen.map((e) => e.getBoundingClientRect());
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    if (top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1) return [];
    return [`${selector} is at ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight} px, ${Math.round(left)} to ${Math.round(right)} of ${innerWidth}`];
  }), selectors);
}

/** Runs in the page. @param {{ root: string, most: number }} asked @returns {Measured} */
function look({ root, most }) {
  const found = document.querySelector(root);
  if (!found) throw new Error(`there is no ${root}`);
  const pictures = "svg, canvas, img, video, iframe, math, input, select, textarea, button, progress, meter, hr, .plot"; // each is its own content

  /** @param {Element} e */
  const isSeen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  /** Whether it, or what it is in, is there for screen readers alone. @param {Element} e */
  const isHidden = (e) => {
    for (let at = /** @type {Element | null} */ (e); at; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      if (width <= 2 && height <= 2 && getComputedStyle(at).overflow !== "visible") return true;
    }
    return false;
  };
  /** @param {Element} e */
  const named = (e) => `${e.localName}${e.id ? `#${e.id}` : ""}${[...e.classList].map((name) => `.${name}`).join("")}`;
  /** @param {Element} e */
  const path = (e) => `${e.parentElement ? `${named(e.parentElement)} > ` : ""}${named(e)}`;

  /** @type {Text[]} */
  const texts = [];
  const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    const parent = text.parentElement;
    if (!parent || parent.closest("script, style, option:not(:checked), math")) continue;
    const option = parent.closest("option");
    if (isSeen(option?.closest("select") ?? parent) && !isHidden(option?.closest("select") ?? parent)) texts.push(text);
  }

  /** @param {Element} e @returns {Element} */
  const block = (e) => (getComputedStyle(e).display === "inline" && e.parentElement ? block(e.parentElement) : e);
  /** @param {readonly Text[]} texts */
  const wordsOf = (texts) => {
    const blocks = texts.map(({ parentElement: e }) => e && block(e));
    const said = texts.map(({ data }, i) => (blocks[i] === blocks[i - 1] ? data : ` ${data}`)).join("");
    return said.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  };
  /** @param {Text} text */
  const top = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect().top + scrollY;
  };
  const written = texts.filter(({ parentElement: e }) => !e?.closest("svg"));
  const words = wordsOf(written);
  const first = wordsOf(written.filter((text) => top(text) < innerHeight));

  /** How much larger than its style says a text is drawn. @param {Element} e */
  const enlarged = (e) => (e instanceof SVGGraphicsElement ? (e.getScreenCTM()?.a ?? 1) : (/** @type {any} */ (e).currentCSSZoom ?? 1));
  const sizes = texts.flatMap(({ parentElement: e, data }) => (!e || !data.trim() || e.closest("sub, sup, option") ? [] : [Number.parseFloat(getComputedStyle(e).fontSize) * enlarged(e)]));

  /** The boxes of what is in an element. @param {Element} e @returns {DOMRect[]} */
  const inside = (e) => [...e.childNodes].flatMap((node) => {
    if (node instanceof Text && node.data.trim()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    }
    if (!(node instanceof Element)) return [];
    const { display, visibility } = getComputedStyle(node);
    if (display === "none" || visibility === "hidden") return [];
    if (display === "contents") return inside(node);
    return [...node.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  });
  /** Where the last thing in an element ends that is text or a picture. @param {Element} e */
  const ends = (e) => Math.max(-Infinity, ...[e, ...e.querySelectorAll("*")].flatMap((at) => {
    if (!isSeen(at)) return [];
    if (at.matches(pictures)) return [at.getBoundingClientRect().bottom];
    return [...at.childNodes].some((node) => node instanceof Text && node.data.trim()) ? [at.getBoundingClientRect().bottom] : [];
  }));
  /** Whether it is as high as its row, in which something beside it is higher. @param {Element} e @param {DOMRect} box */
  const isStretched = (e, box) => {
    const parent = e.parentElement;
    if (!parent || !/flex|grid|table-row/.test(getComputedStyle(parent).display)) return false;
    return [...parent.children].some((other) => {
      const there = other.getBoundingClientRect();
      const isBeside = there.left >= box.right - 1 || there.right <= box.left + 1;
      return other !== e && isBeside && there.top < box.bottom && ends(other) >= box.bottom - most;
    });
  };

  /** @type {string[]} */
  const slack = [];
  /** @param {Element} e @param {number} floor the end of the row that it is stretched to */
  const walk = (e, floor) => {
    if (!isSeen(e) || e.matches(pictures)) return;
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    let own = Number.isFinite(floor) && Math.abs(box.bottom - floor) <= most ? floor : Infinity;
    if (isStretched(e, box)) own = box.bottom;
    const isBox = !/^(inline|contents|none)$/.test(style.display) && box.width > 2 && !/fixed|sticky/.test(style.position);
    if (isBox && own === Infinity && box.height < innerHeight - 2 * most) {
      const all = inside(e);
      const edges = [style.borderTopWidth, style.borderBottomWidth, style.paddingTop, style.paddingBottom].reduce((sum, width) => sum + Number.parseFloat(width), 0);
      const content = all.length === 0 ? 0 : Math.max(...all.map(({ bottom }) => bottom)) - Math.min(...all.map(({ top }) => top));
      const room = box.height - edges - content;
      if (room > most) slack.push(`${path(e)}: ${Math.round(room)}`);
    }
    for (const child of e.children) walk(child, own);
  };
  for (const child of found.children) walk(child, Infinity);

  const scrolls = [...found.querySelectorAll("*")].flatMap((e) => {
    if (!isSeen(e) || isHidden(e) || e.matches(pictures)) return [];
    const { overflowX, overflowY } = getComputedStyle(e);
    const right = /auto|scroll/.test(overflowX) ? e.scrollWidth - e.clientWidth : 0;
    const down = /auto|scroll/.test(overflowY) ? e.scrollHeight - e.clientHeight : 0;
    return right > 1 || down > 1 ? [`${path(e)}: ${right} right, ${down} down`] : [];
  });

  const windows = (found.getBoundingClientRect().bottom + scrollY) / innerHeight;
  return { words, first, slack, scrolls, smallest: Math.min(...sizes.filter((size) => size > 0)), windows };
}
