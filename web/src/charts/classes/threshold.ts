import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { Panel } from "../../panel/panel.js";
import { count, percent } from "../../text/format.js";
import { classes as shared, named, threshold as strings } from "./strings.js";
import { counts, rates, THRESHOLDS, type Tellers } from "./told.js";

/** Which rows are taken for class 1 where the reader says from which probability on. */
class Threshold extends Panel {
  @property({ attribute: false }) accessor classes: Tellers | null = null;
  @property() accessor target = "";
  @property({ type: Number }) accessor step: number = THRESHOLDS / 2; // of THRESHOLDS

  private move(step: number): void {
    this.dispatchEvent(new CustomEvent<number>("ifm-threshold", { detail: step }));
  }

  protected override render(): TemplateResult {
    const all = this.classes;
    const [not, what] = (all?.names ?? ["", ""]).map((name) => shared.of(this.target, name)) as [string, string];
    const chosen = strings.value(this.step / THRESHOLDS);
    return html`<section class="threshold">
      ${all
        ? html`<p class="caption">${strings.title(what)}</p>
            <label class="slide">
              <span>${strings.label(what)}: <output>${chosen}</output></span>
              <input type="range" min="0" max=${THRESHOLDS} step="1" .value=${String(this.step)} aria-valuetext=${chosen} @input=${(e: Event) => this.move(Number((e.target as HTMLInputElement).value))} />
            </label>
            <button ?disabled=${2 * this.step === THRESHOLDS} @click=${() => this.move(THRESHOLDS / 2)}>${strings.half}</button>
            <div class="scroll" tabindex="0" role="region" aria-label=${strings.caption(what, chosen)}>${this.table(all, strings.caption(what, chosen))}</div>
            <p class="note">${strings.always(all)} ${strings.means(what, not)}</p>`
        : html`<p class="empty">${shared.soon}</p>`}
    </section>`;
  }

  private table(all: Tellers, caption: string): TemplateResult | typeof nothing {
    const { columns } = strings;
    return html`<table class="numbers standings">
      <caption>${caption}</caption>
      <thead>
        <tr>
          <th scope="col">${strings.who}</th>
          ${Object.values(columns).map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${all.told.map(([whose, told]) => {
          const found = counts(all, told, this.step);
          const { accuracy, precision, recall, specificity } = rates(found);
          return html`<tr class=${whose} data-told=${whose} data-accuracy=${accuracy}>
            <th scope="row">${named[whose]}</th>
            ${[accuracy, precision, recall, specificity].map((share) => html`<td>${Number.isNaN(share) ? "–" : percent(share)}</td>`)}
            ${[found.truePositive, found.falsePositive, found.falseNegative, found.trueNegative].map((rows) => html`<td>${count(rows)}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

customElements.define("ifm-threshold", Threshold);
