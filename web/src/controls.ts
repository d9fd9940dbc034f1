import { html, nothing, type TemplateResult } from "lit";
import { Panel } from "./panel.js";
import { controls as strings } from "./strings.js";
import type { Phase } from "./trainer.js";
import type { View } from "./view.js";

const icons = {
  play: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z" /></svg>`,
  pause: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 3h3v10H4zM9 3h3v10H9z" /></svg>`,
  step: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2.5v11L10 8zM11 3h2.5v10H11z" /></svg>`,
  again: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.5a5.5 5.5 0 1 0 5.4 6.6h-1.9A3.7 3.7 0 1 1 8 4.3c1 0 1.9.4 2.6 1L8.5 7.5H14V2l-2.1 2.1A5.5 5.5 0 0 0 8 2.5z" /></svg>`,
  stop: html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 3.5h9v9h-9z" /></svg>`,
};

/** Play, pause, step, stop, the speed and the axis of one run. */
class Controls extends Panel {
  static override properties = { run: {}, phase: {}, speed: {}, scale: {}, progress: {} };

  declare run: "figure" | "table";
  declare phase: Phase;
  declare speed: View["speed"];
  declare scale: "log" | "linear";
  declare progress: string;

  constructor() {
    super();
    this.run = "figure";
    this.phase = "idle";
    this.speed = "normal";
    this.scale = "log";
    this.progress = "";
  }

  protected override render(): TemplateResult {
    const going = this.phase === "running" || this.phase === "starting";
    const over = this.phase === "done" || this.phase === "stopped" || this.phase === "failed";
    const toggle = going ? "pause" : over || this.phase === "idle" ? "again" : "play";
    return html`<div class="controls" role="group" aria-label=${strings.label} data-phase=${this.phase}>
      <button class="main" @click=${() => this.command(toggle)}>${icons[toggle]}<span>${strings[toggle]}</span></button>
      <button ?disabled=${over || this.phase === "idle"} @click=${() => this.command("step")}>${icons.step}<span>${strings.step}</span></button>
      ${this.run === "table" ? html`<button ?disabled=${over || this.phase === "idle"} @click=${() => this.command("stop")}>${icons.stop}<span>${strings.stop}</span></button>` : nothing}
      <label class="pick">
        <span>${strings.speed}</span>
        <select @change=${(e: Event) => this.tell("ifm-view", { speed: (e.target as HTMLSelectElement).value as View["speed"] })}>
          ${(["slow", "normal", "instant"] as const).map((speed) => html`<option value=${speed} .selected=${speed === this.speed}>${strings.speeds[speed]}</option>`)}
        </select>
      </label>
      <label class="pick">
        <span>${strings.scale}</span>
        <select @change=${(e: Event) => this.tell("ifm-view", { scale: (e.target as HTMLSelectElement).value as View["scale"] })}>
          ${(["log", "linear"] as const).map((scale) => html`<option value=${scale} .selected=${scale === this.scale}>${strings.scales[scale]}</option>`)}
        </select>
      </label>
      <span class="progress num">${this.progress}</span>
    </div>`;
  }

  private command(command: "play" | "pause" | "step" | "again" | "stop"): void {
    this.tell("ifm-run", { run: this.run, command });
  }
}

customElements.define("ifm-controls", Controls);
