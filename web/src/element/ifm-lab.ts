// <ifm-lab>: the lab in a page of another site. A frame in a shadow root, so
// that neither's styles, scripts or policies reach the other; its attributes are
// the settings of the lab's link, and what happens in it becomes events.
import type { Connect, Iteration, FromFrame, ToFrame } from "../embed/messages.js";
import type { Notice } from "../state/spec.js";
import type { Chapter, View } from "../state/view.js";
import { settings } from "./settings.gen.js";
import { strings } from "./strings.js";

/** About how high each chapter is, narrow, between and wide, and each part of the figure, px: so much is reserved until the frame tells. */
const chapters: Readonly<Record<Chapter, readonly [number, number, number]>> = {
  interaction: [3620, 2890, 2420],
  psd: [4580, 3650, 3030],
  reach: [3510, 2520, 2280],
  spectrum: [4030, 3010, 2910],
  loophole: [5620, 4150, 4060],
  break: [5320, 3840, 2700],
  diagonal: [6040, 4610, 4300],
  samples: [2590, 1910, 1860],
  algorithm: [6220, 4650, 4310],
  vtec: [3170, 2360, 1530],
  data: [2910, 2130, 1930],
};
const parts: Readonly<Record<Exclude<View["hide"][number], "matrices">, number>> = { title: 75, switch: 138, curve: 400, controls: 155, verdict: 300, maps: 500, spectrum: 500 };
const TABLE = 4700;
const LAB = 900;
const NARROW = 500; // px of width
const WIDE = 1000; // px from where the verdict and the maps stand beside the curve

/** The element's own attributes. */
const own = ["src", "label", "height", "loading", "class", "part", "exportparts", "is"];

const home = new URL("./", import.meta.url);
const TALL = 100_000; // px; a frame is no higher
const LOADED = 5_000; // ms from the frame's load until it is missed
const SEEN = 15_000; // ms the same from when the element is seen

const style = `
:host { display: block; max-width: 100% }
:host([hidden]), [hidden], p:empty { display: none }
iframe { display: block; box-sizing: border-box; width: 100%; border: var(--ifm-lab-border, 0); border-radius: var(--ifm-lab-radius, 0) }
p { margin: 0 0 .5rem; padding: .75rem 1rem; border: 2px solid; overflow-wrap: anywhere }
`;

/** Whether an attribute is a setting; those of a chapter begin with its name: psd.d. */
function isSetting(name: string): boolean {
  return settings.includes(name) || (name.includes(".") && Object.hasOwn(chapters, name.split(".", 1)[0] ?? ""));
}

/** A setting's value in the form of a link: a comma between two of a list. */
function form(value: unknown): string {
  return Array.isArray(value) ? value.map((item) => String(item).replace(/[\\,]/g, "\\$&")).join(",") : String(value);
}

const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement); // a server that renders pages may import this

class Lab extends Base {
  /** All records of the run that is shown, or was last. */
  records: readonly Iteration[] = [];
  /** What was not used of the settings as it stood. */
  notices: readonly Notice[] = [];

  private readonly root = this.attachShadow({ mode: "open" });
  private readonly said = document.createElement("p");
  private readonly frame = document.createElement("iframe");
  private readonly watch = new MutationObserver((changes) => this.changed(new Set(changes.map((change) => change.attributeName ?? ""))));
  private readonly sight = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.expect(SEEN));
  private address: URL | null = null; // of the frame
  private port: MessagePort | null = null;
  private wishes: ToFrame[] = []; // until there is a port
  private run = 0; // whose records there are
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    const { root, said, frame } = this;
    const sheet = new CSSStyleSheet(); // the page's policy may allow no <style>
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    said.setAttribute("part", "message");
    said.setAttribute("role", "alert");
    root.append(said);
    frame.setAttribute("part", "frame");
    frame.allow = "clipboard-write; fullscreen";
    frame.addEventListener("load", () => this.expect(LOADED));
  }

  connectedCallback(): void {
    this.watch.observe(this, { attributes: true });
    this.sight.observe(this);
    addEventListener("message", this.hear);
    document.addEventListener("securitypolicyviolation", this.forbidden);
    this.open();
  }

  disconnectedCallback(): void {
    this.watch.disconnect();
    this.sight.disconnect();
    removeEventListener("message", this.hear);
    document.removeEventListener("securitypolicyviolation", this.forbidden);
    this.close();
  }

  play(): void {
    this.send({ type: "play" });
  }

  pause(): void {
    this.send({ type: "pause" });
  }

  /** One iteration more; pauses. */
  step(): void {
    this.send({ type: "step" });
  }

  /** Begins the run anew, under another seed if one is given. */
  restart(seed?: number): void {
    this.send({ type: "again", ...(seed === undefined ? {} : { seed }) });
  }

  /** Sets attributes: null takes one away, a list is joined by commas. */
  set(wanted: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (!isSetting(name)) this.note(name, form(value));
      else if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, form(value));
    }
  }

  /** Loads the frame, or loads it anew. */
  private open(): void {
    this.close();
    this.wishes = [];
    this.notices = [];
    const { frame } = this;
    const src = this.getAttribute("src");
    try {
      const address = src === null ? new URL(home) : new URL(src, document.baseURI);
      if (/^https?:$/.test(address.protocol)) this.address = address;
    } catch {
      // told below
    }
    if (!this.address) return this.say(strings.address(src ?? ""));
    const query = new URLSearchParams(this.address.search); // src may be a link of the lab
    for (const { name, value } of this.attributes) {
      if (isSetting(name)) query.set(name, value);
      else this.note(name, value);
    }
    const embed = query.get("embed") === "lab" ? "lab" : "1";
    query.delete("embed");
    this.address.search = query.toString();
    query.set("embed", embed);
    const embedded = new URL(this.address);
    embedded.search = query.toString();
    embedded.hash = "";
    frame.loading = this.getAttribute("loading") === "eager" ? "eager" : "lazy";
    frame.src = embedded.href;
    this.dress();
    frame.style.height = `${Number.parseFloat(this.getAttribute("height") ?? "") || this.guess(query)}px`;
    this.root.append(frame);
  }

  private close(): void {
    clearTimeout(this.timer);
    this.port?.close();
    this.port = this.address = null;
    this.frame.remove(); // and not only another address, which the reader's Back would lead to
    this.say("");
  }

  private dress(): void {
    this.frame.title = this.getAttribute("label") || strings.title;
  }

  private guess(query: URLSearchParams): number {
    const size = this.clientWidth < NARROW ? 0 : this.clientWidth < WIDE ? 1 : 2;
    if (query.get("embed") === "lab") return LAB;
    if (query.get("source") === "table") return TABLE;
    const chapter = query.get("chapter") ?? "";
    if (Object.hasOwn(chapters, chapter)) return chapters[chapter as Chapter][size];
    const hidden = (query.get("hide") ?? "").replace("matrices", "maps,spectrum").split(",");
    if (size === 2 && !hidden.includes("curve")) hidden.push("verdict", "maps");
    return Object.entries(parts).reduce((sum, [part, height]) => sum + (hidden.includes(part) ? 0 : height), 24) * (size === 0 ? 1.1 : 1);
  }

  /** Tells of an attribute that is neither the element's nor one of every element. */
  private note(name: string, found: string): void {
    if (own.includes(name) || name in this || /^(on|aria-|data-)|[^a-z.]/.test(name)) return;
    this.notices = [...this.notices.filter(({ key }) => key !== name), { key: name, found, message: strings.unknown(name) }];
  }

  private changed(names: ReadonlySet<string>): void {
    if (names.has("src") || names.has("embed")) return this.open();
    this.dress();
    const wanted = [...names].filter(isSetting);
    if (wanted.length > 0) this.send({ type: "set", settings: Object.fromEntries(wanted.map((name) => [name, this.getAttribute(name)])) });
  }

  private send(wish: ToFrame): void {
    if (this.port) this.port.postMessage(wish);
    else this.wishes.push(wish);
  }

  /** Gives a port to the lab that has come up in the frame. */
  private readonly hear = ({ source, origin, data }: MessageEvent<{ readonly type?: unknown; readonly version?: unknown } | null>): void => {
    const { contentWindow } = this.frame;
    if (!contentWindow || source !== contentWindow || origin !== this.address?.origin || data?.type !== "ifm-lab.hello" || data.version !== 1) return;
    clearTimeout(this.timer);
    this.say("");
    this.port?.close();
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.run = 0;
    port1.onmessage = ({ data }: MessageEvent<FromFrame>) => this.take(data);
    contentWindow.postMessage({ type: "ifm-lab.connect", version: 1 } satisfies Connect, origin, [port2]);
    for (const wish of this.wishes.splice(0)) this.send(wish);
  };

  /** Makes an event of what the lab tells. */
  private take({ type, ...detail }: FromFrame): void {
    const { style, offsetHeight, clientHeight } = this.frame;
    if ("height" in detail && !this.frame.src.includes("embed=lab")) style.height = `${Math.min(Math.max(0, detail.height), TALL) + offsetHeight - clientHeight}px`; // with its border; a whole lab scrolls inside, since it grows while it is read
    if ("notices" in detail) this.notices = [...this.notices.filter(({ key }) => key !== "" && !isSetting(key)), ...detail.notices];
    if ("run" in detail && detail.run !== this.run) {
      this.run = detail.run;
      this.records = [];
    }
    if ("records" in detail) this.records = [...this.records, ...detail.records];
    this.dispatchEvent(new CustomEvent(`ifm-${type}`, { detail, bubbles: true, composed: true }));
  }

  /** Says so if nothing comes of the frame. */
  private expect(ms: number): void {
    clearTimeout(this.timer);
    if (!this.port) this.timer = setTimeout(() => this.say(strings.silent(this.address?.origin ?? "")), ms);
  }

  private readonly forbidden = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    const origin = this.address?.origin ?? "";
    if (disposition !== "enforce" || !/^(frame|child|default)-src/.test(effectiveDirective) || !`${blockedURI}/`.startsWith(`${origin}/`)) return;
    this.frame.remove();
    this.say(strings.forbidden(origin));
  };

  /** Says what is wrong, with a link to the lab; "" says nothing any more. */
  private say(text: string): void {
    clearTimeout(this.timer);
    this.said.textContent = text;
    this.frame.style.display = text === "" ? "" : "none"; // what did not come leaves no gap
    if (text === "") return;
    this.dispatchEvent(new CustomEvent("ifm-error", { detail: { message: text }, bubbles: true, composed: true }));
    if (!this.address) return;
    const link = document.createElement("a");
    Object.assign(link, { href: this.address.href, target: "_blank", rel: "noopener", textContent: strings.open });
    this.said.append(" ", link);
  }
}

if (globalThis.customElements && !customElements.get("ifm-lab")) customElements.define("ifm-lab", Lab);
