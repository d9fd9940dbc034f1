// <ifm-lab>: the lab in a page of another site. A frame in a shadow root keeps the
// styles, scripts and policies of both apart. Attributes are the settings of the
// lab's link, properties reflect them, and what happens in the lab becomes events.
// In the package for npm, where import.meta.url is "", there is no lab beside it.
import type { Connect, FromFrame, Iteration, Scheme, ToFrame, Wear } from "../embed/messages.js";
import { heightOf } from "../state/heights.js";
import type { Notice } from "../state/spec.js";
import { chapters } from "../state/view.gen.js";
import { kinds, own, type Properties } from "./settings.gen.js";
import { strings } from "./strings.js";
import { form, read, type Kind } from "./values.js";

/** Attributes of every element that are no properties. */
const everyones = ["class", "is", "part", "exportparts", "role"];

const TALL = 100_000; // px; a frame is no higher
const LOADED = 5_000; // ms from the frame's load until it is missed
const SEEN = 15_000; // ms the same from when the element is seen

const style = `
:host { display: block; max-width: 100% }
:host([hidden]), [hidden], p:empty { display: none }
iframe { display: block; box-sizing: border-box; width: 100%; border: var(--ifm-lab-border, 0); border-radius: var(--ifm-lab-radius, 0) }
i { position: absolute; visibility: hidden; color: light-dark(#000, #fff); transition: color 1ms; transition: color 1ms, color-scheme 1ms allow-discrete }
p { margin: 0 0 .5rem; padding: .75rem 1rem; border: 2px solid; overflow-wrap: anywhere }
`;

function named(name: string): boolean {
  return chapters.some((chapter) => chapter === name);
}

/** Those of a chapter begin with its name: psd.d. */
function isSetting(name: string): boolean {
  return Object.hasOwn(kinds, name) || (name.includes(".") && named(name.split(".", 1)[0] ?? ""));
}

const kindOf: Readonly<Record<string, Kind>> = { ...own, ...kinds };
const properties = Object.keys(kindOf);

function misspelt(name: string): string | undefined {
  const [head = "", ...rest] = name.split(".");
  const near = meant(head, rest.length > 0 ? chapters : properties);
  return near && [near, ...rest].join(".");
}

/** Whether an attribute is a property in small letters, as tabindex. */
function known(element: object, name: string): boolean {
  for (const property in element) if (property.toLowerCase() === name) return true;
  return false;
}

const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement); // a server that renders pages may import this

export interface IfmLab extends Properties {}

export class IfmLab extends Base {
  /** The lab of elements without a src: beside this script, or for the host to say. */
  static home = import.meta.url && new URL("./", import.meta.url).href;

  static {
    for (const [name, kind] of Object.entries(kindOf)) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: IfmLab) {
          return read(kind, this.getAttribute(name));
        },
        set(this: IfmLab, value: unknown) {
          this.#put(name, value);
        },
      });
    }
  }

  #records: readonly Iteration[] = [];
  #notices: readonly Notice[] = [];
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #said = document.createElement("p");
  readonly #frame = document.createElement("iframe");
  readonly #watch = new MutationObserver((changes) => this.#changed(new Set(changes.map((change) => change.attributeName ?? ""))));
  readonly #probe = document.createElement("i"); // has the colours of the page around
  readonly #sight = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    this.#wear(); // what is not displayed does not tell
    this.#expect(SEEN);
  });
  #address: URL | null = null; // of the frame
  #port: MessagePort | null = null;
  #wishes: ToFrame[] = []; // until there is a port
  #scheme: Scheme = "auto"; // that the frame has been told
  #measured = false; // the frame has told its height
  readonly #warned = new Set<string>(); // names that the console has
  #run = 0; // whose records there are
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    const [root, said, frame] = [this.#root, this.#said, this.#frame];
    const sheet = new CSSStyleSheet(); // the page's policy may allow no <style>
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    said.setAttribute("part", "message");
    said.setAttribute("role", "alert");
    this.#probe.setAttribute("aria-hidden", "true");
    for (const type of ["transitionrun", "transitionend"]) this.#probe.addEventListener(type, () => this.#wear());
    root.append(this.#probe, said);
    frame.setAttribute("part", "frame");
    frame.allow = "clipboard-write; fullscreen";
    frame.addEventListener("load", () => this.#expect(LOADED));
    for (const name of properties) { // what was set before the script had come
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (early && Reflect.deleteProperty(this, name)) this.#put(name, early.value);
    }
  }

  /** All records of the run that is shown, or was last. */
  get records(): readonly Iteration[] {
    return this.#records;
  }

  /** What was not used of the settings as it stood. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  connectedCallback(): void {
    this.#watch.observe(this, { attributes: true });
    this.#sight.observe(this);
    addEventListener("message", this.#hear);
    document.addEventListener("securitypolicyviolation", this.#forbidden);
    this.#open();
  }

  disconnectedCallback(): void {
    this.#watch.disconnect();
    this.#sight.disconnect();
    removeEventListener("message", this.#hear);
    document.removeEventListener("securitypolicyviolation", this.#forbidden);
    this.#close();
  }

  play(): void {
    this.#send({ type: "play" });
  }

  pause(): void {
    this.#send({ type: "pause" });
  }

  /** One iteration more; pauses. */
  step(): void {
    this.#send({ type: "step" });
  }

  /** Begins the run anew, under another seed if one is given. */
  restart(seed?: number): void {
    this.#send({ type: "again", ...(seed === undefined ? {} : { seed }) });
  }

  /** A null removes the attribute; a list is joined by commas. */
  set(wanted: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (isSetting(name)) this.#put(name, value);
      else this.#note(name, form(value));
    }
  }

  #put(name: string, value: unknown): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, form(value));
  }

  #open(): void {
    this.#close();
    this.#wishes = [];
    this.#notices = [];
    const frame = this.#frame;
    const src = this.getAttribute("src") ?? IfmLab.home;
    try {
      const address = new URL(src, document.baseURI);
      if (src !== "" && /^https?:$/.test(address.protocol)) this.#address = address;
    } catch {
      // told below
    }
    if (!this.#address) {
      const text = src === "" ? strings.homeless : strings.address(src);
      this.#timer = setTimeout(() => this.#say(text)); // who makes elements may be about to name one
      return;
    }
    const query = new URLSearchParams(this.#address.search); // src may be a link of the lab
    for (const { name, value } of this.attributes) {
      if (isSetting(name)) query.set(name, value);
      else this.#note(name, value);
    }
    this.#look();
    const embed = query.get("embed") === "lab" ? "lab" : "1";
    query.delete("embed");
    this.#address.search = String(query);
    query.set("embed", embed);
    const embedded = Object.assign(new URL(this.#address), { search: String(query), hash: "" });
    frame.loading = this.getAttribute("loading") === "eager" ? "eager" : "lazy";
    frame.src = embedded.href;
    this.#dress();
    frame.style.height = `${this.#reserved || heightOf(query, this.clientWidth)}px`;
    this.#root.append(frame);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#port?.close();
    this.#port = this.#address = null;
    this.#measured = false;
    this.#scheme = "auto";
    this.#frame.remove(); // and not only another address, which the reader's Back would lead to
    this.#say("");
  }

  #dress(): void {
    this.#frame.title = this.getAttribute("label") || strings.title;
  }

  get #reserved(): number {
    return Number.parseFloat(this.getAttribute("height") ?? "");
  }

  /** Warns of a name that is neither the element's nor every element's. */
  #note(name: string, found: string): void {
    if (everyones.includes(name) || /^(on|aria-|data-|item)/.test(name) || name in IfmLab.prototype) return;
    const near = misspelt(name);
    const plain = /^[a-z.]+$/.test(name);
    if (near === undefined && (!plain || known(this, name))) return; // a framework's own, or tabindex
    const message = strings.unknown(name, near);
    this.#notices = [...this.#notices.filter(({ key }) => key !== name), { key: name, found, message }];
    this.#warn(name, message);
  }

  #warn(name: string, message: string): void {
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    console.warn(`<ifm-lab>: ${message}`, this);
  }

  /** Warns of what a script has set under a name that is near to a setting's. */
  #look(): void {
    for (const [name, value] of Object.entries(this)) if (/^[a-z]\w{3}/i.test(name) && misspelt(name) !== undefined) this.#note(name, form(value));
  }

  #changed(names: ReadonlySet<string>): void {
    if (names.has("src") || names.has("embed")) return this.#open();
    this.#dress();
    this.#look();
    for (const name of names) if (!isSetting(name) && this.hasAttribute(name)) this.#note(name, this.getAttribute(name) ?? "");
    if (names.has("height") && this.#reserved > 0) {
      if (this.#measured) this.#warn("height", strings.late("height"));
      else this.#frame.style.height = `${this.#reserved}px`;
    }
    const loading = this.getAttribute("loading");
    if (names.has("loading") && loading !== this.#frame.loading) {
      if (loading === "eager") this.#frame.loading = loading;
      else if (loading !== null) this.#warn("loading", strings.late("loading"));
    }
    const wanted = [...names].filter(isSetting);
    if (wanted.length > 0) this.#send({ type: "set", settings: Object.fromEntries(wanted.map((name) => [name, this.getAttribute(name)])) });
  }

  /** Tells the frame the colours of the page around: the system's, unless its color-scheme is one alone. */
  #wear(): void {
    const names = getComputedStyle(this).colorScheme.split(" ");
    const [light, dark] = [names.includes("light"), names.includes("dark")];
    const scheme = light === dark ? "auto" : light ? "light" : "dark";
    if (!this.#port || scheme === this.#scheme) return;
    this.#scheme = scheme;
    this.#frame.contentWindow?.postMessage({ type: "ifm-lab.scheme", scheme } satisfies Wear, this.#address?.origin ?? "");
  }

  #send(wish: ToFrame): void {
    if (this.#port) this.#port.postMessage(wish);
    else this.#wishes.push(wish);
  }

  /** Gives a port to the lab that has come up in the frame. */
  readonly #hear = ({ source, origin, data }: MessageEvent<{ readonly type?: unknown; readonly version?: unknown } | null>): void => {
    const { contentWindow } = this.#frame;
    if (!contentWindow || source !== contentWindow || origin !== this.#address?.origin || data?.type !== "ifm-lab.hello" || data.version !== 1) return;
    clearTimeout(this.#timer);
    this.#say("");
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#run = 0;
    this.#scheme = "auto";
    this.#wear();
    port1.onmessage = ({ data }: MessageEvent<FromFrame>) => this.#take(data);
    contentWindow.postMessage({ type: "ifm-lab.connect", version: 1 } satisfies Connect, origin, [port2]);
    for (const wish of this.#wishes.splice(0)) this.#send(wish);
  };

  #take({ type, ...detail }: FromFrame): void {
    const { style, offsetHeight, clientHeight } = this.#frame;
    this.#look();
    if ("height" in detail && !this.#frame.src.includes("embed=lab")) {
      this.#measured = true;
      style.height = `${Math.min(Math.max(0, detail.height), TALL) + offsetHeight - clientHeight}px`; // with its border; a whole lab scrolls inside, since it grows while it is read
    }
    if ("notices" in detail) this.#notices = [...this.#notices.filter(({ key }) => key !== "" && !isSetting(key)), ...detail.notices];
    if ("run" in detail && detail.run !== this.#run) {
      this.#run = detail.run;
      this.#records = [];
    }
    if ("records" in detail) this.#records = [...this.#records, ...detail.records];
    this.dispatchEvent(new CustomEvent(`ifm-${type}`, { detail, bubbles: true, composed: true }));
  }

  #expect(ms: number): void {
    if (!this.#address) return;
    clearTimeout(this.#timer);
    if (!this.#port) this.#timer = setTimeout(() => this.#say(strings.silent(this.#address?.origin ?? "")), ms);
  }

  readonly #forbidden = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    const origin = this.#address?.origin ?? "";
    if (disposition !== "enforce" || !/^(frame|child|default)-src/.test(effectiveDirective) || !`${blockedURI}/`.startsWith(`${origin}/`)) return;
    this.#frame.remove();
    this.#say(strings.forbidden(origin));
  };

  /** Says what is wrong, with a link to the lab. */
  #say(text: string): void {
    clearTimeout(this.#timer);
    this.#said.textContent = text;
    this.#frame.style.display = text === "" ? "" : "none"; // what did not come leaves no gap
    if (text === "") return;
    this.dispatchEvent(new CustomEvent("ifm-error", { detail: { message: text }, bubbles: true, composed: true }));
    if (!this.#address) return;
    const link = document.createElement("a");
    Object.assign(link, { href: this.#address.href, target: "_blank", rel: "noopener", textContent: strings.open });
    this.#said.append(" ", link);
  }
}

if (globalThis.customElements && !customElements.get("ifm-lab")) customElements.define("ifm-lab", IfmLab);

/** The likely name: with other capitals or hyphens, or one slip in every three letters. */
export function meant(name: string, names: readonly string[]): string | undefined {
  const letters = plain(name);
  const most = Math.min(2, Math.floor(letters.length / 3));
  const near = names.map((other) => ({ other, slips: slips(letters, other) })).filter(({ slips }) => slips <= most);
  return near.sort((a, b) => a.slips - b.slips)[0]?.other;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** How many letters are more, fewer, other, or changed with the next. */
function slips(a: string, b: string): number {
  let [earlier, before]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const changed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      now.push(Math.min(at(before, j) + 1, at(now, j - 1) + 1, at(before, j - 1) + (same ? 0 : 1), changed ? at(earlier, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [earlier, before] = [before, now];
  }
  return at(before, b.length);
}

function at(row: readonly number[] | undefined, j: number): number {
  return row?.[j] ?? 0;
}
