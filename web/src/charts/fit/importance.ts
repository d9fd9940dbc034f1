import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import type { Pool } from "../../engine/pool.js";
import type { Importance, Measure, ModelFile, Pairs, Shapes } from "../../engine/protocol.js";
import { Panel, prop, scrolling } from "../../panel/panel.js";
import { signed } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import type { Studied } from "../../training/study.js";
import { howTested, surface, tested } from "./pairs.js";
import { shape } from "./shape.js";
import { importance as strings } from "./strings.js";

const LISTED = 10; // rows, until the reader asks for all
const BEYOND = 1.6; // times the longest bar, which no interval goes beyond

/** The columns of a table and the strongest pairs by importance, with what the one adds that the reader chose. */
class ImportantColumns extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor importance: Importance | null = null;
  @prop accessor file: ModelFile | null = null;
  @prop accessor study!: Studied<Pairs>; // that tests pairs without a model
  @property() accessor model: Model = "ifm";
  @property() accessor measure: Measure = "rmse";
  @property() accessor target = "";
  @property({ type: Number }) accessor shown = 0; // of more than two classes, whose shapes are shown
  @property({ type: Boolean }) accessor over = false; // the run is: what is not there never will be
  @state() private accessor chosen = ""; // by the reader; "": the first
  @state() private accessor shapes: Shapes | null | undefined = undefined; // undefined: on its way, and what is below the picture waits
  @state() private accessor all = false;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("file") || changed.has("shown")) void this.ask();
  }

  private async ask(): Promise<void> {
    const { file, shown } = this;
    const { result } = file ? await answerOf(this.pool.call("shapes", { model: file.bytes, class: shown }, "table")) : { result: undefined };
    if (this.file === file && this.shown === shown) this.shapes = result;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { importance, over, model, measure, target, study } = this;
    if (!importance && over) return nothing;
    const names = importance ? strings.rows(importance) : [];
    const chosen = Math.max(0, names.indexOf(this.chosen));
    return html`<section class="important" aria-labelledby="important">
      <h3 id="important">${strings.title}</h3>
      ${importance
        ? html`<p class="first note">${strings.says(short[model], measure, target)}</p>
            ${this.list(importance, names, chosen)} ${this.picture(importance, chosen)}
            ${this.shapes === undefined ? nothing : html`${tested(study, over, (go) => this.tell("ifm-study", { what: "pairs", go }))}<details><summary>${strings.how}</summary><p class="note">${strings.note}</p>${howTested(study)}</details>`}`
        : html`<p class="first note">${strings.soon}</p>`}
    </section>`;
  }

  /** What one of them adds. */
  private picture({ columns, with: others, pairs }: Importance, at: number): unknown {
    const { shapes, model, shown } = this;
    const [first = "", second = ""] = [columns[at], others[at]];
    if (!shapes) return nothing;
    if (second === "") return shapes.shapes.filter(({ source }) => source === first).map((one) => shape(one, shapes, model));
    const before = others.slice(0, at).filter(Boolean).length;
    const one = pairs[(before * pairs.length) / others.filter(Boolean).length + shown];
    return one && surface(one, first, second, shapes);
  }

  private list({ columns, with: others, by, low, high }: Importance, all: readonly string[], chosen: number): TemplateResult {
    const longest = Math.max(...by, 0) || 1;
    const ends = [Math.max(Math.min(...low, ...by, 0), -longest), Math.min(Math.max(...high, longest), BEYOND * longest)] as const;
    const span = (from: number, to: number): string => {
      const [left, right] = [from, to].map((v) => (100 * (Math.min(Math.max(v, ends[0]), ends[1]) - ends[0])) / (ends[1] - ends[0])) as [number, number];
      return `left:${left}%;width:${right - left}%`;
    };
    const { names } = strings;
    const listed = this.all ? all : all.slice(0, LISTED);
    return html`${scrolling(
      strings.list,
      html`<table class="numbers">
        <thead>
          <tr><th scope="col" colspan="2">${names.column}</th><th scope="col">${names.rise}</th><th scope="col">${names.interval}</th></tr>
        </thead>
        <tbody>
          ${listed.map((name, i) => {
            const [rise = 0, least = 0, most = 0] = [by[i], low[i], high[i]];
            return html`<tr data-column=${columns[i] ?? ""} data-with=${others[i] ?? ""} data-value=${rise}>
              <th scope="row"><button aria-pressed=${String(i === chosen)} title=${name} @click=${() => (this.chosen = name)}>${name}</button></th>
              <td class="spans" aria-hidden="true"><span class="bar" style=${span(Math.min(rise, 0), Math.max(rise, 0))}></span>${Number.isFinite(most) && least < most ? html`<span class="whisker" style=${span(least, most)}></span>` : nothing}</td>
              <td>${signed(rise)}</td>
              <td>${Number.isFinite(most) ? strings.interval(least, most) : strings.few}</td>
            </tr>`;
          })}
        </tbody>
      </table>`,
    )}
    ${all.length > listed.length ? html`<p><button @click=${() => (this.all = true)}>${strings.more(all.length)}</button></p>` : nothing}`;
  }
}

customElements.define("ifm-importance", ImportantColumns);
