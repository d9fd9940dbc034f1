import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Column, Savable, Sheet } from "../../charts/sheet.js";
import { Panel } from "../../panel/panel.js";
import { count } from "../../text/format.js";
import { lead, type Group } from "./groups.js";
import * as quoted from "./quoted.js";
import { tally as strings } from "./strings.js";
import type { Source } from "./surveyed.js";
import { best, fixed, percent, sum, type Tally } from "./tally.js";
import { latex, markdown, type Grid } from "./write.js";

const ENOUGH = 12; // windows in which positions are tried, before the best of them is marked

/** The table of RMSE by day, as far as it is computed, and the paper's beside it. */
class TallyTable extends Panel implements Savable {
  @property({ attribute: false }) accessor tally: Tally | null = null; // null: there are no windows yet
  @property() accessor source: Source = "simulated";
  @property({ type: Number }) accessor noise = 0; // of a signal at the zenith, mm; 0 where it is none of ours
  @property({ type: Boolean }) accessor whole = false; // nothing is missing of it

  private readonly phone = matchMedia("(max-width: 40rem)");
  private readonly turned = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.phone.addEventListener("change", this.turned);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.phone.removeEventListener("change", this.turned);
  }

  protected override render(): TemplateResult {
    return html`<div class="twin">
      ${this.own()} ${this.sections()}
      ${this.paper()}
    </div>`;
  }

  /** The columns of methods: on a phone FM and iFM come first, and what they are to be judged by. */
  private columns(methods: readonly string[]): readonly number[] {
    const places = methods.map((_, m) => m);
    const first = ["fm", "ifm", "kriging", "cubic"];
    const rank = (m: number): number => (first.indexOf(methods[m] ?? "") + first.length + 1) % (first.length + 1);
    return this.phone.matches ? places.toSorted((a, b) => rank(a) - rank(b)) : places;
  }

  /** A line of cells: on a phone those of methods come before the others. */
  private line(others: readonly TemplateResult[], methods: readonly TemplateResult[]): readonly TemplateResult[] {
    return this.phone.matches ? [...methods, ...others] : [...others, ...methods];
  }

  private head(first: string, others: readonly string[], methods: readonly string[]): TemplateResult {
    const plain = (name: string): TemplateResult => html`<th scope="col">${name}</th>`;
    const named = this.columns(methods).map((m) => html`<th scope="col">${strings.methods[methods[m] as quoted.Method]}${quoted.inPaper(methods[m] ?? "") ? nothing : html`<span class="aside"> ${strings.ours}</span>`}</th>`);
    return html`<thead>
      <tr>${plain(first)}${this.line(others.map(plain), named)}</tr>
    </thead>`;
  }

  private own(): TemplateResult {
    const { tally, source } = this;
    const methods = tally?.methods ?? [];
    return html`<div class="own">
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.caption(source)}>
        <table class="numbers tally" data-source=${source}>
          <caption><b class="badge">${strings.badge[source]}</b> ${strings.caption(source)}${this.noise > 0 ? html`. <span class="floor">${strings.noise(this.noise)}</span>` : nothing}</caption>
          ${this.head(strings.day, [strings.windows, strings.zero], methods)}
          <tbody>
            ${(tally?.rows ?? []).map((row) => this.row(row.day, row.day, counts(row), row.over > row.used ? strings.lost(row.over - row.used) : "", fixed(row.zero), row.rmse, false))}
          </tbody>
          <tfoot>
            ${tally ? this.row("average", strings.average, counts({ over: sum(tally, "over"), of: sum(tally, "of") }), "", fixed(tally.zero), tally.average, false) : nothing}
            ${tally && methods.length > 1 ? this.less(tally.groups?.all ?? null) : nothing}
            ${tally?.positions ? this.row("rtk", strings.rtk, counts(tally.positions), "", percent(tally.positions.none), tally.positions.share, true) : nothing}
          </tfoot>
        </table>
      </div>
      <ifm-save .of=${this} heading=${strings.caption(source)}></ifm-save>
      <p class="note">${strings.reading}${tally?.positions ? ` ${strings.perfect(percent(tally.positions.perfect))}` : ""}${tally && tally.rows.some(({ over, used }) => over > used) ? ` ${strings.starred}` : ""}</p>
    </div>`;
  }

  private row(key: string, name: string, over: string, lost: string, zero: string, values: readonly number[], share: boolean): TemplateResult {
    const leads = this.leads(values, share);
    return html`<tr data-row=${key}>
      <th scope="row">${name}</th>
      ${this.line(
        [html`<td class="counts">${over}${lost === "" ? nothing : html`*<span class="seen-not"> ${lost}</span>`}</td>`, html`<td class="zero">${zero}</td>`],
        this.columns(this.tally?.methods ?? []).map((m) => this.cell(m, values[m] ?? Number.NaN, share, leads.has(m))),
      )}
    </tr>`;
  }

  private cell(m: number, value: number, share: boolean, leads: boolean): TemplateResult {
    return html`<td class=${leads ? "best" : ""} data-method=${this.tally?.methods[m] ?? ""} data-value=${value}>${share ? percent(value) : fixed(value)}${leads ? html`<span class="seen-not"> ${strings.best}</span>` : nothing}</td>`;
  }

  /** Whether hours are what intervals are of. */
  private get hourly(): boolean {
    return this.tally?.groups?.hourly ?? false;
  }

  /** By how much each method is above another in a group, which others are compared with. */
  private less(group: Group | null): TemplateResult {
    const methods = this.tally?.methods ?? [];
    const base = Math.max(0, methods.indexOf("ridge"));
    const cells = this.columns(methods).map((m) => html`<td class="less" data-method=${methods[m] ?? ""}>${m === base || !group ? "" : strings.lead(lead(group, m, base, this.hourly))}</td>`);
    return html`<tr data-less>
      <th scope="row">${strings.less(strings.methods[methods[base] as quoted.Method])}</th>
      ${this.line([html`<td></td>`, html`<td></td>`], cells)}
    </tr>`;
  }

  /** The same by station, hour and elevation. */
  private sections(): TemplateResult {
    const groups = this.tally?.groups;
    const parts = groups ? [{ name: strings.parts.stations, first: strings.parts.station, of: groups.stations }, { name: strings.parts.hours, first: strings.parts.hour, of: groups.hours }, { name: strings.parts.elevations, first: strings.parts.elevation, of: groups.elevations }].filter(({ of }) => of.length > 1) : [];
    return html`<details class="fold parts">
      <summary>${strings.parts.title}</summary>
      <p class="note">${strings.parts.note(groups?.all.blocks.length ?? 0, this.hourly)}</p>
      ${parts.length === 0 ? html`<p class="note">${strings.parts.none}</p>` : nothing}
      ${parts.map(({ name, first, of }) => this.section(name, first, of))}
    </details>`;
  }

  private section(name: string, first: string, groups: readonly Group[]): TemplateResult {
    const methods = this.tally?.methods ?? [];
    const base = Math.max(0, methods.indexOf("ridge"));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}>
      <table class="numbers tally">
        <caption>${name}</caption>
        ${this.head(first, [strings.parts.differences], methods)}
        <tbody>
          ${groups.map((group) => {
            const leads = this.leads(group.rmse, false);
            const cells = this.columns(methods).map(
              (m) => html`<td class=${leads.has(m) ? "best" : ""} data-method=${methods[m] ?? ""}>${fixed(group.rmse[m] ?? Number.NaN)}${leads.has(m) ? html`<span class="seen-not"> ${strings.best}</span>` : nothing}${m === base ? nothing : html`<span class="aside"> ${strings.lead(lead(group, m, base, this.hourly))}</span>`}</td>`,
            );
            return html`<tr>
              <th scope="row">${group.name}</th>
              ${this.line([html`<td class="counts">${count(group.differences)}</td>`], cells)}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** What is marked as the best of a row. */
  private leads(values: readonly number[], share: boolean): ReadonlySet<number> {
    return share && (this.tally?.positions?.used ?? 0) < ENOUGH ? new Set() : best(values, share, share ? percent : fixed);
  }

  private paper(): TemplateResult {
    const rows = [...quoted.days.map((values, i) => ({ name: strings.testDay(i + 1), values, share: false })), { name: strings.average, values: quoted.average, share: false }, { name: strings.commercial, values: quoted.rtk, share: true }];
    return html`<div class="paper">
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.quoted}>
        <table class="numbers tally quoted">
          <caption><b class="badge">${strings.badge.quoted}</b> ${strings.quoted}</caption>
          ${this.head(strings.day, [], quoted.methods)}
          <tbody>
            ${rows.map(({ name, values, share }) => {
              const leads = best(values, share, share ? String : fixed);
              return html`<tr>
                <th scope="row">${name}</th>
                ${this.columns(quoted.methods).map((m) => ({ m, value: values[m] ?? Number.NaN })).map(({ m, value }) => html`<td class=${leads.has(m) ? "best" : ""}>${share ? `${value.toFixed(1)} %` : fixed(value)}${leads.has(m) ? html`<span class="seen-not"> ${strings.best}</span>` : nothing}</td>`)}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      <p class="note">${strings.quotedNote}</p>
    </div>`;
  }

  /** The table as it is written down. */
  private get grid(): Grid | null {
    const { tally, source } = this;
    if (!tally || tally.rows.every(({ used }) => used === 0)) return null;
    const name = (method: string): string => `${strings.methods[method as quoted.Method]}${quoted.inPaper(method) ? "" : ` (${strings.ours})`}`;
    const all = tally.groups?.all;
    const base = Math.max(0, tally.methods.indexOf("ridge"));
    const line = (title: string, zero: string, values: readonly number[], share: boolean) => {
      const leads = this.leads(values, share);
      return { title, cells: [{ text: zero, best: false }, ...values.map((value, m) => ({ text: share ? percent(value) : fixed(value), best: leads.has(m) }))] };
    };
    return {
      caption: `${strings.badge[source]}. ${strings.caption(source)}${this.noise > 0 ? `. ${strings.noise(this.noise)}` : ""}${this.whole ? "" : ` ${strings.partly(sum(tally, "over"), sum(tally, "of"))}`}`,
      head: ["", strings.zero, ...tally.methods.map(name)],
      rows: tally.rows.map((row) => line(row.day, fixed(row.zero), row.rmse, false)),
      foot: [line(strings.average, fixed(tally.zero), tally.average, false), ...(all && tally.methods.length > 1 ? [{ title: strings.less(name(tally.methods[base] ?? "")), cells: [{ text: "", best: false }, ...tally.methods.map((_, m) => ({ text: m === base ? "" : strings.lead(lead(all, m, base, this.hourly)), best: false }))] }] : []), ...(tally.positions ? [line(strings.rtk, percent(tally.positions.none), tally.positions.share, true)] : [])],
    };
  }

  sheet(): Sheet | null {
    const { tally, grid } = this;
    const picture = this.querySelector<HTMLTableElement>("table.tally");
    if (!tally || !grid || !picture) return null;
    const rows = [...tally.rows.map((row) => ({ name: row.day, over: row.over, of: row.of, zero: row.zero, values: row.rmse, unit: strings.units.rmse })), { name: strings.average, over: sum(tally, "over"), of: sum(tally, "of"), zero: tally.zero, values: tally.average, unit: strings.units.rmse }];
    const { positions } = tally;
    const all = positions ? [...rows, { name: strings.rtk, over: positions.over, of: positions.of, zero: 100 * positions.none, values: positions.share.map((v) => 100 * v), unit: strings.units.rtk }] : rows;
    const columns: Column[] = [
      { name: strings.day, values: all.map((row) => row.name) },
      { name: strings.unit, values: all.map((row) => row.unit) },
      { name: strings.done, values: all.map((row) => row.over) },
      { name: strings.all, values: all.map((row) => row.of) },
      { name: strings.zero, values: all.map((row) => row.zero) },
      ...tally.methods.map((method, m) => ({ name: strings.methods[method as quoted.Method], values: all.map((row) => row.values[m] ?? Number.NaN) })),
    ];
    return {
      what: "table",
      title: grid.caption,
      described: [grid.caption, ...grid.rows.map((row) => `${row.title}: ${row.cells.map((cell, i) => `${grid.head[i + 1] ?? ""} ${cell.text}`).join(", ")}.`)].join(" "),
      notes: [strings.reading],
      legend: [],
      columns,
      picture,
      texts: { tex: (how, link) => latex(grid, how, link), md: (how, link) => markdown(grid, how, link) },
    };
  }
}

function counts({ over, of }: { readonly over: number; readonly of: number }): string {
  return of === 0 ? "–" : `${count(over)}/${count(of)}`;
}

customElements.define("ifm-tally", TallyTable);
