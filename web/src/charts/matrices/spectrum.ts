import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { signed } from "../../text/format.js";
import { Chart } from "../chart.js";
import { dataTable, savedColumns, type Column } from "../data.js";
import type { Sheet } from "../sheet.js";
import { largestOf, slider, type Panelled } from "./matrix.js";
import { matrix, spectrum as strings } from "./strings.js";

const ROOM = 1.18; // of the scale beyond the largest of the truth
const COUNTS = 0.01; // of the scale: what is nearer to zero is not counted
const CROWD = 24; // stems from which their heads are small

/** Eigenvalues side by side on one scale, as stems from zero, with one cursor for all. */
class Spectrum extends Chart {
  @property({ attribute: false }) accessor panels: readonly Panelled[] = [];
  @property({ type: Number }) accessor slots = 0; // there will be so many: nothing moves when they come
  @property({ attribute: false }) accessor caption: TemplateResult | null = null; // the heading, where its words open
  @state() private accessor at = 0; // from 0, largest first
  @state() private accessor hover: number | null = null;

  protected override render(): TemplateResult {
    const all = spectra(this.panels, this.slots);
    const slots = all.reduce((most, values) => Math.max(most, values?.length ?? 0), this.slots);
    const most = scale(this.panels);
    const at = Math.min(this.hover ?? this.at, Math.max(0, slots - 1));
    const truth = all[this.panels.findIndex((panel) => panel.key === "truth")] ?? null;
    const known = all.some((values) => values !== null);
    return html`<figure class="spectrum">
      <figcaption>${this.caption ?? strings.title}<span class="note">${strings.about}</span></figcaption>
      <div class="row">
        ${this.panels.map((panel, i) => this.stems(panel, all[i] ?? null, truth, slots, most, at))}
      </div>
      <div class="legend" aria-hidden="true">${known ? html`<span class="num">${strings.scale(most * ROOM)}</span>` : nothing} ${truth ? html`<span>${strings.ring}</span>` : nothing} ${all.some((values) => values?.some((v) => Math.abs(v) > most * ROOM)) ? html`<span>${strings.arrow}</span>` : nothing}</div>
      ${slider(
        strings.cursor,
        { last: slots - 1, at, says: known ? this.says(all, slots, at) : null },
        (at) => Object.assign(this, { at, hover: null }),
        html`<b>${known ? strings.slot(at + 1, slots) : nothing}</b>${this.panels.map((panel, i) => html`<span class=${panel.key}>${known && all[i] ? said(panel.title, all[i][at] ?? 0) : nothing}</span>`)}`,
      )}
      ${this.saving(strings.title, strings.data, () => dataTable(strings.data, columns(this.panels, all), Array.from({ length: slots }, (_, i) => i)))}
    </figure>`;
  }

  /** It is drawn as it is rendered. */
  protected override draw(): void {}

  private stems(panel: Panelled, values: readonly number[] | null, truth: readonly number[] | null, slots: number, most: number, at: number): TemplateResult {
    const rings = panel.key === "truth" ? null : truth;
    const [above, below] = counted(values ?? [], most);
    const measures = this.panels.filter((p) => p.key === "truth" || (truth === null && p !== panel));
    const cannot = panel.key === "fm" && measures.some((p) => counted([...(p.values?.eigenvalues ?? [])], most)[1] > 0);
    const x = (i: number): string => `${((i + 0.5) * 100) / Math.max(1, slots)}%`;
    const y = (value: number): string => `${most > 0 ? 50 - (50 * value) / (most * ROOM) : 50}%`;
    const small = slots > CROWD ? "small" : "";
    return html`<div class="map ${panel.key}" data-spectrum=${panel.key}>
      <p class="title"><b>${panel.title}</b></p>
      <div
        class="stems ${small}"
        role="img"
        aria-label=${values ? strings.describe(panel.title, above, below, values[0] ?? 0, values.at(-1) ?? 0, cannot ? strings.cannot : "") : `${panel.title}: ${matrix.waiting}`}
        @pointermove=${(e: PointerEvent) => this.point(e, slots)}
        @pointerdown=${(e: PointerEvent) => {
          this.point(e, slots);
          this.at = this.hover ?? this.at; // what a finger has touched stays
        }}
        @pointerleave=${() => (this.hover = null)}
      >
        <svg aria-hidden="true">
          ${most > 0 ? svg`<rect class="band" data-cursor x=${`${(at * 100) / slots}%`} width=${`${100 / slots}%`} y="0" height="100%" />` : nothing}
          <line class="zero" x1="0" x2="100%" y1="50%" y2="50%" />
          ${rings ? rings.map((value, i) => (value === 0 ? nothing : svg`<circle class="ring" cx=${x(i)} cy=${y(value)} r=${small ? 4 : 7.5} />`)) : nothing}
          ${values ? values.map((value, i) => stem(value, most, x(i), y, small !== "", panel.key)) : nothing}
        </svg>
      </div>
      <p class="says">${values ? (cannot ? html`<b>${strings.cannot}</b>` : strings.counts(above, below)) : matrix.waiting}</p>
    </div>`;
  }

  override sheet(): Sheet | null {
    const all = spectra(this.panels, this.slots);
    const most = scale(this.panels) * ROOM;
    const shown = this.panels.flatMap(({ key, title }, i) => {
      const map = this.querySelector(`[data-spectrum="${key}"]`);
      const drawing = map?.querySelector<SVGSVGElement>(".stems > svg");
      return all[i] && map && drawing ? [{ title, drawing, values: all[i] ?? [], note: map.querySelector(".says")?.textContent?.trim() ?? "", described: drawing.parentElement?.ariaLabel ?? "" }] : [];
    });
    if (shown.length === 0) return null;
    return {
      what: "eigenvalues",
      title: strings.title,
      described: shown.map(({ described }) => described).join(" "),
      notes: [strings.about, strings.scale(most), ...(shown.some(({ values }) => values.some((v) => Math.abs(v) > most)) ? [strings.arrow] : []), ...(shown.length > 1 && this.panels.some(({ key, values }) => key === "truth" && values) ? [strings.ring] : [])],
      legend: [],
      columns: savedColumns(columns(this.panels, all)),
      picture: { drawings: shown },
    };
  }

  private point(event: PointerEvent, slots: number): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const slot = Math.floor(((event.clientX - box.left) / box.width) * slots);
    this.hover = slot >= 0 && slot < slots ? slot : null;
  }

  private says(all: readonly (readonly number[] | null)[], slots: number, at: number): string {
    return [strings.slot(at + 1, slots), ...this.panels.flatMap((panel, i) => (all[i] ? [said(panel.title, all[i][at] ?? 0)] : []))].join("; ");
  }
}

function columns(panels: readonly Panelled[], all: readonly (readonly number[] | null)[]): Column[] {
  const longest = all.find((values) => values !== null) ?? [];
  return [
    { name: strings.column, head: strings.column, values: longest.map((_, i) => i + 1), cell: String },
    ...panels.map(({ title }, i): Column => {
      const values = all[i];
      return values ? { name: title, head: title, values, cell: (value) => signed(value) } : { head: title, values: [] };
    }),
  ];
}

/** One stem from zero; its head is an arrow where the value is beyond the scale. */
function stem(value: number, most: number, x: string, y: (value: number) => string, small: boolean, of: string): SVGTemplateResult | typeof nothing {
  if (value === 0 || !(most > 0)) return nothing;
  const edge = most * ROOM;
  const beyond = Math.abs(value) > edge;
  const end = y(Math.min(Math.max(value, -edge), edge));
  const r = small ? 2 : 4.5;
  return svg`<g class="stem" data-value=${value}>
    <line x1=${x} x2=${x} y1="50%" y2=${end} />
    ${beyond ? svg`<svg x=${x} y=${end} overflow="visible"><path d=${value > 0 ? "M-6 9L0 0L6 9z" : "M-6 -9L0 0L6 -9z"} /></svg>` : of === "fm" ? svg`<svg x=${x} y=${end} overflow="visible"><rect x=${-r} y=${-r} width=${2 * r} height=${2 * r} /></svg>` : svg`<circle cx=${x} cy=${end} r=${r} />`}
  </g>`;
}

/** The eigenvalues of each panel in so many places at least, largest first; the zeros between the signs fill them up. */
function spectra(panels: readonly Panelled[], slots: number): readonly (readonly number[] | null)[] {
  const length = panels.reduce((most, { values }) => Math.max(most, values?.eigenvalues.length ?? 0), slots);
  return panels.map(({ values }) => {
    if (!values) return null;
    const own = [...values.eigenvalues];
    const negative = own.findIndex((v) => v < 0);
    const at = negative < 0 ? own.length : negative;
    return [...own.slice(0, at), ...Array.from({ length: length - own.length }, () => 0), ...own.slice(at)];
  });
}

function scale(panels: readonly Panelled[]): number {
  const truth = panels.filter(({ key }) => key === "truth"); // known or not: the scale waits for it
  return largestOf(truth.length > 0 ? truth : panels, ({ eigenvalues }) => eigenvalues.reduce((most, v) => Math.max(most, Math.abs(v)), 0));
}

/** How many are clearly above zero and clearly below. */
function counted(values: readonly number[], most: number): [above: number, below: number] {
  return [values.filter((v) => v > COUNTS * most).length, values.filter((v) => v < -COUNTS * most).length];
}

function said(name: string, value: number): string {
  return value === 0 ? strings.none(name) : matrix.entry(name, value, value > 0 ? matrix.positive : matrix.negative);
}

customElements.define("ifm-spectrum", Spectrum);
