import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { after } from "../../engine/pending.js";
import type { Contest, EngineError } from "../../engine/protocol.js";
import { form, type Input, type Value } from "../../panel/form.js";
import { seen } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import type { Field } from "../../state/spec.js";
import { isFrame } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import { Asking, formulary, type Content } from "../chapter/chapter.js";
import { formulas } from "../chapter/formulas.gen.js";
import { labels } from "../chapter/strings.js";
import { Asked } from "./asked.js";
import { Draws } from "./draws.js";
import "./editor.js";
import type { Painted } from "./editor.js";
import { fields, type Break } from "./fields.gen.js";
import { levels, reached, starts, type Level } from "./levels.js";
import { fitted } from "./map.js";
import { read, write, type Pairs } from "./pairs.js";
import "./stems.js";
import { board, breaking as strings, goals, score as scores } from "./strings.js";

const REST = 700; // ms without a change before the score is read out
const MODELS = ["fm", "ifm"] as const;

/** A matrix that the reader paints, and what FM and iFM make of it. */
class BreakIt extends Asking<Break> {
  protected readonly name = "break";
  protected readonly words = strings;

  @state() private accessor draft: Pairs | null = null; // while it is painted
  @state() private accessor near = false; // it has been seen
  @state() private accessor told = ""; // read out

  private readonly asked = new Asked(() => this.pool, () => this.fresh());
  private readonly reachedBefore = new Set<Level>();
  private made: Draws | undefined;
  private given = 0; // matrices drawn at random so far
  private resting: (() => void) | undefined;

  protected override get work(): Draws {
    this.made ??= new Draws(this.pool, this.invalidate);
    return this.made;
  }

  protected override get progress(): { readonly over: number; readonly of: number } {
    return { over: this.work.scores.length, of: this.work.of };
  }

  protected override get troubles(): readonly EngineError[] {
    return this.work.errors;
  }

  protected override declared(): readonly Field[] {
    return fields;
  }

  protected override choices(): TemplateResult {
    const inputs = fields.flatMap(({ key, kind, min, max }): Input[] => (kind === "int" ? [{ key, kind, min, max }] : []));
    const { draws, seed } = this.values;
    return html`<div class="settings">${form(inputs, { draws, seed }, { ...labels, keys: { ...labels.keys, draws: strings.draws } }, (key: string, value: Value) => this.change(key, value), this.localName)}</div>`;
  }

  /** What is painted is no setting of the run. */
  protected override get stale(): boolean {
    return this.ran !== null && this.query({ ...this.ran, m: this.values.m }) !== this.query();
  }

  protected override async begin(values: Break): Promise<void> {
    Object.assign(this, { asking: false, ran: values });
    await this.work.start(values.seed, values.draws);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("own") && read(this.values.m) === null) {
      const found = this.values.m;
      this.values = { ...this.values, m: fields[0]?.default ?? "" };
      this.tell("ifm-part", { chapter: this.name, query: this.query(), notices: [{ key: "m", found, message: strings.bad(found) }] });
    }
    if (changed.has("own")) this.draft = null; // Undo, or another link
    if (this.near) void this.asked.ask(this.pairs);
  }

  protected override firstUpdated(): void {
    void seen(this, "20% 0px").then(() => (this.near = true));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resting?.();
  }

  /** M as it is shown. */
  private get pairs(): Pairs {
    return this.draft ?? read(this.values.m) ?? [];
  }

  private readonly paint = ({ detail }: CustomEvent<Painted>): void => {
    if (detail.rests) this.accept(detail.pairs);
    else this.draft = detail.pairs;
  };

  /** Makes a matrix the chapter's setting. */
  private accept(pairs: Pairs): void {
    this.draft = null;
    if (write(pairs) === write(this.pairs)) return this.requestUpdate();
    this.change("m", write(pairs));
  }

  /** A contest has come in: it is read out once nothing has changed for a while. */
  private fresh(): void {
    this.requestUpdate();
    const { contest } = this.asked;
    if (!contest) return;
    if (this.draft === null) for (const level of levels) if (reached(level, contest)) this.reachedBefore.add(level);
    this.resting?.();
    this.resting = after(REST, () => {
      this.resting = undefined;
      const { score, fm, ifm } = this.asked.contest ?? contest;
      this.told = scores.told(score, fm.share, ifm.share);
    });
  }

  private async random(): Promise<void> {
    const pairs = await this.asked.drawn(this.values.seed, this.given++);
    if (pairs) this.accept(pairs);
  }

  protected content(): Content {
    const { draws } = this.values;
    const ran = this.ran ?? this.values;
    return {
      text: formulary(formulas.population, formulas.score),
      cost: strings.cost(draws),
      body: this.body(),
      answer: this.answer(),
      says: this.says(),
      live: strings.live(ran.draws, ran.seed),
      more: nothing,
    };
  }

  private answer(): string | null {
    const { phase, tally, of } = this.work;
    if (phase !== "done" || of === 0) return null;
    return tally.ifm > of / 2 ? "ifm" : tally.fm > of / 2 ? "fm" : "alike";
  }

  private says(): Phrase {
    const { phase, tally, scores: all } = this.work;
    if (phase !== "done") return [];
    const mine = this.asked.contest;
    return [...strings.tally(tally), ...(mine ? strings.yours(mine.score, all.filter((score) => score < mine.score).length, all.length) : [])];
  }

  private body(): TemplateResult {
    const { contest, error } = this.asked;
    return html`<section class="painted" aria-labelledby="break-board">
      <h4 id="break-board" aria-level=${isFrame(this.view) ? 2 : nothing}>${board.title}</h4>
      ${error ? html`<div class="error" role="alert"><p>${problem(error)}</p></div>` : nothing}
      <div class="boards">
        <div class="board">
          <p class="title"><b>${board.heading}</b></p>
          <ifm-editor .pairs=${this.pairs} @paint=${this.paint}></ifm-editor>
          <div class="row">
            <button class="reset" @click=${() => this.accept(read(fields[0]?.default ?? "") ?? [])}>${strings.reset}</button>
            <button class="random" @click=${() => void this.random()}>${strings.random}</button>
          </div>
        </div>
        ${MODELS.map((key) => this.fit(key, contest))} ${this.score(contest)}
        <div class="board"><ifm-stems .contest=${contest} @paint=${this.paint}></ifm-stems></div>
      </div>
      ${this.levels(contest)}
    </section>`;
  }

  private fit(key: (typeof MODELS)[number], contest: Contest | null): TemplateResult {
    const fit = contest?.[key];
    return html`<div class="board ${key}">
      <p class="title"><b>${board.names[key]}</b> <span class="num" data-share=${fit?.share ?? ""}>${fit ? scores.leaves(fit.share) : scores.waiting}</span></p>
      <p class="bar" aria-hidden="true"><span style="inline-size:${100 * Math.min(1, fit?.share ?? 0)}%"></span></p>
      ${fitted(board.names[key], key, fit ? [...fit.pairs] : null, [...(fit?.hidden ?? [])])}
      <p class="note limit">${fit && fit.hidden.length > 0 ? scores.hidden([...fit.hidden]) : scores.bounded}</p>
    </div>`;
  }

  private score(contest: Contest | null): TemplateResult {
    const empty = contest?.pairs.every((v) => v === 0) ?? false;
    return html`<div class="board score">
      <p class="title"><b>${scores.heading}</b></p>
      <p class="large num" data-score=${contest?.score ?? ""}>${contest ? scores.value(contest.score) : "–"}</p>
      <p class="note">${empty ? scores.nothing : scores.about}</p>
      <p class="seen-not" role="status">${this.told}</p>
    </div>`;
  }

  private levels(contest: Contest | null): TemplateResult {
    return html`<h4 id="break-levels" aria-level=${isFrame(this.view) ? 2 : nothing}>${goals.heading}</h4>
      <ol class="levels" aria-labelledby="break-levels">
        ${levels.map((level) => {
          const now = contest !== null && reached(level, contest);
          const before = this.reachedBefore.has(level);
          return html`<li data-level=${level} data-reached=${now ? "now" : before ? "before" : "no"}>
            <p class="title"><b>${goals.titles[level]}</b> <span class="state">${now ? goals.done : before ? goals.before : goals.open}</span></p>
            <p>${goals.texts[level]}</p>
            <p class="note why">${before ? goals.because[level] : goals.hints[level]}</p>
            <button class="begin" @click=${() => this.accept(starts[level])} aria-label="${goals.start}: ${goals.titles[level]}">${goals.start}</button>
          </li>`;
        })}
      </ol>`;
  }
}

customElements.define("ifm-break", BreakIt);
