import { html, type TemplateResult } from "lit";
import type { View } from "../state/view.js";
import type { Command, Phase, Run } from "../training/training.js";
import { check, pick, segments } from "./inputs.js";
import { tell } from "./panel.js";
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

interface State extends Pick<View, "speed" | "ghost"> {
  readonly phase: Phase;
  readonly scale: "log" | "linear";
  readonly seed?: number;
  readonly progress: string;
  readonly aside?: string; // what there is to know about it
}

/** Play, pause, step, restart or stop, another seed, the speed, the axis and the ghost of one run. */
export function controlBar(from: EventTarget, run: Run, { phase, speed, scale, ghost, seed = 0, progress, aside = "" }: State): TemplateResult {
  const going = phase === "running" || phase === "starting";
  const none = phase === "done" || phase === "stopped" || phase === "failed" || phase === "idle";
  const figure = run === "figure";
  const toggle = going ? "pause" : none && !figure ? "again" : "play";
  const command = (command: Command): void => tell(from, "ifm-run", { run, command });
  return html`<ifm-controls>
    <div class="controls" role="group" aria-label=${strings.label} data-phase=${phase}>
      <div class="acts">
        <button class="main" ?data-plays=${toggle !== "again"} @click=${() => command(toggle === "play" && none ? "again" : toggle)}>${icons[toggle]}<span>${strings[toggle]}</span></button>
        <button ?disabled=${none} @click=${() => command("step")}>${icons.step}<span>${strings.step}</span></button>
        ${figure
          ? html`<button class="restart" title=${strings.restartHelp} ?disabled=${phase === "idle"} @click=${() => command("again")}>${icons.again}<span>${strings.restart}</span></button>
              <button class="seed" title=${strings.seedHelp} @click=${() => tell(from, "ifm-spec", { seed: another(seed) })}>${icons.seed}<span>${strings.seed}</span></button>`
          : html`<button ?disabled=${none} @click=${() => command("stop")}>${icons.stop}<span>${strings.stop}</span></button>`}
      </div>
      <div class="shows">
        ${pick(strings.speed, ["slow", "normal", "instant"], speed, (speed) => strings.speeds[speed], (speed) => tell(from, "ifm-view", { speed }))}
        ${segments(`scale-${run}`, strings.scale, strings.scales, scale, (option) => tell(from, "ifm-view", { scale: option }), { isShown: true })}
        ${check(strings.ghost, ghost === "1", (shown) => tell(from, "ifm-view", { ghost: shown ? "1" : "0" }), "", strings.ghostHelp)}
      </div>
      <span class="progress num"><span>${progress}</span> <span>${aside}</span></span>
    </div>
  </ifm-controls>`;
}

function another(seed: number): number {
  const drawn = 1 + Math.floor(Math.random() * (SEEDS - 1));
  return drawn < seed ? drawn : drawn + 1;
}
