// Heat maps side by side, with the names of the features where there is room.
import type { Column, Drawings, HeatMap, HeatMaps } from "../charts/sheet.js";
import { number } from "../text/format.js";
import { element, groupAt, hex, redrawn, type Drawn, type Ink } from "./ink.js";
import { saving as strings } from "./strings.js";
import type { Turns } from "./turns.js";

const VECTOR = 60; // features at most for a cell to be a shape; beyond them a map is an image
const LEAST = 200; // px, the side of a map
const CELL = 15; // px, of one with names beside it
const NAMES = 14; // px, size of a name
const LONGEST = 160; // px, of a name
const GAP = 24; // px
const TEXT = 15; // px
const SMALL = 14; // px
const RAMP = 240; // px

interface Panel {
  readonly title: string;
  readonly note: string;
  readonly width: number;
  readonly inner: readonly SVGElement[];
}

/** One scale stands beneath the maps, which are at least as wide as on the page. */
export async function mapped({ maps, most, ramp }: HeatMaps, room: number, ink: Ink): Promise<Drawn> {
  const names = maps[0]?.values.names ?? [];
  const d = maps[0]?.values.d ?? 0;
  const named = d <= VECTOR && names.length === d && names.some((name, i) => name !== `x${i + 1}`);
  const shown = named ? names.map((name) => ink.firstLine(name, LONGEST, NAMES)) : [];
  const beside = named ? Math.ceil(Math.max(...shown.map((name) => ink.width(name, NAMES)))) + 6 : 0;
  const side = Math.max(LEAST, named ? CELL * d : 0, Math.floor((room - beside - GAP * (maps.length - 1)) / maps.length));
  const frame = (): SVGElement => element("rect", { width: side, height: side, fill: "none", stroke: ink.of("rule") });
  const panels = await Promise.all(maps.map(async (map): Promise<Panel> => ({ ...map, width: side, inner: [d <= VECTOR ? cells(map, side) : await image(map, side), frame()] })));
  const { node, groups, head } = row(panels, beside, ink);
  if (named) groups.forEach((group, at) => group.append(namesOf(shown, at === 0, side, head, ink)));
  const foot = head + side + beside;
  node.append(scale(most, ramp, beside, foot + 14, ink));
  return { node, width: beside + maps.length * (side + GAP) - GAP, height: foot + 42 };
}

export function abreast({ drawings }: Drawings, ink: Ink): Drawn {
  const all = drawings.map(({ drawing }) => redrawn(drawing));
  const { node, head, end } = row(drawings.map((drawing, i): Panel => ({ ...drawing, width: all[i]?.width ?? 0, inner: all[i] ? [all[i].node] : [] })), 0, ink);
  return { node, width: end - GAP, height: head + Math.max(...all.map((one) => one.height)) };
}

function row(panels: readonly Panel[], start: number, ink: Ink): { node: SVGElement; groups: SVGElement[]; head: number; end: number } {
  const { heads, height: head } = headed(panels, ink);
  let end = start;
  const groups = panels.map(({ width, inner }, at) => {
    const group = groupAt(end, 0, ...(heads[at] ?? []), groupAt(0, head, ...inner));
    end += width + GAP;
    return group;
  });
  return { node: element("g", { "font-family": ink.family, "font-size": TEXT, fill: ink.of("ink") }, ...groups), groups, head, end };
}

function headed(panels: readonly Panel[], ink: Ink): { heads: SVGElement[][]; height: number } {
  let height = 0;
  const heads = panels.map(({ title, note, width }) => {
    let y = 0;
    const write = (text: string, size: number, weight: number, leading: number, fill: string): SVGElement[] =>
      ink.wrapped(text, width, size, weight).map((line) => {
        y += leading;
        return element("text", { y: y - 4, "font-size": size, "font-weight": weight, fill }, line);
      });
    const head = [...write(title, TEXT, 600, 20, ink.of("ink")), ...write(note, SMALL, 400, 18, ink.of("quiet"))];
    height = Math.max(height, y + 4);
    return head;
  });
  return { heads, height };
}

/** One shape a colour, of all its cells. */
function cells({ values: { d }, pixels }: HeatMap, side: number): SVGElement {
  const paths = new Map<number, string>();
  pixels.forEach((pixel, at) => paths.set(pixel, `${paths.get(pixel) ?? ""}M${at % d} ${Math.floor(at / d)}h1v1h-1z`));
  const shapes = Array.from(paths, ([pixel, path]) => element("path", { fill: shade(pixel), d: path }));
  return element("g", { transform: `scale(${side / d})`, "shape-rendering": "crispEdges" }, ...shapes);
}

function shade(pixel: number): string {
  return hex(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255);
}

async function image({ values: { d }, pixels }: HeatMap, side: number): Promise<SVGElement> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = d;
  const picture = new ImageData(d, d);
  new Uint32Array(picture.data.buffer).set(pixels);
  canvas.getContext("2d")?.putImageData(picture, 0, 0);
  return element("image", { width: side, height: side, "image-rendering": "pixelated", href: canvas.toDataURL() });
}

function namesOf(names: readonly string[], rows: boolean, side: number, top: number, ink: Ink): SVGElement {
  const cell = side / names.length;
  const group = element("g", { "font-size": NAMES, fill: ink.of("quiet"), "text-anchor": "end" });
  names.forEach((name, i) => {
    const middle = (i + 0.5) * cell;
    if (rows) group.append(element("text", { x: -5, y: top + middle, dy: "0.32em" }, name));
    group.append(element("text", { transform: `translate(${middle},${top + side + 5})rotate(-90)`, dy: "0.32em" }, name));
  });
  return group;
}

/** The colours from the negative end to the positive one. */
function scale(most: number, ramp: Uint32Array, x: number, y: number, ink: Ink): SVGElement {
  const group = element("g", { transform: `translate(${x},${y})`, "font-size": SMALL, fill: ink.of("quiet") });
  const step = 4; // px
  for (let at = 0; at < RAMP; at += step) {
    const pixel = ramp[Math.round((at / (RAMP - step)) * (ramp.length - 1))] ?? 0;
    group.append(element("rect", { x: at, y: 0, width: step, height: 7, fill: shade(pixel), "shape-rendering": "crispEdges" }));
  }
  group.append(
    element("rect", { x: 0, y: 0, width: RAMP, height: 7, fill: "none", stroke: ink.of("rule") }),
    element("text", { y: 23 }, `−${number(most, 2)} ${strings.negative}`),
    element("text", { x: RAMP, y: 23, "text-anchor": "end" }, `${strings.positive} +${number(most, 2)}`),
  );
  return group;
}

/** Every pair once, and each feature with itself. */
export async function pairs({ maps }: HeatMaps, turns: Turns): Promise<Column[]> {
  const { d = 0, names = [] } = maps[0]?.values ?? {};
  const name = (i: number): string => names[i] ?? String(i + 1);
  const [first, second, places]: [string[], string[], number[]] = [[], [], []];
  for (let i = 0; i < d; i++) {
    if (turns.due) await turns.pass();
    for (let j = i; j < d; j++) {
      first.push(name(i));
      second.push(name(j));
      places.push(i * d + j);
    }
  }
  return [{ name: strings.feature, values: first }, { name: strings.other, values: second }, ...maps.map(({ title, values }) => ({ name: title, values: places.map((at) => values.values[at] ?? Number.NaN) }))];
}
