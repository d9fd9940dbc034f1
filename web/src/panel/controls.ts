import { html, type TemplateResult } from "lit";
import type { View } from "../state/view.js";
import type { Command, Phase } from "../training/training.js";
import { icon } from "./icons.js";
import { check, pick, segments } from "./inputs.js";
import { tell } from "./panel.js";
import { controls as strings } from "./strings.js";

interface State extends Pick<View, "speed" | "ghost"> {
  readonly phase: Phase;
  readonly scale: "log" | "linear";
  readonly progress: string;
}

/** Play, pause, step or stop, the speed, the axis and the ghost of the table's run. */
export function controlBar(from: EventTarget, { phase, speed, scale, ghost, progress }: State): TemplateResult {
  const going = phase === "running" || phase === "starting";
  const none = !going && phase !== "paused";
  const toggle = going ? "pause" : none ? "again" : "play";
  const command = (command: Command): void => tell(from, "ifm-run", { run: "table", command });
  return html`<ifm-controls>
    <div class="controls" role="group" aria-label=${strings.label} data-phase=${phase}>
      <div class="acts">
        <button class="main" ?data-plays=${toggle !== "again"} @click=${() => command(toggle)}>${icon(toggle)}<span>${strings[toggle]}</span></button>
        <button ?disabled=${none} @click=${() => command("step")}>${icon("step")}<span>${strings.step}</span></button>
        <button ?disabled=${none} @click=${() => command("stop")}>${icon("stop")}<span>${strings.stop}</span></button>
      </div>
      <div class="shows">
        ${pick(strings.speed, ["slow", "normal", "instant"], speed, (speed) => strings.speeds[speed], (speed) => tell(from, "ifm-view", { speed }))}
        ${segments("scale-table", strings.scale, strings.scales, scale, (option) => tell(from, "ifm-view", { scale: option }), { isShown: true })}
        ${check(strings.ghost, ghost === "1", (shown) => tell(from, "ifm-view", { ghost: shown ? "1" : "0" }), "", strings.ghostHelp)}
      </div>
      <span class="progress num">${progress}</span>
    </div>
  </ifm-controls>`;
}
