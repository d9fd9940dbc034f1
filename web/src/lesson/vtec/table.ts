import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Column, Savable, Sheet } from "../../charts/sheet.js";
import { Panel, scrolling } from "../../panel/panel.js";
import { cell, count, number } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { keyOf, nameOf, ours, paper } from "./methods.js";
import * as quoted from "./quoted.js";
import { badges, testDay } from "./strings.js";
import type { Source } from "./settings.js";
import { best, fixed, isWhole, lead, percent, sum, type Group, type Tally } from "./tally.js";
import { latex, markdown, type Cell, type Grid } from "./write.js";

const NOISE = 0.0022; // m in a double difference a mm of noise, measured on the simulator; half of its square is the test station’s
const ENOUGH = 12; // windows in which positions are tried, before the best of them is marked

const words = {
  caption: (source: Source) => `RMSE of the double differences at the test station, metres of delay of GPS’s main signal (L1)${source === "disturbed" ? "; your maps with simulated disturbances" : ""}`,
  noise: (mm: number) => `A double difference: the difference of two satellites’ delays at one station, minus the same at another station. Noise of ${cell(mm)} mm in each signal, or more if the satellite is low, makes about ${number(NOISE * mm, 2)} m in a double difference. No method can predict the test station’s share of it, ${number((NOISE * mm) / Math.SQRT2, 2)} m.`,
  day: "Day",
  windows: "Windows",
  zero: "Zero",
  average: "Average",
  rtk: "Simulated RTK",
  commercial: "RTK",
  best: "best",
  lost: (n: number) => `(${count(n)} could not be used)`,
  starred: "* Some windows could not be used: see the list below.",
  reading: "Zero: predicting no difference. Underlined: the best of the row, after rounding. RTK: share of positions within 1 cm. The best is marked only if there are at least 12 windows.",
  quoted: "Table 1 of the paper",
  quotedNote: "From Lin et al., Table 1, on data that is not public: 17 stations, all 12,960 windows (each minute of nine days), RTK (real-time positions) by a commercial program. The paper states no unit. These numbers are not computed here.",
  partly: (over: number, of: number) => `(${count(over)} of ${counted(of, "window")})`,
  unit: "unit",
  units: { rmse: "m", rtk: "% of positions" },
  less: (base: string) => `minus ${base}`,
  lead: ({ mean, half }: { readonly mean: number; readonly half: number }) => (Number.isNaN(mean) ? "" : `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(5)}${Number.isNaN(half) ? "" : ` ±\u00a0${half.toFixed(5)}`}`),
  perfect: (share: string) => `Zero, for RTK: positions computed without any correction. With the true delays ${share} succeed; no method can do better.`,
  parts: {
    title: "By station, hour and elevation",
    note: (blocks: number, hourly: boolean) => `Below each error is its difference from ridge’s, with a 95 % interval over ${blocks > 1 ? `${blocks} ` : ""}${hourly ? "hours" : "days"}. The setting “each in turn” leaves out one station after the other.`,
    none: "Run the chapter first.",
    stations: "By station that is left out",
    hours: "By hour",
    elevations: "By satellite elevation at the station that is left out",
    station: "Station",
    hour: "Hours",
    elevation: "Elevation",
    differences: "Differences",
  },
  done: "windows done",
  all: "windows",
};

/** Numbers of all methods: RMSE in metres, or shares of positions. */
interface Row {
  readonly key: string;
  readonly title: string;
  readonly over: number; // windows
  readonly of: number;
  readonly lost: number;
  readonly zero: number; // of predicting 0
  readonly values: readonly number[];
  readonly isShare: boolean;
}

/** A line of a table, with a cell for each method. */
interface Line {
  readonly title: string;
  readonly key?: string;
  readonly isLess?: boolean;
  readonly counts?: unknown; // before the cells of the methods, as the next
  readonly zero?: string;
  readonly cells: readonly (Cell & { readonly value?: number; readonly aside?: string })[];
}

/** The table of RMSE by day, as far as it is computed, and the paper's beside it. */
class TallyTable extends Panel implements Savable {
  @property({ attribute: false }) accessor tally!: Tally;
  @property() accessor source: Source = "simulated";
  @property({ type: Number }) accessor noise = 0; // of a signal at the zenith, mm; 0 where it is none of ours

  protected override render(): TemplateResult {
    return html`${this.own()} ${this.parts()} ${this.paper()}`;
  }

  /** A table that begins with the columns of heads. */
  private table(kind: "own" | "part" | "quoted", label: string, caption: TemplateResult | string, heads: readonly string[], methods: readonly string[], body: readonly Line[], foot: readonly Line[] = []): TemplateResult {
    const named = methods.map((method) => html`<th scope="col">${keyOf(method).name}${paper.includes(method) ? nothing : html`<span class="aside"> ${ours}</span>`}</th>`);
    const line = ({ title, key, isLess, counts, zero, cells }: Line): TemplateResult => html`<tr data-row=${key ?? nothing} ?data-less=${isLess}>
      <th scope="row">${title}</th>
      ${Object.entries({ counts, zero }).map(([kind, text]) => (text === undefined ? nothing : html`<td class=${kind}>${text}</td>`))}
      ${cells.map(({ text, best: isBest, value, aside = "" }, m) => html`<td class=${isBest ? "best" : ""} data-method=${methods[m] ?? ""} data-value=${value ?? nothing}>${text}${isBest ? html`<span class="seen-not"> ${words.best}</span>` : nothing}${aside === "" ? nothing : html`<span class="aside"> ${aside}</span>`}</td>`)}
    </tr>`;
    return scrolling(label, html`<table class="numbers tally ${kind === "quoted" ? kind : ""}" data-source=${kind === "own" ? this.source : nothing}>
      <caption>${caption}</caption>
      <thead>
        <tr>${heads.map((name) => html`<th scope="col">${name}</th>`)}${named}</tr>
      </thead>
      <tbody>
        ${body.map(line)}
      </tbody>
      ${foot.length > 0 ? html`<tfoot>${foot.map(line)}</tfoot>` : nothing}
    </table>`);
  }

  private get rows(): { readonly days: readonly Row[]; readonly average: Row; readonly positions: readonly Row[] } {
    const { rows, zero, average, positions } = this.tally;
    return {
      days: rows.map(({ day, over, of, used, zero, rmse }) => ({ key: day, title: day, over, of, lost: over - used, zero, values: rmse, isShare: false })),
      average: { key: "average", title: words.average, over: sum(this.tally, "over"), of: sum(this.tally, "of"), lost: 0, zero, values: average, isShare: false },
      positions: positions ? [{ key: "rtk", title: words.rtk, over: positions.over, of: positions.of, lost: 0, zero: positions.none, values: positions.share, isShare: true }] : [],
    };
  }

  /** The lines of the table by day, and those of its foot. */
  private get lines(): { readonly body: readonly Line[]; readonly foot: readonly Line[] } {
    const { tally, rows: { days, average, positions } } = this;
    const line = ({ key, title, over, of, lost, zero, values, isShare }: Row): Line => ({
      title,
      key,
      counts: html`${of === 0 ? "–" : `${count(over)}/${count(of)}`}${lost === 0 ? nothing : html`*<span class="seen-not"> ${words.lost(lost)}</span>`}`,
      zero: isShare ? percent(zero) : fixed(zero),
      cells: this.cells(values, isShare).map((own, m) => ({ ...own, value: values[m] ?? Number.NaN })),
    });
    const less = tally.methods.length > 1 ? [{ ...this.less(tally.groups?.all ?? null), isLess: true, counts: nothing, zero: "" }] : [];
    return { body: days.map(line), foot: [line(average), ...less, ...positions.map(line)] };
  }

  private own(): TemplateResult {
    const { tally, source, noise, lines: { body, foot } } = this;
    const caption = html`<b class="badge">${badges[source]}</b> ${words.caption(source)}${noise > 0 ? html`. <span class="floor">${words.noise(noise)}</span>` : nothing}`;
    const perfect = tally.positions ? ` ${words.perfect(percent(tally.positions.perfect))}` : "";
    return html`<div class="own">
      ${this.table("own", words.caption(source), caption, [words.day, words.windows, words.zero], tally.methods, body, foot)}
      <ifm-save .of=${this} heading=${words.caption(source)}></ifm-save>
      <p class="note">${words.reading}${perfect}${tally.rows.some(({ over, used }) => over > used) ? ` ${words.starred}` : ""}</p>
    </div>`;
  }

  /** Numbers as they are printed, the best marked; of positions, once there are enough. */
  private cells(values: readonly number[], isShare: boolean): Cell[] {
    const print = isShare ? percent : fixed;
    const leads = isShare && (this.tally.positions?.used ?? 0) < ENOUGH ? new Set() : best(values, isShare, print);
    return values.map((value, m) => ({ text: print(value), best: leads.has(m) }));
  }

  /** By how much each method is above ridge regression in a group. */
  private less(group: Group | null): { readonly title: string; readonly cells: readonly Cell[] } {
    const { methods, groups } = this.tally;
    const base = Math.max(0, methods.indexOf("ridge"));
    return { title: words.less(keyOf(methods[base] ?? "").name), cells: methods.map((_, m) => ({ text: m === base || !group ? "" : words.lead(lead(group, m, base, groups?.hourly ?? false)), best: false })) };
  }

  /** The same by station, hour and elevation. */
  private parts(): TemplateResult {
    const { methods, groups } = this.tally;
    const { stations = [], hours = [], elevations = [], hourly = false, all = null } = groups ?? {};
    const parts = ([["stations", "station", stations], ["hours", "hour", hours], ["elevations", "elevation", elevations]] as const).filter(([, , of]) => of.length > 1);
    const line = (group: Group): Line => {
      const less = this.less(group).cells;
      return { title: group.name, counts: count(group.differences), cells: this.cells(group.rmse, false).map((own, m) => ({ ...own, aside: less[m]?.text ?? "" })) };
    };
    return html`<details class="fold parts">
      <summary>${words.parts.title}</summary>
      <p class="note">${words.parts.note(all?.blocks.length ?? 0, hourly)}</p>
      ${parts.length === 0 ? html`<p class="note">${words.parts.none}</p>` : nothing}
      ${parts.map(([name, first, of]) => this.table("part", words.parts[name], words.parts[name], [words.parts[first], words.parts.differences], methods, of.map(line)))}
    </details>`;
  }

  private paper(): TemplateResult {
    const line = (title: string, values: readonly number[], most = false): Line => {
      const print = most ? percent : fixed;
      const leads = best(values, most, print);
      return { title, cells: values.map((value, m) => ({ text: print(value), best: leads.has(m) })) };
    };
    const rows = [...quoted.days.map((values, i) => line(testDay(i + 1), values)), line(words.average, quoted.average), line(words.commercial, quoted.rtk, true)];
    return html`<div class="paper">
      ${this.table("quoted", words.quoted, html`<b class="badge">${badges.quoted}</b> ${words.quoted}`, [words.day], paper, rows)}
      <p class="note">${words.quotedNote}</p>
    </div>`;
  }

  /** The table as it is written down. */
  private get grid(): Grid | null {
    const { tally, source, noise, lines: { body, foot } } = this;
    if (tally.rows.every(({ used }) => used === 0)) return null;
    const line = ({ title, zero = "", cells }: Line) => ({ title, cells: [{ text: zero, best: false }, ...cells] });
    return {
      caption: `${badges[source]}. ${words.caption(source)}${noise > 0 ? `. ${words.noise(noise)}` : ""}${isWhole(tally) ? "" : ` ${words.partly(sum(tally, "over"), sum(tally, "of"))}`}`,
      head: ["", words.zero, ...tally.methods.map(nameOf)],
      rows: body.map(line),
      foot: foot.filter(({ isLess }) => !isLess || tally.groups).map(line),
    };
  }

  sheet(): Sheet | null {
    const { tally, grid, rows: { days, average, positions } } = this;
    const picture = this.querySelector<HTMLTableElement>("table.tally");
    if (!grid || !picture) return null;
    const all = [...days, average, ...positions];
    const scale = ({ isShare }: Row): number => (isShare ? 100 : 1);
    const columns: Column[] = [
      { name: words.day, values: all.map(({ title }) => title) },
      { name: words.unit, values: all.map(({ isShare }) => words.units[isShare ? "rtk" : "rmse"]) },
      { name: words.done, values: all.map(({ over }) => over) },
      { name: words.all, values: all.map(({ of }) => of) },
      { name: words.zero, values: all.map((row) => scale(row) * row.zero) },
      ...tally.methods.map((method, m) => ({ name: keyOf(method).name, values: all.map((row) => scale(row) * (row.values[m] ?? Number.NaN)) })),
    ];
    return {
      what: "table",
      title: grid.caption,
      described: [grid.caption, ...grid.rows.map((row) => `${row.title}: ${row.cells.map((own, i) => `${grid.head[i + 1] ?? ""} ${own.text}`).join(", ")}.`)].join(" "),
      notes: [words.reading],
      legend: [],
      columns,
      picture,
      texts: { tex: (how, link) => latex(grid, how, link), md: (how, link) => markdown(grid, how, link) },
    };
  }
}

customElements.define("ifm-tally", TallyTable);
