// A chart's files: its numbers, and its picture with title, legend, how the numbers were made, and the address that repeats them.
import type { Column, Entry, Picture, Ramp, Sheet } from "../charts/sheet.js";
import type { Training } from "../training/training.js";
import { csv } from "./csv.js";
import { abreast, mapped, pairs } from "./heat.js";
import { colour, element, groupAt, Ink, redrawn, type Drawn } from "./ink.js";
import { runFile } from "./runfile.js";
import { saving as strings } from "./strings.js";
import type { Turns } from "./turns.js";

export type Kind = "svg" | "png" | "csv" | "json" | "tex" | "md";

const MARGIN = 16; // px
const LEAST = 320; // px, width of a picture
const TITLE = 17; // px, sizes of letters
const TEXT = 15;
const SMALL = 14;
const BAR = 160; // px, of the colours and what they mean
const PIXELS = 2; // a px of the PNG
const LARGEST = 8192; // pixels of the PNG's longer side at most

export interface Place {
  readonly host: Element; // the chart, with its colours and letters
  readonly says: string; // how the numbers were made
  readonly label: string | undefined; // simulated, or whose data it is
  readonly link: string;
  readonly run: Training | undefined;
}

export async function make(kind: Kind, sheet: Sheet, place: Place, turns: Turns): Promise<Blob> {
  const { picture } = sheet;
  if (kind === "json" && place.run) return runFile(place.run, place.says, place.link, turns);
  if ((kind === "tex" || kind === "md") && sheet.texts) return new Blob([sheet.texts[kind](place.says, place.link)], { type: kind === "tex" ? "application/x-tex" : "text/markdown;charset=utf-8" });
  if (kind === "csv") return csv(picture && "maps" in picture ? await pairs(picture, turns) : [...sheet.columns, ...provenance(place)], turns);
  if (!picture) throw new RangeError("a chart without a picture has no file of one");
  const drawing = await compose(sheet, picture, place);
  await turns.pass();
  const text = new XMLSerializer().serializeToString(drawing);
  const svg = new Blob([text], { type: "image/svg+xml" });
  return kind === "svg" ? svg : png(svg, drawing);
}

/** The source of numbers that may be simulated, on the first line. */
function provenance({ label, says, link }: Place): Column[] {
  if (label === undefined) return [];
  return [{ name: strings.source, values: [`${label}. ${says}`] }, { name: strings.link, values: [link] }];
}

async function compose(sheet: Sheet, picture: Picture, { host, says, label, link }: Place): Promise<SVGElement> {
  const ink = new Ink(host);
  const drawn = await drawing(picture, host, ink);
  const width = Math.max(LEAST, drawn.width);
  const root = element("svg");
  let y = MARGIN;
  const write = (text: string, size: number, leading: number, attributes: Readonly<Record<string, string | number>>): void => {
    for (const line of ink.wrapped(text, width, size, Number(attributes["font-weight"] ?? 400))) {
      root.append(element("text", { x: MARGIN, y: y + size, "font-size": size, ...attributes }, line));
      y += leading;
    }
  };
  const [loud, quiet] = [ink.of("ink"), ink.of("quiet")];
  root.append(element("title", {}, sheet.title), element("desc", {}, sheet.described));
  const ground = element("rect", { width: "100%", height: "100%", fill: ink.of("ground") });
  root.append(ground);
  write(sheet.title, TITLE, 23, { "font-weight": 600, fill: loud });
  y += 6;
  for (const part of [sheet.legend.length > 0 ? legend(sheet.legend, width, ink) : null, sheet.ramp ? ramp(sheet.ramp, ink) : null]) {
    if (!part) continue;
    part.node.setAttribute("transform", `translate(${MARGIN},${y})`);
    root.append(part.node);
    y += part.height + 6;
  }
  drawn.node.setAttribute("transform", `translate(${MARGIN},${y})`);
  drawn.node.setAttribute("data-part", "picture");
  root.append(drawn.node);
  y += drawn.height + 10;
  for (const text of [...sheet.notes, label === undefined ? says : `${label}. ${says}`]) write(text, SMALL, 18, { fill: quiet });
  write(link, SMALL, 18, { fill: quiet });
  const size = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(y + MARGIN - 4) };
  for (const [name, value] of Object.entries({ ...size, viewBox: `0 0 ${size.width} ${size.height}`, "font-family": ink.family, role: "img" })) root.setAttribute(name, String(value));
  return root;
}

async function drawing(picture: Picture, host: Element, ink: Ink): Promise<Drawn> {
  if ("maps" in picture) return mapped(picture, host.getBoundingClientRect().width, ink);
  if (picture instanceof HTMLTableElement) return gridded(picture, ink);
  if ("drawings" in picture) return abreast(picture, ink);
  const drawn = redrawn(picture);
  return { ...drawn, node: element("g", {}, drawn.node) };
}

function legend(entries: readonly Entry[], width: number, ink: Ink): Drawn {
  const node = element("g", { "font-size": TEXT, fill: ink.of("ink") });
  let [x, y] = [0, 0];
  for (const { name, colour, dash, symbol } of entries) {
    const text = ink.firstLine(name, width - 44, TEXT);
    const takes = 44 + ink.width(text, TEXT);
    if (x > 0 && x + takes > width) [x, y] = [0, y + 20];
    const item = groupAt(x, y);
    const fill = ink.of(colour);
    if (dash !== null) item.append(element("line", { x1: 0, y1: 10, x2: 36, y2: 10, stroke: fill, "stroke-width": 2, ...(dash === "" ? {} : { "stroke-dasharray": dash }) }));
    if (symbol === "circle") item.append(element("circle", { cx: 18, cy: 10, r: 4, fill }));
    if (symbol === "ring") item.append(element("circle", { cx: 18, cy: 10, r: 3.5, fill: "none", stroke: fill, "stroke-width": 1.5 }));
    if (symbol === "diamond") item.append(element("rect", { x: 13, y: 5, width: 10, height: 10, fill, transform: "rotate(45 18 10)" }));
    if (symbol === "square") item.append(element("rect", { x: 14.5, y: 6.5, width: 7, height: 7, fill }));
    if (symbol === "triangle") item.append(element("path", { d: "M18 5.5l4.5 8h-9z", fill }));
    item.append(element("text", { x: 44, y: 14.5 }, text));
    node.append(item);
    x += takes + 24;
  }
  return { node, width, height: y + 20 };
}

function ramp({ shades, low, high }: Ramp, ink: Ink): Drawn {
  const node = element("g", { "font-size": TEXT, fill: ink.of("ink") });
  const from = ink.width(low, TEXT) + 8;
  const step = BAR / shades.length;
  node.setAttribute("data-part", "ramp");
  node.append(element("text", { x: 0, y: 14.5 }, low));
  shades.forEach((shade, i) => node.append(element("rect", { x: Number((from + i * step).toFixed(2)), y: 4, width: Number((step + (i + 1 < shades.length ? 0.5 : 0)).toFixed(2)), height: 12, fill: ink.shown(shade) }))); // they overlap, or gaps would shine through
  node.append(element("text", { x: from + BAR + 8, y: 14.5 }, high));
  return { node, width: from + BAR + 8 + ink.width(high, TEXT), height: 20 };
}

async function png(svg: Blob, drawing: SVGElement): Promise<Blob> {
  const [width, height] = [Number(drawing.getAttribute("width")), Number(drawing.getAttribute("height"))];
  const scale = Math.min(PIXELS, LARGEST / Math.max(width, height));
  const image = new Image(width, height);
  image.src = await dataURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d", { alpha: false })?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new RangeError(`a picture of ${canvas.width}×${canvas.height} pixels could not be made`);
  return blob;
}

function dataURL(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new TypeError());
    reader.readAsDataURL(blob);
  });
}

function gridded(table: HTMLTableElement, ink: Ink): Drawn {
  const cells = Array.from(table.querySelectorAll<HTMLElement>("th, td"));
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const [west, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const node = element("g", { "font-family": ink.family });
  cells.forEach((cell, at) => {
    const box = boxes[at] ?? cell.getBoundingClientRect();
    const [x, y] = [box.left - west, box.top - top];
    const style = getComputedStyle(cell);
    const letters = getComputedStyle(cell.querySelector(":scope > :not(.seen-not)") ?? cell);
    const ground = colour(style.backgroundColor).hex;
    if (ground !== "none") node.append(element("rect", { x, y, width: box.width, height: box.height, rx: 3, fill: ground }));
    const size = Number.parseFloat(letters.fontSize);
    const right = style.textAlign === "right" || style.textAlign === "end";
    const left = style.textAlign === "left" || style.textAlign === "start";
    const within = right ? Number.parseFloat(style.paddingRight) : left ? Number.parseFloat(style.paddingLeft) : 0;
    const lines = ink.wrapped(seen(cell), box.width - within, size, Number(letters.fontWeight));
    const underlined = style.textDecorationLine.includes("underline");
    lines.forEach((line, i) => {
      const down = y + box.height / 2 + (i - (lines.length - 1) / 2) * 1.2 * size;
      const across = right ? x + box.width - within : left ? x + within : x + box.width / 2;
      node.append(element("text", { x: across, y: down, dy: "0.35em", "text-anchor": right ? "end" : left ? "start" : "middle", "font-size": size, "font-weight": letters.fontWeight, ...(underlined ? { "text-decoration": "underline" } : {}), fill: colour(letters.color).hex }, line));
    });
  });
  return { node, width: Math.max(...boxes.map((box) => box.right)) - west, height: Math.max(...boxes.map((box) => box.bottom)) - top };
}

/** A cell's text without what is there for screen readers alone. */
function seen(cell: HTMLElement): string {
  return Array.from(cell.childNodes, (node) => (node instanceof Comment || (node instanceof Element && node.classList.contains("seen-not")) ? "" : (node.textContent ?? ""))).join("");
}
