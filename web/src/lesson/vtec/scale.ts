import type { Ramp } from "../../charts/sheet.js";
import { roundUp } from "../../charts/ticks.js";
import type { Scene } from "../../engine/protocol.js";
import { number, signed } from "../../text/format.js";
import { shade } from "../chapter/shades.js";
import { sky as strings } from "./strings.js";

// What the colours of the map mean.

/** What they are of: the content, or what bends it. */
export type What = "bend" | "tec";

export const METRES = 0.162372; // of delay at L1 that are one TECU, as in core/vtec
const SAMPLES = 12; // of a day, for scales that stay
const USUAL = 0.97; // share of the bends that their scale has room for: at the edge of the map there may be any
export const BANDS = 20; // shades on either side of zero

/** What the colours mean on a day, TECU; NaN where nothing is known. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly bend: number; // at either end
}

/** The scale of a whole day, so that the colours stay while the time moves: of the field or, if it is not known, of the signals. */
export async function scaleOf(times: readonly number[], scene: (minute: number) => Promise<Scene>): Promise<Scale> {
  const [contents, bends]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { tec, bend, delay } = await scene(times[Math.floor((sample * times.length) / SAMPLES)] ?? 0);
    const known = tec.filter((v) => !Number.isNaN(v));
    for (const v of known.length > 0 ? known : delay.map((metres) => metres / METRES)) contents.push(v);
    for (const v of bend) if (!Number.isNaN(v)) bends.push(Math.abs(v));
  }
  const usual = Float64Array.from(bends).sort()[Math.floor(USUAL * bends.length)] ?? Number.NaN;
  const [low, high] = contents.reduce(([least, most], v) => [Math.min(least, v), Math.max(most, v)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const known = contents.length > 0;
  return { low: known ? Math.floor(low) : Number.NaN, high: known ? Math.max(Math.ceil(high), Math.floor(low) + 1) : Number.NaN, bend: Number.isNaN(usual) ? usual : roundUp(usual || 1e-3) };
}

/** The shade of a value, −BANDS … BANDS; null where nothing is known. */
export function level(value: number, what: What, { low, high, bend }: Scale): number | null {
  if (Number.isNaN(value)) return null;
  const share = what === "bend" ? value / bend : (value - low) / (high - low);
  return Math.round(BANDS * Math.min(Math.max(share, what === "bend" ? -1 : 0), 1));
}

/** What the ends of the scale are, in numbers; null where nothing is known. */
export function range(what: What, { low, high, bend }: Scale): readonly [string, string] | null {
  if (Number.isNaN(what === "bend" ? bend : low)) return null;
  return what === "bend" ? [`≤ ${signed(-bend, 1)}`, `≥ ${signed(bend, 1)}`] : [number(low, 3), number(high, 3)];
}

/** The colours of the legend, for a file. */
export function ramp(what: What, scale: Scale): Ramp | undefined {
  const [low, high] = range(what, scale) ?? [];
  if (low === undefined || high === undefined) return undefined;
  const from = what === "bend" ? -BANDS : 0;
  return { shades: Array.from({ length: BANDS - from + 1 }, (_, i) => shade(from + i, BANDS)), low, high: `${high} ${strings.unit}` };
}
