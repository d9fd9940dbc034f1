// The way to a place of the page: what stands above it may still come, and grow,
// when the view has arrived.

/** What a reader does who looks for another place. */
const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Ends the arrival before: there is one view. */
let leave = new AbortController();

/** Brings an element to the top of the view, and holds it there. */
export function arriveAt(element: Element, behavior: ScrollBehavior): void {
  show(element, behavior);
  hold(element, () => show(element, "instant"));
}

/** Holds an element where it is in the view, if it begins there. */
export function stayAt(element: Element): void {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < innerHeight) hold(element, () => scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" }));
}

/** Puts an element back whenever what is above it has changed its height, until the reader acts or the focus goes elsewhere. */
function hold(element: Element, putBack: () => void): void {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const end = (): void => leave.abort();
  for (const act of ACTS) addEventListener(act, end, { signal, passive: true });
  addEventListener("popstate", end, { signal });
  addEventListener("focusin", ({ target }) => target instanceof Node && !element.contains(target) && end(), { signal });
  let height = document.body.scrollHeight;
  const grown = new ResizeObserver(() => {
    if (height === document.body.scrollHeight) return;
    height = document.body.scrollHeight;
    if (element.isConnected) putBack();
    else end();
  });
  grown.observe(document.body);
  signal.addEventListener("abort", () => grown.disconnect());
}

/** Whether this is a frame in a page whose reader has not come to it yet. */
export function isGuest(): boolean {
  return parent !== window && !navigator.userActivation?.hasBeenActive;
}

function show(element: Element, behavior: ScrollBehavior): void {
  if (isGuest()) scrollTo(0, scrollY + element.getBoundingClientRect().top); // the page around stays where its reader is
  else element.scrollIntoView({ block: "start", behavior });
}
