import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Column, Table } from "../engine/protocol.js";
import { options } from "../panel/inputs.js";
import { Panel, prop } from "../panel/panel.js";
import { writtenIn } from "./roles.js";
import { asks as strings } from "./strings.js";

/** Other targets: the engine's alternatives, then numbers that vary and columns of two values. */
export function others(table: Table, current: Column | undefined): string[] {
  const columns = writtenIn(table); // a part of a date is no target
  const guess = columns.find((column) => column.guess === "target");
  const possible = columns.filter(({ mean, min, max, distinct }) => (Number.isNaN(mean) ? distinct === 2 : min < max));
  const names = [...(guess ? [guess.name, ...guess.alternatives] : []), ...[...possible.filter(({ guess }) => guess !== "ignore"), ...possible].map(({ name }) => name)];
  return [...new Set(names)].filter((name) => name !== current?.name);
}

/** A choice with a button: passing over names with the arrow keys trains nothing. */
class Target extends Panel {
  @property() accessor label!: string;
  @prop accessor names!: readonly string[];
  @prop accessor take!: (column: string) => void;
  @state() private accessor chosen = ""; // "": none

  protected override render(): TemplateResult {
    const { label, names } = this;
    const chosen = names.includes(this.chosen) ? this.chosen : "";
    return html`<select class="instead" aria-label=${label} @change=${(e: Event) => (this.chosen = (e.target as HTMLSelectElement).value)}>${options(["", ...names], chosen, (name) => name || label)}</select>
      <button ?disabled=${chosen === ""} @click=${() => this.press(chosen)}>${strings.take}</button>`;
  }

  /** The button goes, so the focus returns to the choice. */
  private press(chosen: string): void {
    this.chosen = "";
    this.querySelector("select")?.focus({ preventScroll: true });
    this.take(chosen);
  }
}

customElements.define("ifm-target", Target);
