// The way to a place of the page: what stands above it may still come, and grow,
// when the view has arrived.

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

let leave = new AbortController();

export function arriveAt(element: Element, behavior: ScrollBehavior): void {
  show(element, behavior);
  hold(element, isGuest() ? 0 : parseFloat(getComputedStyle(element).scrollMarginTop), () => show(element, "instant"));
}

export function stayAt(element: Element): void {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < innerHeight) hold(element, top, () => scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" }));
}

/**
 * Puts an element back to `top` pixels below the view's when the page above it changes
 * its height, until the reader acts, scrolls or moves the focus elsewhere.
 */
function hold(element: Element, top: number, putBack: () => void): void {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const end = (): void => leave.abort();
  for (const act of ACTS) addEventListener(act, end, { signal, passive: true });
  addEventListener("popstate", end, { signal });
  addEventListener("focusin", ({ target }) => target instanceof Node && !element.contains(target) && end(), { signal });
  let height = document.body.scrollHeight;
  let arrived = isAt(element, top) ? scrollY : NaN; // where the page is scrolled to while the element is in its place
  addEventListener("scrollend", () => {
    if (isAt(element, top)) arrived = scrollY;
    else if (height === document.body.scrollHeight && Math.abs(scrollY - arrived) >= 2) end();
  }, { signal });
  const grown = new ResizeObserver(() => {
    if (height === document.body.scrollHeight) return;
    height = document.body.scrollHeight;
    if (!element.isConnected) return end();
    putBack();
    arrived = scrollY;
  });
  grown.observe(document.body);
  signal.addEventListener("abort", () => grown.disconnect());
}

/** Whether an element is where it is wanted, or as near to it as the page's ends allow. */
function isAt(element: Element, top: number): boolean {
  const end = document.documentElement.scrollHeight - innerHeight;
  const wanted = Math.max(0, Math.min(end, scrollY + element.getBoundingClientRect().top - top));
  return Math.abs(wanted - scrollY) < 2; // browsers round the place of a view
}

/** Whether this is a frame in a page whose reader has not come to it yet. */
export function isGuest(): boolean {
  return parent !== window && !navigator.userActivation?.hasBeenActive;
}

function show(element: Element, behavior: ScrollBehavior): void {
  if (isGuest()) scrollTo(0, scrollY + element.getBoundingClientRect().top); // the page around stays where its reader is
  else element.scrollIntoView({ block: "start", behavior });
}
