// @ts-check
/**
 * What a page looks like, in numbers: its words, what moved while it loaded, what
 * fits its window. Labels drawn inside charts, formulas and what stands in
 * closed Details count for nothing.
 */

/**
 * What is measured of an element. `words` have a letter each, `first` are those of them in
 * the first window. `scrolls` are boxes with scrollbars of their own, each as "selector: px". `smallest` is the
 * size of the smallest letters, px, and `windows` where the element ends, in windows.
 *
 * @typedef {{ words: string[], first: string[], scrolls: string[], smallest: number, windows: number }} Measured
 */

/** @param {Page | Frame} where @param {string} [root] @returns {Promise<Measured>} */
export const measured = (where, root = "main") => where.evaluate(look, root);

/**
 * How far the page has moved by itself since it was loaded: the sum of its layout shifts. Those within half a second
 * of a gesture count if `always`, or else for nothing.
 *
 * @param {Page | Frame} where
 * @param {boolean} [always]
 * @returns {Promise<number>}
 */
export function shift(where, always = false) {
  return where.evaluate((always) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = /** @type {any[]} */ (observer.takeRecords());
    observer.disconnect();
    return shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput && !always ? 0 : value), 0);
  }, always);
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

/** Runs in the page. @param {string} root @returns {Measured} */
function look(root) {
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

  const scrolls = [...found.querySelectorAll("*")].flatMap((e) => {
    if (!isSeen(e) || isHidden(e) || e.matches(pictures)) return [];
    const { overflowX, overflowY } = getComputedStyle(e);
    const right = /auto|scroll/.test(overflowX) ? e.scrollWidth - e.clientWidth : 0;
    const down = /auto|scroll/.test(overflowY) ? e.scrollHeight - e.clientHeight : 0;
    return right > 1 || down > 1 ? [`${path(e)}: ${right} right, ${down} down`] : [];
  });

  const windows = (found.getBoundingClientRect().bottom + scrollY) / innerHeight;
  return { words, first, scrolls, smallest: Math.min(...sizes.filter((size) => size > 0)), windows };
}
