// A drawing of the page that stands by itself: what style sheets gave it becomes
// attributes. Nothing else is taken over, so that whatever a name holds stays text.

const NAMESPACE = "http://www.w3.org/2000/svg";
const SHAPES: ReadonlySet<string> = new Set(["g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "clipPath", "svg"]);
const GEOMETRY: ReadonlySet<string> = new Set(["d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "transform", "dx", "dy", "overflow"]);

/** What a shape inherits, and what it has where nothing says otherwise. */
const INITIAL: Readonly<Record<string, string>> = {
  fill: "#000000", "fill-opacity": "1", "fill-rule": "nonzero", stroke: "none", "stroke-opacity": "1", "stroke-width": "1", "stroke-dasharray": "none",
  "stroke-linejoin": "miter", "stroke-linecap": "butt", "stroke-miterlimit": "4", "paint-order": "normal", "shape-rendering": "auto",
  "font-family": "", "font-size": "", "font-weight": "400", "text-anchor": "start",
};
type Paint = typeof INITIAL;

const SYSTEM = "Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"; // what a file finds wherever it is opened
const LETTERS = `'Source Sans 3', ${SYSTEM}`;

export function element(name: string, attributes: Readonly<Record<string, string | number>> = {}, ...inner: readonly (Element | string)[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...inner.map((part) => (typeof part === "string" ? legible(part) : part)));
  return made;
}

export function groupAt(x: number, y: number, ...inner: readonly Element[]): SVGElement {
  return element("g", { transform: `translate(${x},${y})` }, ...inner);
}

/** A text without the characters that XML has no place for. */
function legible(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}

export function redrawn(from: SVGSVGElement): Drawn {
  const { width, height } = from.getBoundingClientRect();
  const paint = painted(getComputedStyle(from), INITIAL);
  const own = from.viewBox.baseVal; // null where it has none
  const shapes = inside(from, paint);
  const scaled = own && own.width > 0 && own.width !== width ? [element("g", { transform: `scale(${width / own.width},${height / own.height})` }, ...shapes)] : shapes;
  return { node: element("svg", { width, height, overflow: "visible", ...differing(paint, INITIAL) }, ...scaled), width, height };
}

export interface Drawn {
  readonly node: SVGElement;
  readonly width: number;
  readonly height: number;
}

function differing(paint: Paint, given: Paint): Paint {
  return Object.fromEntries(Object.entries(paint).filter(([name, value]) => value !== given[name]));
}

function inside(from: Element, given: Paint): SVGElement[] {
  let like = ""; // the last child: thousands of dots differ in their places alone
  let paint = given;
  return Array.from(from.children).flatMap((child) => {
    if (!SHAPES.has(child.localName) || child.hasAttribute("data-cursor")) return [];
    const attributes = Array.from(child.attributes, ({ name, value }) => [name, value] as const);
    const now = JSON.stringify([child.localName, attributes.filter(([name]) => !GEOMETRY.has(name))]);
    const style = getComputedStyle(child);
    if (now !== like) [like, paint] = [now, painted(style, given)];
    if (child.localName !== "clipPath" && (style.display === "none" || style.visibility === "hidden")) return [];
    const copy = element(child.localName, { ...Object.fromEntries(attributes.filter(([name, value]) => taken(child.localName, name, value)).map(([name, value]) => [name, short(value)])), ...differing(paint, given) });
    if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
    const inner = inside(child, paint);
    if (inner.length > 0) copy.append(...inner);
    else if (child.localName === "text" || child.localName === "tspan") copy.append(legible(child.textContent ?? ""));
    return [copy];
  });
}

/** Of attributes only geometry and clips are copied. */
function taken(shape: string, name: string, value: string): boolean {
  return GEOMETRY.has(name) || (name === "clip-path" ? /^url\(#[\w-]+\)$/.test(value) : shape === "clipPath" && name === "id" && /^[\w-]+$/.test(value));
}

function short(value: string): string {
  return value.replaceAll(/\d+\.\d{4,}/g, (number) => Number(number).toFixed(3));
}

function painted(style: CSSStyleDeclaration, given: Paint): Paint {
  const found = Object.keys(INITIAL).map((name) => [name, style.getPropertyValue(name).replaceAll(/(\d)px/g, "$1").replaceAll(", ", name === "stroke-dasharray" ? " " : ", ") || (given[name] ?? "")] as const);
  const paint: Record<string, string> = Object.fromEntries(found);
  if (paint["font-family"]?.includes('"Source Sans 3"')) paint["font-family"] = LETTERS;
  for (const name of ["fill", "stroke"]) {
    const { hex, alpha } = colour(paint[name] ?? "none");
    paint[name] = hex;
    if (alpha < 1 && hex !== "none") paint[`${name}-opacity`] = String(Number((alpha * Number(paint[`${name}-opacity`])).toFixed(3)));
  }
  return paint;
}

export interface Colour {
  readonly hex: string; // or "none"
  readonly alpha: number;
}

/** A computed colour in the form that every program reads. */
export function colour(computed: string): Colour {
  if (computed === "none" || computed === "transparent") return { hex: "none", alpha: 0 };
  const [r = 0, g = 0, b = 0, alpha = 1] = /^rgba?\(/.test(computed) ? (computed.match(/[\d.]+/g) ?? []).map(Number) : sampled(computed);
  return { hex: alpha === 0 ? "none" : hex(r, g, b), alpha };
}

export function hex(...bytes: readonly number[]): string {
  return `#${bytes.map((byte) => Math.round(byte).toString(16).padStart(2, "0")).join("")}`;
}

/** Those that are written in other spaces, as a canvas shows them. */
function sampled(computed: string): number[] {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return [];
  context.fillStyle = computed;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 255] = context.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

/** The colours and letters that the page has where an element stands. */
export class Ink {
  readonly family = LETTERS;
  private readonly pen = document.createElement("canvas").getContext("2d");
  private readonly known = new Map<string, string>();

  constructor(private readonly host: Element) {}

  of(token: string): string {
    return this.shown(`var(--${token})`);
  }

  shown(shade: string): string {
    const known = this.known.get(shade) ?? this.ask(shade);
    this.known.set(shade, known);
    return known;
  }

  private ask(shade: string): string {
    const probe = document.createElement("span");
    probe.style.color = shade;
    probe.style.setProperty("forced-color-adjust", "none"); // as the lines have it
    this.host.append(probe);
    const { hex } = colour(getComputedStyle(probe).color);
    probe.remove();
    return hex;
  }

  width(text: string, size: number, weight = 400): number {
    if (!this.pen) return 0.6 * size * text.length;
    this.pen.font = `${weight} ${size}px ${SYSTEM}`; // no narrower than the page's own
    return this.pen.measureText(text).width;
  }

  /** Breaks between words, or within one that is wider. */
  wrapped(text: string, width: number, size: number, weight = 400): string[] {
    const fits = (part: string): boolean => this.width(part, size, weight) <= width;
    const lines: string[] = [];
    let line = "";
    for (let word of text.replaceAll(/ ([=÷]) /g, "\u00a0$1\u00a0").split(/[ \t\r\n]+/).filter((part) => part !== "")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      while (!fits(word)) {
        const letters = Array.from(word);
        let [some, many] = [1, letters.length]; // that many do not fit
        while (many - some > 1) {
          const middle = (some + many) >> 1;
          if (fits(letters.slice(0, middle).join(""))) some = middle;
          else many = middle;
        }
        if (letters.length <= 1) break;
        lines.push(letters.slice(0, some).join(""));
        word = letters.slice(some).join("");
      }
      line = word;
    }
    return line === "" ? lines : [...lines, line];
  }

  /** The first line of a text that takes more than one. */
  firstLine(text: string, width: number, size: number): string {
    const [line = "", ...more] = this.wrapped(text, width, size);
    return more.length > 0 ? `${line} …` : line;
  }
}
