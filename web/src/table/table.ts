// The place of the reader's table: the door, and once a table is open the line about it over
// what came of it.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Pool } from "../engine/pool.js";
import type { Plan } from "../engine/protocol.js";
import { planFor, type Loaded } from "../file/loaded.js";
import { asks } from "../file/second.js";
import { second } from "../file/second-strings.js";
import { builtIn } from "../file/strings.js";
import type { Chosen } from "../panel/choice.js";
import { bequeath } from "../panel/heir.js";
import { Panel, prop, touches } from "../panel/panel.js";
import { TYPED } from "../panel/player.js";
import { tableQuery } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import type { View } from "../state/view.js";
import type { Training } from "../training/training.js";
import "./asks.js";
import { pastedFile, refused } from "./door.js";
import "./result.js";
import { targetOf, writtenIn } from "./roles.js";
import { door, file as strings } from "./strings.js";

class Data extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor loaded!: Loaded;
  @prop accessor training!: Training;
  @property({ type: Boolean }) accessor dark!: boolean;
  @property({ type: Boolean }) accessor stale!: boolean; // the settings have changed since the run
  @state() private accessor open: "door" | "target" | "" = ""; // what the line's buttons show

  private plan: Plan | null = null; // of the run, once there is one
  private isOpen = false; // a table is shown: at first once it is known what would be trained

  constructor() {
    super();
    bequeath(this, "#file");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("paste", this.paste);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("paste", this.paste);
  }

  /** What is pasted on the page, outside its inputs, is a file. */
  private readonly paste = ({ clipboardData, target }: ClipboardEvent): void => {
    if (!clipboardData || (target instanceof Element && target.closest(`${TYPED}, dialog`))) return;
    const file = clipboardData.files[0] ?? pastedFile(clipboardData.getData("text/plain"));
    if (file) this.tell("ifm-file", file);
  };

  protected override willUpdate(changed: PropertyValues<Data>): void {
    const before = changed.get("loaded");
    if (before && before.table !== this.loaded.table) Object.assign(this, { open: "", plan: null });
    if (!this.stale) this.plan = planFor(this.loaded, this.spec) ?? this.plan;
    const was = changed.get("spec");
    if (this.open === "target" && was && tableQuery(was) !== tableQuery(this.spec)) this.open = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { table, plan, planError } = this.loaded;
    const isPlanned = plan !== null || planError !== null || this.training.phase !== "idle";
    this.isOpen = table !== null && (this.isOpen || isPlanned);
    return this.isOpen ? this.opened() : this.empty();
  }

  private readonly choose = (change: Chosen): void => this.tell("ifm-choose", change);
  private readonly take = (file: File): void => this.tell("ifm-file", file);

  private doorway(small: boolean): TemplateResult {
    return html`<ifm-door .spec=${this.spec} .view=${this.view} .loaded=${this.loaded} ?small=${small}></ifm-door>`;
  }

  private get saved(): TemplateResult | typeof nothing {
    const { model } = this.loaded;
    return model ? html`<ifm-model id="model" .pool=${this.pool} .model=${model} ?dark=${this.dark}></ifm-model>` : nothing;
  }

  private empty(): TemplateResult {
    const { loaded, view } = this;
    if ((view.sample !== "none" || loaded.table) && !loaded.failed) return html`<p class="note coming" role="status">${door.coming(loaded.table?.name ?? (view.sample === "none" ? "" : builtIn.sample[view.sample]))}</p>`;
    return html`<div class="nothing-open">
      <h1>${door.title}</h1>
      <p class="lead">${door.lead(touches())}</p>
      ${refused(loaded, this.choose, this.take)}
      <p class="note" role="status">${loaded.note}</p>
      ${this.doorway(false)} ${this.saved}
    </div>`;
  }

  private opened(): TemplateResult | typeof nothing {
    const { loaded, spec, training, open, stale } = this;
    const { table } = loaded;
    if (!table) return nothing;
    const target = targetOf(table, spec, loaded)?.name ?? "";
    const turn = (what: "door" | "target") => () => (this.open = open === what ? "" : what);
    const joined = loaded.opened?.second;
    const isDoorOpen = open === "door" || loaded.failed !== null || loaded.reading !== null;
    return html`<div class="opened" data-table=${table.name}>
      <div class="about-file">
        <h1 id="file" tabindex="-1"><b>${table.name}</b>${strings.read(table.rows, writtenIn(table).length)}${target === "" ? nothing : html`${strings.predicting}<b>${target}</b>`}</h1>
        <button aria-expanded=${String(open === "target")} @click=${turn("target")}>${strings.target}</button>
        <button @click=${() => this.querySelector<HTMLElement & { show(tab: string): void }>("ifm-result")?.show("columns")}>${strings.columns}</button>
        <button class="bare" aria-expanded=${String(isDoorOpen)} @click=${turn("door")}>${strings.another}</button>
      </div>
      ${joined ? html`<p class="note" data-second=${joined.as}>${second.joined[joined.as](joined.file.name)} <button class="bare" aria-label=${second.removeOf(joined.file.name)} @click=${() => this.tell("ifm-second", "alone")}>${second.remove}</button></p>` : nothing}
      ${refused(loaded, this.choose, this.take)} ${asks(this, loaded)}
      <p class="note" role="status">${loaded.note}</p>
      ${isDoorOpen ? this.doorway(true) : nothing} ${this.saved}
      <ifm-asks .spec=${spec} .loaded=${loaded} ?changing=${open === "target"}></ifm-asks>
      <ifm-result id="result" tabindex="-1" data-player .pool=${this.pool} .spec=${spec} .view=${this.view} .training=${training} .table=${table} .loaded=${loaded} .plan=${this.plan} ?stale=${stale} ?dark=${this.dark}></ifm-result>
    </div>`;
  }
}

customElements.define("ifm-data", Data);
