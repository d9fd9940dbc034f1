// A slide: the figure fits itself into whatever the frame gets, starts over when
// its slide is shown again, and hands the speaker's keys to the Reveal around it.
import { STEERED, TYPED } from "../panel/player.js";
import type { Inside } from "./frame.js";

const DESIGN = { width: 912, height: 540 }; // px: the least that Reveal's usual slide and one of 16:9 have in common

/** What Reveal is asked for by a key: a method of its API, and what it gets. */
const methods: Readonly<Record<string, readonly [method: string, ...args: number[]]>> = {
  PageDown: ["next"],
  PageUp: ["prev"],
  ArrowRight: ["right"],
  ArrowLeft: ["left"],
  ArrowUp: ["up"],
  ArrowDown: ["down"],
  Home: ["slide", 0],
  End: ["slide", 9999], // held to the last
  ".": ["togglePause"], // a presenter's black screen
  b: ["togglePause"],
  n: ["next"],
  p: ["prev"],
  Escape: ["toggleOverview"],
  o: ["toggleOverview"],
};

/** Fits the figure into its frame from now on, and speaks with the Reveal around it. */
export function fit(inside: Pick<Inside, "steer">): void {
  const enlarge = (): void => document.documentElement.style.setProperty("--enlarged", String(Math.min(innerWidth / DESIGN.width, innerHeight / DESIGN.height)));
  addEventListener("resize", enlarge);
  enlarge();
  if (parent === window) return;
  let left = false;
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent || (data !== "slide:start" && data !== "slide:stop")) return;
    if (data === "slide:stop") inside.steer("pause");
    else if (left) inside.steer("again");
    left = data === "slide:stop";
  });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element) || target.closest(`${TYPED}, dialog, [open] > :not(summary)`)) return;
    const asked = methods[key.length === 1 ? key.toLowerCase() : key];
    if (!asked || (/^(Arrow|Home|End)/.test(key) && target.closest(STEERED))) return;
    event.preventDefault();
    const [method, ...args] = asked;
    parent.postMessage(JSON.stringify({ method, args }), "*");
  });
}
