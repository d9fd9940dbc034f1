import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { lineChart, type Drawing, type Line as Drawn } from "../charts/lines.js";
import { legend, looks } from "../charts/looks.js";
import { multiples, roundUp } from "../charts/ticks.js";
import { EngineFailure } from "../engine/engine.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import { heads, Panel, prop, scrolling, table } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { csv } from "../save/csv.js";
import { offer } from "../save/offer.js";
import { Turns } from "../save/turns.js";
import { titles } from "../state/chapters.gen.js";
import type { Chapter, Parts } from "../state/view.js";
import { number } from "../text/format.js";
import { duration, short } from "../text/strings.js";
import { guessIn, readAssignment, type Chapters } from "./assignment.js";
import { chaptersOf, columnsOf, suspect, type Graded, type Line } from "./compare.js";
import { Marker, type Marked } from "./marker.js";
import { marking as strings } from "./strings.js";
import { readSubmissions } from "./submissions.js";

const REDRAW = 200; // ms

/** A lecturer's last part: hand-ins are dropped, run anew, overlaid and graded. */
class Mark extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor skies!: Pool; // for the ionosphere
  @prop accessor chapters!: Chapters;
  @prop accessor parts!: Parts;
  @prop accessor handed: readonly File[] = []; // dropped elsewhere on the page
  @state() private accessor phase: "idle" | "reading" | "running" | "done" = "idle";
  @state() private accessor marked: Marked | null = null;
  @state() private accessor says = "";

  private marker: Marker | null = null;
  private reading: AbortController | null = null;
  private drawn = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("handed") && this.handed.length > 0) void during(this.take(this.handed));
  }

  protected override render(): TemplateResult {
    const { marked, phase } = this;
    return html`<div class="marking">
      <p class="about">${strings.lead}</p>
      <p class="note">${strings.forged}</p>
      <p class="note">${readAssignment(this.parts.homework ?? "") ? strings.own : strings.ownless}</p>
      <div class="drops well" @drop=${this.drop}>
        <label class="button"><input type="file" class="seen-not" data-file="hand-ins" multiple accept=".json,.zip,.txt,.csv,.html" @change=${this.pick} /> <span>${strings.choose}</span></label>
        <span>${strings.drop}</span>
      </div>
      <div class="acts going">
        <p role="status">${phase === "reading" ? strings.reading : this.says}</p>
        ${phase === "running" ? this.progress() : nothing}
        ${phase === "running" || phase === "reading" ? html`<button class="stop" @click=${() => this.stop()}>${strings.stop}</button>` : nothing}
      </div>
      ${marked && marked.lines.length > 0 ? this.results(marked) : nothing}
    </div>`;
  }

  private progress(): TemplateResult {
    const { done = 0, total = 0, left = Number.NaN } = this.marker ?? {};
    return html`<label><progress max=${total} .value=${done}></progress> <span class="num">${strings.progress(done, total, Number.isNaN(left) ? "" : duration(left))}</span></label>`;
  }

  private readonly pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length > 0) void during(this.take(files));
  };

  private readonly drop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void during(this.take(files));
  };

  private stop(): void {
    this.reading?.abort();
    this.marker?.stop();
  }

  private async take(files: readonly File[]): Promise<void> {
    this.stop();
    const reading = new AbortController();
    const current = (): boolean => this.reading === reading;
    Object.assign(this, { reading, phase: "reading", marked: null, says: "", marker: null });
    try {
      const submissions = await readSubmissions(files, new Turns(reading.signal, () => undefined));
      if (!current()) return;
      const marker = new Marker(this.pool, this.skies, this.chapters, this.redraw);
      Object.assign(this, { marker, phase: "running" });
      const marked = await marker.mark(submissions, readAssignment(this.parts.homework ?? ""));
      if (!current()) return;
      const look = marked.lines.filter(suspect).length;
      Object.assign(this, { marked, says: marked.lines.length === 0 ? strings.none : strings.done(marked.lines.length, marked.lines.length - look, look) });
    } catch (reason) {
      if (!current() || reading.signal.aborted) return;
      if (!(reason instanceof EngineFailure)) throw reason;
      this.says = strings.failed(problem(reason.detail));
    } finally {
      if (current()) this.phase = "done";
    }
  }

  private readonly redraw = (): void => {
    if (performance.now() - this.drawn < REDRAW) return;
    this.drawn = performance.now();
    this.requestUpdate();
  };

  private results(marked: Marked): TemplateResult {
    const { lines, assignment } = marked;
    const list = chaptersOf(lines, assignment?.chapters ?? []);
    return html`<div class="acts"><button class="main grades" @click=${() => void during(this.save(marked))}>${strings.save}</button></div>
      ${scrolling(
        strings.grades,
        html`<table class="lines">
          <caption>${strings.grades}</caption>
          ${heads([strings.heads.student, ...list.map((chapter) => titles[chapter]), strings.heads.remarks, strings.heads.file])}
          <tbody>${lines.map((line) => this.line(line, list))}</tbody>
        </table>`,
      )}
      ${list.map((chapter) => html`<ifm-class .chapter=${chapter} .options=${this.chapters[chapter].words.guesses} .lines=${lines}></ifm-class>`)}`;
  }

  private line(line: Line, list: readonly Chapter[]): TemplateResult {
    const look = suspect(line);
    return html`<tr data-look=${look} data-file=${line.file}>
      <th scope="row">${look ? html`<span class="flag" title=${strings.look}>⚑<span class="seen-not"> ${strings.look}</span></span> ` : nothing}${line.student || "–"}</th>
      ${list.map((chapter) => html`<td>${this.graded(line.parts.find((part) => part.chapter === chapter), line.handIn !== null)}</td>`)}
      <td class="remarks">${line.remarks.join("; ")}</td>
      <td class="from">${line.file}</td>
    </tr>`;
  }

  private graded(part: Graded | undefined, read: boolean): TemplateResult | string {
    if (!part) return read ? strings.outcome.missing : "–";
    const { chapter, guess, then, right, outcome, why, words } = part;
    const said = (key: string): string => (key === "" ? "" : guessIn(this.chapters[chapter], key));
    return html`<span data-outcome=${outcome} data-right=${right}>${strings.outcome[outcome]}</span> <span>${strings.chapter(said(guess), said(then), strings.right[right])}</span>
      ${why === "" ? nothing : html`<p class="reason">${why}</p>`} ${words === "" ? nothing : html`<p class="written">${words}</p>`}`;
  }

  private async save({ lines, assignment }: Marked): Promise<void> {
    offer(strings.name, await csv(columnsOf(lines, assignment?.chapters ?? []), new Turns(new AbortController().signal, () => undefined)));
  }
}

customElements.define("ifm-mark", Mark);

const MODELS = ["fm", "gfm", "ifm"] as const;
const DECADES = 12; // drawn at most

/** A class in one picture: what it guessed of a chapter, and the curves that its runs have. */
class Class extends Panel {
  @property() accessor chapter!: Chapter;
  @prop accessor options!: Readonly<Record<string, string>>;
  @prop accessor lines!: readonly Line[];

  protected override render(): TemplateResult {
    const parts = this.lines.flatMap((line) => line.parts.filter((part) => part.chapter === this.chapter));
    const drawing = this.drawing();
    const models = MODELS.filter((model) => parts.some(({ curves }) => curves[model]));
    return html`${this.guesses(parts)}
      ${drawing
        ? html`<div class="overlay" data-chapter=${this.chapter}>
            ${legend(models.map((model) => ({ ...looks[model], symbol: "", name: short[model] })))}
            ${lineChart({ heading: strings.curves(this.chapter), drawing, waiting: strings.waiting })}
            <p class="note">${strings.about}</p>
          </div>`
        : nothing}`;
  }

  /** Who guessed each answer first and last, and whom the replays prove right. */
  private guesses(parts: readonly Graded[]): TemplateResult {
    const options = Object.entries(this.options);
    const known = new Set(options.map(([key]) => key));
    const rows = [...options, ["", strings.without] as const];
    const of = (key: string, get: (part: Graded) => string): number => parts.filter((part) => (known.has(get(part)) ? get(part) : "") === key).length;
    const row = ([key, text]: readonly [string, string]): TemplateResult => {
      const first = of(key, ({ guess }) => guess);
      const last = of(key, ({ guess, then }) => then || guess);
      const right = parts.filter((part) => part.right === "right" && (part.then || part.guess) === key).length;
      return html`<tr data-guess=${key}>
        <th scope="row">${text}</th>
        <td data-value=${first} style="--share:${parts.length > 0 ? ((100 * first) / parts.length).toFixed(1) : 0}%">${strings.share(first, parts.length)}</td>
        <td data-value=${last}>${strings.share(last, parts.length)}</td>
        <td>${key === "" ? "" : right}</td>
      </tr>`;
    };
    return table(strings.guesses(this.chapter), strings.guessHeads, rows.map(row), { kind: "guessed" });
  }

  private drawing(): Drawing | null {
    const lines = this.lines.flatMap((line): Drawn[] =>
      MODELS.flatMap((model) => {
        const y = line.parts.find((part) => part.chapter === this.chapter)?.curves[model];
        const flag = suspect(line) ? `${strings.flag} ` : "";
        return y ? [{ ...looks[model], symbol: "" as const, name: `${flag}${line.student || line.file}, ${short[model]}`, x: y.map((_, at) => at), y }] : [];
      }),
    );
    const every = lines.flatMap(({ y }) => y).filter((value) => value > 0 && Number.isFinite(value));
    if (every.length === 0) return null;
    const high = Math.max(0, Math.ceil(Math.log10(every.reduce((most, value) => Math.max(most, value), 0))));
    const low = Math.max(Math.min(high - 1, Math.floor(Math.log10(every.reduce((least, value) => Math.min(least, value), 1)))), high - DECADES);
    const end = Math.max(...lines.map(({ y }) => y.length - 1), 1);
    return {
      lines,
      x: { domain: [0, end], ticks: multiples(roundUp(end / 5), 0, end), label: strings.x, format: String },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)), label: strings.y, format: (value) => number(value, 1) },
      at: strings.at,
    };
  }
}

customElements.define("ifm-class", Class);
