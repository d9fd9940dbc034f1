import { html, nothing, type TemplateResult } from "lit";
import { number } from "../format.js";
import { quantity, say, type Phrase } from "../phrase.js";
import { encode, type Spec } from "../spec.js";
import { bounds, choice, Experiment, rowsOf, settings, type Parts } from "./experiment.js";
import type { Input } from "../form.js";
import { legend, looks, powers, type Drawing, type Line } from "./lines.js";
import { decades, rate, recovery } from "./measure.js";
import type { Job, Track } from "./runner.js";
import { algorithm as strings } from "./strings.js";

const RUNS = ["gfm", "printed", "ifm"] as const;
type Which = (typeof RUNS)[number];

type Settings = {
  readonly features: Spec["features"];
  readonly tau: number;
  readonly d: number;
  readonly k: number;
  readonly rows: number; // of an iteration, in units of d·k
  readonly iterations: number;
  readonly batches: Spec["batches"];
  readonly moments: Spec["moments"];
  readonly inverse: Spec["inverse"];
  readonly seed: number;
};

const look = {
  gfm: looks.gfm,
  printed: { colour: "fm", dash: "7 4", symbol: "square" },
  ifm: looks.ifm,
} as const;
const DEEPEST = 14; // decades drawn at most

/** Algorithm 1, corrected and as printed, against what its analysis says. */
class Algorithm extends Experiment<Settings> {
  protected values: Settings = { features: "gaussian", tau: 1, d: 40, k: 3, rows: 60, iterations: 12, batches: "fresh", moments: "estimated", inverse: "refuse", seed: 1 };
  protected readonly inputs: readonly Input[] = [
    bounds("d", 2, 200),
    bounds("k", 1, 10),
    { key: "rows", kind: "float", min: 1, max: 500 },
    bounds("iterations", 3, 100),
    choice("features", ["gaussian", "uniform", "laplace", "exponential", "threepoint", "slider"]),
    bounds("tau", 0, 20),
    choice("batches", ["fresh", "reused"]),
    choice("moments", ["estimated", "true"]),
    choice("inverse", ["refuse", "pseudo"]),
    bounds("seed"),
  ];

  protected async jobs(): Promise<readonly Job[]> {
    return RUNS.map((which) => ({ query: encode(spec(this.values, which)), cell: 0, group: which, theory: which === "ifm" }));
  }

  protected parts(): Parts {
    const ran = this.ran ?? this.values;
    const lines = this.lines();
    return {
      title: strings.title,
      lead: strings.lead,
      cost: strings.cost,
      body: html`
        ${legend([...RUNS.map((which) => ({ ...look[which], name: strings.name[which], x: [], y: [] })), { ...floorLook, name: strings.floor, x: [], y: [] }])}
        <ifm-lines .heading=${strings.heading} .drawing=${this.drawing(ran, lines)} .waiting=${strings.waiting[this.runner.phase]}></ifm-lines>
        ${this.rates(ran)}
      `,
      says: this.says(ran),
      live: strings.live(spec(ran, "gfm").n, ran.d, ran.k, ran.seed, ran.batches === "fresh", ran.features, hasTau(ran) ? ran.tau : Number.NaN),
      more: nothing,
    };
  }

  private track(which: Which): Track | undefined {
    return this.tracks[RUNS.indexOf(which)];
  }

  private errors(which: Which): number[] {
    const track = this.track(which);
    return track ? recovery(track) : [];
  }

  private floor(): number {
    return this.track("ifm")?.theory?.floor ?? Number.NaN;
  }

  private lines(): Line[] {
    const lines = RUNS.flatMap((which): Line[] => {
      const errors = this.errors(which);
      return errors.length === 0 ? [] : [{ ...look[which], name: strings.name[which], x: this.track(which)?.iteration ?? [], y: errors }];
    });
    const from = this.errors("ifm")[2];
    const x = (this.track("ifm")?.iteration ?? []).slice(2);
    const reference = from === undefined || !(this.floor() > 0) ? [] : [{ ...floorLook, name: strings.floor, x, y: x.map((_, i) => from * this.floor() ** i) }];
    return [...lines, ...reference];
  }

  private drawing(ran: Settings, lines: readonly Line[]): Drawing | null {
    const all = lines.flatMap((line) => line.y).filter((v) => Number.isFinite(v) && v > 0);
    if (all.length === 0) return null;
    const high = Math.max(1, Math.ceil(Math.log10(Math.max(...all))));
    const low = Math.max(Math.min(-4, Math.floor(Math.log10(Math.min(...all)))), high - DEEPEST);
    const step = Math.max(1, Math.ceil(ran.iterations / 12));
    const ticks = Array.from({ length: Math.floor(ran.iterations / step) + 1 }, (_, i) => i * step);
    return {
      lines,
      x: { type: "linear", domain: [0, ran.iterations], ticks, label: strings.x, format: String },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: strings.y, format: powers },
      at: strings.at,
    };
  }

  /** Each line's rate, beside what the theorem makes of it. */
  private rates(ran: Settings): TemplateResult {
    const shape = Math.sqrt(spec(ran, "gfm").n / (ran.k * ran.d));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.rates}>
      <table class="numbers">
        <caption>${strings.rates}</caption>
        <thead>
          <tr>
            <th scope="col">${strings.run}</th>
            <th scope="col">${strings.rate}</th>
            <th scope="col">${strings.shaped}</th>
            <th scope="col">${strings.floor}</th>
          </tr>
        </thead>
        <tbody>
          ${RUNS.map((which) => {
            const found = rate(this.errors(which));
            return html`<tr class=${which === "printed" ? "fm" : which}>
              <th scope="row">${strings.name[which]}</th>
              <td data-rate=${which} data-value=${found}>${number(found)}</td>
              <td>${which === "gfm" ? number(found * shape) : "–"}</td>
              <td>${which === "ifm" ? number(this.floor()) : "–"}</td>
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="note">${strings.reading}</p>
    </div>`;
  }

  private says(ran: Settings): Phrase {
    const told: Phrase[] = [];
    const gfm = rate(this.errors("gfm"));
    const shape = Math.sqrt(spec(ran, "gfm").n / (ran.k * ran.d));
    if (gfm < 1) told.push(strings.shrinks(quantity("gfm", gfm), quantity("gfm", gfm * shape)));
    if (gfm >= 1) told.push(strings.stays(quantity("gfm", gfm)));
    const printed = this.errors("printed");
    const growth = (printed.findLast((e) => Number.isFinite(e)) ?? Number.NaN) / (printed[0] ?? Number.NaN);
    if (growth >= 2) told.push(strings.grows(quantity("none", growth)));
    if (growth < 2) told.push(ran.k === 1 ? strings.printedRankOne : strings.printedFine);
    const ifm = rate(this.errors("ifm"));
    if (Number.isFinite(ifm) && this.floor() > 0) told.push(strings.floored(quantity("ifm", ifm), quantity("none", this.floor())));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }
}

const floorLook = { colour: "base", dash: "1 4", symbol: "" } as const;

function hasTau(values: Settings): boolean {
  return values.features === "threepoint" || values.features === "slider";
}

/** The run of one line: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec({ rows, ...shared }: Settings, which: Which): Spec {
  return settings({
    ...shared,
    scenario: "psd",
    truth: "orthonormal",
    diagonal: which === "ifm" ? "zero" : "kept",
    models: [which === "ifm" ? "ifm" : "gfm"],
    solver: which === "printed" ? "printed" : "algorithm1",
    n: rowsOf(rows, shared.d, shared.k, 1000),
    test: 1000,
  });
}

customElements.define("ifm-algorithm", Algorithm);
