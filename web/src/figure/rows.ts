import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Predictor } from "../charts/fit/rows.js";
import { partLost } from "../engine/strings.js";
import { Panel, prop } from "../panel/panel.js";
import { script } from "../panel/script.js";
import type { Model } from "../training/series.js";
import type { Training } from "../training/training.js";
import { predicted as strings } from "./rest-strings.js";

class Predicted extends Panel {
  @prop accessor training!: Training;
  @prop accessor models!: readonly Model[];
  @state() private accessor open = false;
  @state() private accessor chosen: Predictor | "" = "";
  @state() private accessor lost = false;

  protected override render(): TemplateResult {
    const chosen = this.chosen === "ridge" || this.models.includes(this.chosen as Model) ? this.chosen : "";
    return html`<details class="fold" @toggle=${this.toggle}>
      <summary>${strings.title}</summary>
      ${this.lost
        ? html`<p class="note" role="status">${partLost}</p>`
        : this.open
          ? html`<ifm-fit .training=${this.training} .models=${this.models} .lead=${this.models.at(-1) ?? "ifm"} .chosen=${chosen} .target=${"y"} .of=${"row"} .note=${strings.note} @ifm-choose=${(e: CustomEvent<Predictor>) => (this.chosen = e.detail)}></ifm-fit>`
          : nothing}
    </details>`;
  }

  private readonly toggle = (event: Event): void => {
    const details = event.target as HTMLElement;
    if (!(details instanceof HTMLDetailsElement) || details.parentElement !== this) return; // a fold within
    this.open = details.open;
    this.tell("ifm-look", details.open);
    if (details.open && !this.lost) void script(() => import("../charts/fit/fit.js"), (is) => (this.lost = is));
  };
}

customElements.define("ifm-predicted", Predicted);
