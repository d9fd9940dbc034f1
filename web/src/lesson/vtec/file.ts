import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import { turn } from "../../engine/pending.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError, Survey } from "../../engine/protocol.js";
import { chooser } from "../../panel/choice.js";
import { form, type Value } from "../../panel/form.js";
import { pick, segments } from "../../panel/inputs.js";
import { isGuest, Panel, touches } from "../../panel/panel.js";
import { facts, notices, places } from "../../panel/places.js";
import { problem } from "../../panel/problem.js";
import { files } from "../../panel/strings.js";
import { bytes } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { encode, fields, type Ionosphere } from "./settings.js";
import { vtecLabels as labels } from "./strings.js";

const words = {
  title: "Your own sky",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} an IONEX file (.i, .inx), a table of pierce points (time, sat, station, lat, lon, zenith, azimuth, tec), or line-of-sight TEC as Madrigal exports it (ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat, glon). Files may be packed by gzip. To see examples of the first two, save them under “Data of this map”.`,
  asks: { maps: "This link needs a file of IONEX maps. Choose it to repeat the run.", points: "This link needs a table of pierce points or line-of-sight TEC. Choose it to repeat the run." },
  dropTitle: (touch: boolean) => (touch ? "Choose a file" : "Drop a file here"),
  browse: "Choose a file",
  several: "More than one file was dropped; the first was taken.",
  unusable: "This file could not be used:",
  kept: (name: string) => `${name} is still in use.`,
  open: (name: string) => `${name} is still open. What it lacks is listed below.`,
  replaced: (before: string, now: string) => `${now} replaces ${before}.`,
  simulate: "Use the simulated sky",
  again: "Try again",
  found: { maps: (name: string, size: string) => `${name}: IONEX maps, ${size}`, points: (name: string, size: string) => `${name}: pierce points, ${size}`, sight: (name: string, size: string) => `${name}: line-of-sight TEC, ${size}` },
  bad: (n: number) => `${counted(n, "line")} could not be read and ${n === 1 ? "is" : "are"} left out`,
  use: "Data of the experiment",
  uses: { maps: "These maps", disturbed: "With disturbances", points: "These points", sight: "The change of this TEC", simulated: "Simulator" },
  place: "Position of the net under your maps:",
  middle: "as the file says, or in the middle",
  close: "Close the file",
};

/** A change of the reader's file or of its settings. */
export interface Change {
  readonly opened?: OpenedSky | null;
  readonly settings: Partial<Ionosphere>;
}

/** A reader's own sky: a file that stays in the browser, and its use. */
class SkyFile extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor settings!: Ionosphere;
  @property({ attribute: false }) accessor opened: OpenedSky | null = null;
  @property({ attribute: false }) accessor dropped: File | null = null; // elsewhere on the page
  @property({ attribute: false }) accessor survey: Survey | null = null; // under these settings
  @property({ attribute: false }) accessor trouble: EngineError | null = null; // why there is none
  @state() private accessor reading: { readonly name: string; readonly loaded: number; readonly total: number } | null = null;
  @state() private accessor failed: { readonly file: File; readonly error: EngineError } | null = null;
  @state() private accessor note = "";

  private stop: AbortController | null = null;

  protected override updated(changed: PropertyValues): void {
    if (changed.has("dropped") && this.dropped) void this.read(this.dropped);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  protected override render(): TemplateResult {
    const { opened, reading, settings: { sky } } = this;
    return html`<section class="own-sky" aria-labelledby="own-sky-title">
      <h3 id="own-sky-title" tabindex="-1">${words.title}</h3>
      <p class="about">${words.lead(touches())}</p>
      <div class="door small drops" @drop=${this.drop}>
        ${sky === "simulated" || opened ? nothing : html`<p class="asks">${words.asks[sky === "points" ? "points" : "maps"]} <button data-simulated @click=${() => void this.leave()}>${words.simulate}</button></p>`}
        ${reading
          ? html`<div class="reading">
              <label for="sky-reading">${files.reading(reading.name, reading.loaded, reading.total)}</label>
              <progress id="sky-reading" max=${Math.max(1, reading.total)} .value=${reading.loaded}></progress>
              <button @click=${() => this.stop?.abort()}>${files.cancel}</button>
            </div>`
          : html`<div class="drop">
              <p class="big">${words.dropTitle(touches())}</p>
              <p class="ways">${chooser(words.browse, "", (file) => void this.read(file), "sky", "primary")} <span class="private">${files.private}</span></p>
            </div>`}
        <p class="note" role="status">${this.note}</p>
      </div>
      ${this.failure()} ${opened ? this.found(opened) : nothing}
    </section>`;
  }

  private failure(): TemplateResult | typeof nothing {
    const { failed, opened, trouble } = this;
    if (!failed) return nothing;
    return html`<div class="error" role="alert" data-error="sky">
      <p class="what"><b>${words.unusable}</b> ${failed.file.name}</p>
      <p>${problem(failed.error)}</p>
      ${facts(failed.error)} ${opened ? html`<p>${(trouble ? words.open : words.kept)(opened.sky.name)}</p>` : nothing}
      <button data-again @click=${() => void this.read(failed.file)}>${words.again}</button>
    </div>`;
  }

  private found({ sky: { name, kind, facts: all, notices: own, bad, badCount }, file }: OpenedSky): TemplateResult {
    const { settings, survey, trouble } = this;
    const isOn = settings.sky !== "simulated";
    const isSight = all.some(([what]) => what === "arcs"); // line-of-sight TEC
    const uses = kind === "maps" ? (["maps", "disturbed", "simulated"] as const) : (["points", "simulated"] as const);
    const change = (key: string, value: unknown): void => this.change({ [key]: value });
    return html`<div class="found" data-sky=${name}>
      <h4 tabindex="-1">${words.found[isSight ? "sight" : kind](name, bytes(file.size))}</h4>
      <dl class="facts">${all.map(([what, found]) => html`<div><dt>${what}</dt><dd>${found}</dd></div>`)}</dl>
      ${notices([...own, ...(isOn ? (survey?.notices ?? []) : [])])} ${places(words.bad(badCount), bad, badCount)}
      ${segments("sky-use", words.use, Object.fromEntries(uses.map((use) => [use, words.uses[isSight && use === "points" ? "sight" : use]])), settings.sky, (sky) => this.change({ sky }))}
      ${trouble && isOn ? html`<div class="error" role="alert" data-error="survey"><p>${problem(trouble)}</p>${facts(trouble)}</div>` : nothing}
      ${kind === "points"
        ? html`${inputs(["unit", "mapping", "edge"], settings, change, "sky-reading")}
            ${pick(labels.keys["station"] ?? "", [...new Set(["", settings.station, ...(survey?.stations ?? [])])], settings.station, (station) => station || words.middle, (station) => change("station", station), "station")}`
        : isOn
          ? html`<p class="note">${words.place}</p>
              ${inputs(["latitude", "longitude"], settings, change, "sky-place")}`
          : nothing}
      <button data-close @click=${() => void this.leave(null)}>${words.close}</button>
    </div>`;
  }

  /** As if it had been chosen, which the page learns of too. */
  private readonly drop = ({ dataTransfer }: DragEvent): void => {
    const input = this.querySelector<HTMLInputElement>("input[data-file]");
    const files = dataTransfer?.files;
    if (!input || !files?.length) return;
    input.files = files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    this.note = files.length > 1 ? words.several : "";
  };

  /** Reads a file while what was read before stays. */
  private async read(file: File): Promise<void> {
    this.stop?.abort();
    const stop = (this.stop = new AbortController());
    const { settings } = this;
    const isCurrent = (): boolean => this.stop === stop;
    Object.assign(this, { reading: { name: file.name, loaded: 0, total: file.size }, failed: null });
    const { result: opened, error } = await answerOf(this.pool.openSky(file, encode(settings), (progress) => isCurrent() && (this.reading = { name: file.name, ...progress }), stop.signal));
    if (!isCurrent() || !this.isConnected) return opened ? this.pool.close(opened) : undefined;
    Object.assign(this, { reading: null, stop: null });
    if (error) {
      this.change({}); // it is not read again
      if (error.kind === "Cancelled") this.note = files.cancelled(file.name);
      else this.failed = { file, error };
      return this.lead("[data-error=sky]");
    }
    const before = this.opened?.sky.name;
    this.change({ sky: opened.sky.kind === "points" ? "points" : settings.sky === "disturbed" ? "disturbed" : "maps" }, opened);
    if (before !== undefined) this.note = words.replaced(before, opened.sky.name);
    await this.lead(".found h4");
  }

  /** Moves the view and the focus, where it may have one, to something that comes. */
  private async lead(selector: string): Promise<void> {
    await this.updateComplete;
    const element = this.querySelector<HTMLElement>(selector);
    element?.focus({ preventScroll: true });
    if (!isGuest()) element?.scrollIntoView({ block: "nearest" });
  }

  /** Takes the simulated sky, and puts the file away if opened is null. The focus stays in this section, as its button is gone. */
  private async leave(opened?: null): Promise<void> {
    this.failed = null;
    this.change({ sky: "simulated" }, opened);
    await turn(); // the chapter has drawn itself anew
    await this.lead("h3");
  }

  /** Tells the chapter. */
  private change(settings: Partial<Ionosphere>, opened?: OpenedSky | null): void {
    this.note = "";
    this.dispatchEvent(new CustomEvent<Change>("sky-change", { detail: { settings, ...(opened === undefined ? {} : { opened }) } }));
  }
}

/** Settings as inputs; scope names these among others. */
export function inputs(keys: readonly (keyof Ionosphere)[], settings: Ionosphere, change: (key: string, value: Value) => void, scope: string, kind = "settings"): TemplateResult {
  const declared = keys.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  return html`<div class=${kind}>${form(declared, Object.fromEntries(Object.entries(settings)), labels, change, scope)}</div>`;
}

customElements.define("ifm-skyfile", SkyFile);
