import { html, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { flipped, pairSigns, type Sign, type Three } from "../../figure/signs.js";
import { patterns, signed, triangle, triangles } from "../../figure/triangle.js";
import { Panel } from "../../panel/panel.js";
import { three } from "../../figure/strings.js";
import { trio as strings } from "./strings.js";

const ONES: Three<Sign> = [1, 1, 1];
const CHOICES = 8; // of three signs

/** The true signs of three pairs. Before the answer the reader is the FM and chooses a number for each feature; then FM and iFM stand beside them, and signs can be flipped. */
class Trio extends Panel {
  @property({ attribute: false, hasChanged: (now: Three<Sign>, before?: Three<Sign>) => String(now) !== String(before) }) accessor truth!: Three<Sign>;
  @property({ type: Boolean }) accessor revealed = false;
  @state() private accessor mine = ONES;
  @state() private accessor signs = ONES; // true ones, after the answer

  private tried = new Set([String(ONES)]);

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("truth")) this.signs = this.truth;
  }

  protected override render(): TemplateResult {
    if (!this.revealed) return this.trial();
    const choose = (signs: Three<Sign>): void => void (this.signs = signs);
    return html`<div class="trio">${triangles(this.signs, (pair) => choose(flipped(this.signs, pair)))} ${patterns(this.signs, choose)}</div>`;
  }

  private trial(): TemplateResult {
    const { truth, mine, tried } = this;
    const signs = pairSigns(mine);
    const right = signs.filter((sign, pair) => sign === truth[pair]).length;
    const number = (at: number): TemplateResult => {
      const text = `${(mine[at] ?? 1) > 0 ? "+" : "−"}1`;
      return html`<b>${text}</b><button class="press" aria-label=${strings.press(three.features[at] ?? "", text)} @click=${() => this.press(at)}></button>`;
    };
    return html`<div class="trial">
      <figure>${triangle("given", truth, (at) => three.features[at], signed(truth, truth))}<figcaption>${strings.truth}</figcaption></figure>
      <figure>${triangle("fm", signs, number, signed(signs, truth))}<figcaption role="status"><b class="fm">${strings.you}</b>: ${strings.right(right)}</figcaption></figure>
      <p class="note">${strings.tried(tried.size, CHOICES)} <span class="tried" aria-hidden="true">${Array.from({ length: CHOICES }, (_, i) => html`<i class=${i < tried.size ? "on" : ""}></i>`)}</span></p>
    </div>`;
  }

  private press(at: number): void {
    this.mine = flipped(this.mine, at);
    this.tried.add(String(this.mine));
  }
}

customElements.define("ifm-trio", Trio);
