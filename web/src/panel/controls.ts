import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { View } from "../state/view.js";
import type { Phase } from "../training/training.js";
import { check, pick } from "./inputs.js";
import { Panel } from "./panel.js";
import { controls as strings } from "./strings.js";

const icons = {
  play: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z" /></svg>`,
  pause: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 3h3v10H4zM9 3h3v10H9z" /></svg>`,
  step: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2.5v11L10 8zM11 3h2.5v10H11z" /></svg>`,
  again: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.5a5.5 5.5 0 1 0 5.4 6.6h-1.9A3.7 3.7 0 1 1 8 4.3c1 0 1.9.4 2.6 1L8.5 7.5H14V2l-2.1 2.1A5.5 5.5 0 0 0 8 2.5z" /></svg>`,
  seed: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 2h11v12h-11zm1.8 1.8v8.4h7.4V3.8zM5.4 5h2v2h-2zm3.2 0h2v2h-2zM5.4 9h2v2h-2zm3.2 0h2v2h-2z" /></svg>`,
  stop: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 3.5h9v9h-9z" /></svg>`,
};

const SEEDS = 9999; // short enough to tell somebody

class Controls extends Panel {
  @property() accessor run: "figure" | "table" = "figure";
  @property() accessor phase: Phase = "idle";
  @property() accessor speed: View["speed"] = "normal";
  @property() accessor scale: "log" | "linear" = "log";
  @property() accessor ghost: View["ghost"] = "1";
  @property({ type: Number }) accessor seed = 0;
  @property() accessor progress = "";
  @property() accessor aside = ""; // what there is to know about it

  protected override render(): TemplateResult {
    const going = this.phase === "running" || this.phase === "starting";
    const over = this.phase === "done" || this.phase === "stopped" || this.phase === "failed";
    const none = over || this.phase === "idle";
    const figure = this.run === "figure";
    const toggle = going ? "pause" : none && !figure ? "again" : "play";
    return html`<div class="controls" role="group" aria-label=${strings.label} data-phase=${this.phase}>
      <div class="acts">
        <button class="main" ?data-plays=${toggle !== "again"} @click=${() => this.command(toggle === "play" && none ? "again" : toggle)}>${icons[toggle]}<span>${strings[toggle]}</span></button>
        <button ?disabled=${none} @click=${() => this.command("step")}>${icons.step}<span>${strings.step}</span></button>
        ${figure
          ? html`<button class="restart" title=${strings.restartHelp} ?disabled=${this.phase === "idle"} @click=${() => this.command("again")}>${icons.again}<span>${strings.restart}</span></button>
              <button class="seed" title=${strings.seedHelp} @click=${() => this.tell("ifm-spec", { seed: another(this.seed) })}>${icons.seed}<span>${strings.seed}</span></button>`
          : html`<button ?disabled=${none} @click=${() => this.command("stop")}>${icons.stop}<span>${strings.stop}</span></button>`}
      </div>
      <div class="shows">
        ${pick(strings.speed, ["slow", "normal", "instant"], this.speed, (speed) => strings.speeds[speed], (speed) => this.tell("ifm-view", { speed }))}
        <fieldset class="segments">
          <legend>${strings.scale}</legend>
          ${(["log", "linear"] as const).map((scale) => html`<label><input type="radio" name="scale-${this.run}" value=${scale} .checked=${scale === this.scale} @change=${() => this.tell("ifm-view", { scale })} /><span>${strings.scales[scale]}</span></label>`)}
        </fieldset>
        ${check(strings.ghost, this.ghost === "1", (shown) => this.tell("ifm-view", { ghost: shown ? "1" : "0" }), "", strings.ghostHelp)}
      </div>
      <span class="progress num"><span>${this.progress}</span> <span>${this.aside}</span></span>
    </div>`;
  }

  private command(command: "play" | "pause" | "step" | "again" | "stop"): void {
    this.tell("ifm-run", { run: this.run, command });
  }
}

function another(seed: number): number {
  const drawn = 1 + Math.floor(Math.random() * (SEEDS - 1));
  return drawn < seed ? drawn : drawn + 1;
}

customElements.define("ifm-controls", Controls);
