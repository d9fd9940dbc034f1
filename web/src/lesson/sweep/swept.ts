import { html, nothing, type TemplateResult } from "lit";
import { heads, Panel } from "../../panel/panel.js";
import { parse } from "../../state/spec.js";
import { isFrame, writeLink, type View } from "../../state/view.js";
import { short } from "../../text/strings.js";
import { cycle } from "../chapter/cycle.js";
import { legend, powers, type Drawing, type Line } from "../chapter/lines.js";
import { decades } from "../chapter/measure.js";
import { lay, measures, value, type Laid, type Measure, type Place } from "./lay.js";
import type { Sweep } from "./sweep.js";
import { swept as strings } from "./strings.js";

const MOST_LINES = 8; // in one picture

/** The results of a sweep that was run elsewhere, from its file. */
class Swept extends Panel {
  static override properties = { sweep: { attribute: false }, view: { attribute: false }, shown: { state: true } };

  declare sweep: Sweep;
  declare view: View;
  private declare shown: Measure | null; // null: the first that there is something of

  private laid: { readonly of: Sweep; readonly as: Laid } | null = null;

  constructor() {
    super();
    this.shown = null;
  }

  private get as(): Laid {
    if (this.laid?.of !== this.sweep) this.laid = { of: this.sweep, as: lay(this.sweep) };
    return this.laid.as;
  }

  /** Drawn truths can be found, tables have none. */
  private get choices(): readonly Measure[] {
    const { runs } = this.sweep;
    const has = { found: runs.some(({ m }) => Number.isFinite(m)), m: runs.some(({ m }) => Number.isFinite(m)), test: true, refused: runs.some(({ refused }) => refused !== "") };
    return measures.filter((measure) => has[measure]);
  }

  protected override render(): TemplateResult {
    const { sweep, as } = this;
    const { choices } = this;
    const shown = choices.find((measure) => measure === this.shown) ?? choices[0] ?? "test";
    const many = as.rows.length > MOST_LINES;
    const drawn = as.across === null || as.values.length < 2 || many ? null : this.drawing(as, shown);
    return html`<section class="swept" aria-labelledby="swept-title">
      <h3 id="swept-title" tabindex="-1"><span class="badge">${strings.badge}</span> ${sweep.name}</h3>
      <p class="about">${strings.from(sweep.runs.length, sweep.version)} ${sweep.here === sweep.version ? nothing : strings.other(sweep.version, sweep.here)}</p>
      <p class="about">${strings.same(as.same)}</p>
      <p class="go">
        <label class="pick">
          <span>${strings.show}</span>
          <select name="measure" @change=${(e: Event) => (this.shown = measures.find((one) => one === (e.target as HTMLSelectElement).value) ?? null)}>
            ${choices.map((measure) => html`<option value=${measure} .selected=${measure === shown}>${strings.measures[measure]}</option>`)}
          </select>
        </label>
        <button class="close" @click=${() => this.tell("ifm-swept", null)}>${strings.close}</button>
      </p>
      ${drawn ? html`${legend(drawn.lines)} <ifm-lines .heading=${strings.caption[shown]} .drawing=${drawn} .waiting=${""}></ifm-lines>` : many && as.across !== null ? html`<p class="note">${strings.many(as.rows.length)}</p>` : nothing}
      ${this.table(as, shown)}
    </section>`;
  }

  private table(as: Laid, shown: Measure): TemplateResult {
    const caption = strings.caption[shown];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="phase" style="--columns:${as.values.length};--least:3.2rem">
        <caption>${caption}</caption>
        ${heads([strings.axis(as), ...as.values.map((v) => strings.across(as, v))])}
        <tbody>
          ${as.rows.map(({ settings, places }) => {
            const row = strings.row(settings);
            return html`<tr><th scope="row">${row}</th>${places.map((place, i) => this.place(place, shown, row, strings.across(as, as.values[i] ?? Number.NaN)))}</tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** A place: what its runs say, and a link to run it here. */
  private place({ query, runs }: Place, shown: Measure, row: string, across: string): TemplateResult {
    if (runs.length === 0) return html`<td class="none">${strings.none}</td>`;
    const v = value(runs, shown);
    const counts = shown === "found" || shown === "refused";
    const said = counts ? strings.of(Math.round(v * runs.length), runs.length) : strings.value(v);
    const wanted = parse(query).spec;
    if (wanted.source === "table") return html`<td data-value=${v} data-runs=${runs.length}>${said}</td>`; // its rows are not here
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || isFrame(this.view)) return;
      event.preventDefault();
      this.tell("ifm-open", wanted);
    };
    return html`<td data-value=${v} data-runs=${runs.length} style="--share:${counts ? (100 * v).toFixed(0) : 0}%">
      <a href="${location.pathname}${writeLink(wanted, { ...this.view, sample: "none", chapter: "none", embed: "0" })}#figure" target=${isFrame(this.view) ? "_blank" : nothing} aria-label=${strings.open(row, across, said)} @click=${open}>${said}</a>
    </td>`;
  }

  private drawing(as: Laid, shown: Measure): Drawing {
    const share = shown === "found" || shown === "refused";
    const lines = as.rows.map(({ settings, places }, i): Line => {
      const model = settings.find(({ key }) => key === "model")?.value ?? this.sweep.runs[0]?.model ?? "ifm";
      const held = places.map(({ runs }) => value(runs, shown));
      const there = as.values.map((_, at) => at).filter((at) => Number.isFinite(held[at]));
      return { name: strings.row(settings), colour: model in short ? model : "ifm", ...cycle(i), x: there.map((at) => as.values[at] ?? 0), y: there.map((at) => held[at] ?? 0) };
    });
    const all = lines.flatMap(({ y }) => y).filter((v) => v > 0);
    const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
    const [first = 0, end = 1] = [as.values[0], as.values.at(-1)];
    const wide = first > 0 && end / first > 20;
    return {
      lines,
      x: { type: wide ? "log" : "linear", domain: [first, end], ticks: as.values, label: strings.axis(as), format: (v) => strings.across(as, v) },
      y: share || all.length === 0 ? { type: "linear", domain: [0, 1], ticks: [0, 0.5, 1], label: strings.measures[shown], format: strings.share } : { type: "log", domain: [10 ** low, 10 ** Math.max(high, low + 1)], ticks: decades(low, Math.max(high, low + 1)), label: strings.measures[shown], format: powers },
      at: (v) => strings.place(as, v),
    };
  }
}

customElements.define("ifm-swept", Swept);
