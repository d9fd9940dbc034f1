// The bar under the figure: Play, the signs, what can be varied, and the rest one step back.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../panel/icons.js";
import { segments } from "../panel/inputs.js";
import { tell } from "../panel/panel.js";
import { controls } from "../panel/strings.js";
import type { Spec } from "../state/spec.js";
import type { View } from "../state/view.js";
import { count, number } from "../text/format.js";
import type { Phase } from "../training/training.js";
import { bar as strings, figure } from "./strings.js";
import { term } from "./term.js";

const SEEDS = 9999; // short enough to tell somebody
const MORE = "figure-more"; // the id of what opens

/** The settings that have a slider. */
type Slid = "d" | "rank" | "n" | "noise";

const RANGES: Readonly<Record<Slid, { readonly min: number; readonly max: number; readonly step: number }>> = {
  d: { min: 6, max: 50, step: 1 },
  rank: { min: 1, max: 30, step: 1 },
  n: { min: 200, max: 3000, step: 100 },
  noise: { min: 0, max: 1, step: 0.05 },
};

export interface Bar {
  readonly spec: Spec; // as the sliders stand, which are ahead of the run while they move
  readonly view: View;
  readonly scale: "log" | "linear";
  readonly phase: Phase;
  readonly leads: boolean; // Play is the view's main button
  readonly adjust: (change: Partial<Spec>) => void;
  readonly rest: () => unknown; // what else opens
}

/** The rank of the models but FM, which is that of the truth unless it is set. */
export function rankOf({ rank, k }: Spec): number {
  return rank || k;
}

/** In a frame without a switch the signs stay as they are. */
export function bar(from: EventTarget, { spec, view, scale, phase, leads, adjust, rest }: Bar): TemplateResult {
  const command = (command: "play" | "pause" | "again" | "step"): void => tell(from, "ifm-run", { run: "figure", command });
  const going = phase === "running" || phase === "starting";
  const act = going ? "pause" : phase === "paused" ? "play" : "again";
  const face = { pause: controls.pause, play: controls.play, again: phase === "idle" ? controls.play : strings.replay }[act];
  const none = !going && phase !== "paused";
  const rank = rankOf(spec);
  const equal = spec.numbers === "equal";
  return html`<ifm-controls>
    <div class="controls" role="group" aria-label=${strings.label} data-phase=${phase}>
      <button class="play ${leads ? "primary" : ""}" data-plays @click=${() => command(act)}>${icon(act)}<span>${face}</span></button>
      ${view.hide.includes("switch") ? nothing : segments("scenario", strings.signs, figure.signs, spec.scenario, (scenario) => tell(from, "ifm-spec", { scenario }), { kind: "switch" })}
      ${slider("d", html`<label for="figure-d">${strings.d}</label>`, spec.d, count(spec.d), (d) => adjust({ d }))}
      ${slider("rank", html`<span>${term("rank", strings.rank)}</span>`, rank, strings.ranks(rank, equal && spec.models.includes("fm") ? 2 * rank : rank), (rank) => adjust({ rank: rank === spec.k ? 0 : rank }))}
      <label class="check equal"><input type="checkbox" role="switch" .checked=${equal} @change=${(e: Event) => tell(from, "ifm-spec", { numbers: (e.target as HTMLInputElement).checked ? "equal" : "rank" })} /><span>${strings.equal}</span></label>
      ${slider("n", html`<label for="figure-n">${strings.n}</label>`, spec.n, count(spec.n), (n) => adjust({ n }))}
      ${slider("noise", html`<label for="figure-noise">${strings.noise}</label>`, spec.noise, number(spec.noise), (noise) => adjust({ noise }))}
      <button class="bare square" aria-label=${strings.more} popovertarget=${MORE}>${icon("more")}</button>
    </div>
    <div class="more stack" id=${MORE} popover>
      <div class="row">
        <button ?disabled=${none} @click=${() => command("step")}>${controls.step}</button>
        <button class="restart" title=${controls.restartHelp} ?disabled=${phase === "idle"} @click=${() => command("again")}>${controls.restart}</button>
        ${segments("speed", controls.speed, controls.speeds, view.speed, (speed) => tell(from, "ifm-view", { speed }), { isShown: true })}
      </div>
      <div class="row">
        ${segments("scale-figure", controls.scale, controls.scales, scale, (scale) => tell(from, "ifm-view", { scale }), { isShown: true })}
        <span class="num">${strings.seed(spec.seed)}</span>
        <button class="seed" title=${controls.seedHelp} @click=${() => tell(from, "ifm-spec", { seed: another(spec.seed) })}>${controls.seed}</button>
      </div>
      ${rest()}
    </div>
  </ifm-controls>`;
}

/** Its ends and steps make room for a link’s own value. */
function slider(key: Slid, label: TemplateResult, value: number, text: string, change: (value: number) => void): TemplateResult {
  const range = RANGES[key];
  const min = Math.min(range.min, value);
  const max = Math.max(range.max, value);
  const steps = (value - min) / range.step;
  const step = Math.abs(steps - Math.round(steps)) < 1e-9 ? String(range.step) : "any";
  const at = (100 * (value - min)) / (max - min || 1);
  return html`<div class="range">
    ${label}<output for="figure-${key}">${text}</output>
    <input type="range" id="figure-${key}" data-slide=${key} aria-label=${strings[key]} min=${min} max=${max} step=${step} .value=${String(value)} style="--at:${at}%" @input=${(e: Event) => change(Number((e.target as HTMLInputElement).value))} />
  </div>`;
}

function another(seed: number): number {
  const drawn = 1 + Math.floor(Math.random() * (SEEDS - 1));
  return drawn < seed ? drawn : drawn + 1;
}
