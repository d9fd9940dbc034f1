// Opens what the reader brings or asks for: one table at a time, and a saved
// model beside it.
import { absent, EngineFailure } from "../engine/engine.js";
import type { Progress, Second } from "../engine/messages.js";
import { during } from "../engine/pending.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError } from "../engine/protocol.js";
import type { Chosen } from "../panel/choice.js";
import { problem } from "../panel/problem.js";
import { partLost } from "../engine/strings.js";
import { files } from "../panel/strings.js";
import { reading, tableDefaults, tableQuery } from "../state/groups.js";
import { encode, form, parse, type Spec } from "../state/spec.js";
import { drawnSamples, type DrawnSample, type Sample, type View } from "../state/view.js";
import { guessOf, rolesAgain, rolesFor, unknownNames, unnamed } from "./guess.js";
import { awaited, empty, type Loaded } from "./loaded.js";
import { drawnFile, sampleFile, sampleTargets } from "./samples.js";
import { opening as strings } from "./strings.js";

export interface Wanted {
  readonly file?: File | undefined; // the sample's own where there is none
  readonly sample: View["sample"];
  readonly note?: string;
  readonly again?: boolean; // settings or a link ask for it, and not the reader
  readonly train?: boolean; // again, and it is trained all the same
  readonly changed?: boolean; // the reader has just changed the settings
  readonly second?: Second | null; // to be joined with it, null: none; else the one joined before
  readonly which?: Chosen; // of the tables in it; else the one chosen before
}

export interface Arrived {
  readonly spec: Spec; // the settings of the page with it
  readonly same: boolean; // these settings were about it already
  readonly kept: boolean; // its runs are still worth seeing
}

export class Loader {
  loaded: Loaded = empty;
  opened: Opened | null = null;
  guarded = false; // the reader has brought a file

  private readonly files: File[] = []; // the reader's, of this visit
  private readonly chosen = new Map<string, Chosen>(); // of the tables in files, by their names
  private readonly seconds = new Map<File, Second>(); // joined with files
  private drawnFrom = Number.NaN; // the seed of a drawn table
  private reading: AbortController | null = null;
  private wishes = 0; // tables asked for: an older sample is dropped
  private plans = 0; // questions for a plan: only the last answer counts

  /** failed is called when a file cannot be used: it may have been dropped far from the table's section. */
  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
    private readonly failed: () => void,
  ) {}

  /** Of the open table among the reader's files, -1 where it is none. */
  get place(): number {
    return this.files.findIndex((file) => file === this.opened?.file);
  }

  /** The reader's file of that place, unless it is open. */
  other(place = -1): File | undefined {
    const file = this.files[place];
    return file === this.opened?.file ? undefined : file;
  }

  /** Whether reading the open table as these settings say was cancelled or has failed. */
  misread(spec: Spec): boolean {
    if (!this.opened) return false;
    const read = parse(this.opened.query).spec;
    return reading.some((key) => form(read[key]) !== form(spec[key]));
  }

  outdated(sample: View["sample"], seed: number): sample is DrawnSample {
    return isDrawn(sample) && this.drawnFrom !== seed;
  }

  /** null if the rows did not come, which is reported, or another table was asked for. */
  private async sample(sample: Sample, seed: number): Promise<File | null> {
    const wish = ++this.wishes;
    if (isDrawn(sample)) this.drawnFrom = seed;
    try {
      const file = await (isDrawn(sample) ? drawnFile(this.pool, sample, seed) : sampleFile(sample));
      return wish === this.wishes ? file : null;
    } catch (reason) {
      const { detail } = failure(reason);
      const error = await this.pool.up().then(() => detail, (why: unknown) => (why instanceof EngineFailure ? why.detail : detail));
      if (wish === this.wishes) this.update({ reading: null, failed: { name: `${sample}.csv`, error } });
      return null;
    }
  }

  supersedeSamples(): void {
    this.guarded = true;
    this.wishes++;
  }

  /**
   * Opens a table in place of the one before, which stays if that fails. Settings on how to
   * read it count only if they belong to this file. null if nothing came, which is
   * reported, or if another table was asked for meanwhile.
   */
  async open({ file, sample, note = "", again = false, changed = false, which, ...wanted }: Wanted, page: { readonly tableSpec: Spec; readonly view: View }): Promise<Arrived | null> {
    const found = file ?? (sample === "none" ? null : await this.sample(sample, page.tableSpec.seed));
    if (!found) return null;
    const second = (wanted.second === undefined ? this.seconds.get(found) : wanted.second) ?? undefined;
    const same = again || (sample === "none" && awaited(page.tableSpec, page.view, this.loaded));
    const settings = (): Spec => ({ ...page.tableSpec, ...(same ? which : { ...tableDefaults(), ...(which ?? this.chosen.get(found.name)) }) });
    const opened = await this.read(found, settings(), note, !again, second);
    if (!opened) return null;
    if (second) this.seconds.set(found, second);
    else this.seconds.delete(found);
    const spec = settings(); // the reader may have changed some meanwhile
    if (spec.member || spec.sheet) this.chosen.set(found.name, { member: spec.member, sheet: spec.sheet });
    const kept = same && this.opened?.file.name === found.name && this.opened.second === second;
    const prefer = sample === "none" ? undefined : sampleTargets[sample];
    const before = changed ? this.loaded.table : null;
    const guessed = !same || spec.target === "" || (before !== null && this.loaded.guess?.target === spec.target);
    const asked = same ? { ...spec, target: guessed ? "" : spec.target } : { ...spec, ...unnamed };
    const { table } = opened;
    const roles = before ? rolesAgain(table, before, asked, prefer) : rolesFor(table, asked, prefer);
    const gone = !guessed && roles.target !== spec.target;
    const unknown = same && !before ? unknownNames(table, spec) : [];
    const said = gone ? strings.targetGone(spec.target, roles.target) : unknown.length > 0 ? strings.columnsGone(unknown) : note;
    if (this.opened) this.pool.close(this.opened);
    this.opened = opened;
    if (sample === "none" && !this.files.includes(found)) this.files.push(found);
    this.update({ reading: null, table, opened, failed: null, offered: null, note: said, guess: guessed || gone ? guessOf(table, roles.target, prefer) : null, plan: null, planError: null });
    return { spec: { ...spec, ...roles }, same, kept };
  }

  private async read(file: File, spec: Spec, note: string, loud: boolean, second?: Second): Promise<Opened | null> {
    const which = { member: spec.member, sheet: spec.sheet };
    const open = (tell: (progress: Progress) => void, signal: AbortSignal): Promise<Opened> => this.pool.open(file, encode({ ...spec, source: "table" }), tell, signal, second);
    return this.attempt(file, note, open, (opened) => this.pool.close(opened), (error) => {
      this.update({ failed: error.file === second?.file.name ? { name: error.file, error } : { name: file.name, error, file, which } });
      if (loud) this.failed();
    });
  }

  /** Resolves with whether the model is open; if not all stays as it was. */
  async openModel(file: File): Promise<boolean> {
    this.guarded = true;
    const read = async (tell: (progress: Progress) => void, signal: AbortSignal): Promise<Loaded["model"]> => {
      const { readModel } = await during(import("../model/opened.js")).catch(() => {
        throw new EngineFailure(absent(partLost));
      });
      return during(readModel(this.pool, file, (loaded) => tell({ loaded, total: file.size }), signal));
    };
    const model = await this.attempt(file, "", read, () => undefined, (error) => this.refuse(file.name, error, file));
    if (model) this.update({ model, reading: null });
    return model !== null;
  }

  /**
   * Reads a file, and tells how far it is. null if it could not be read, which refuse is
   * told, if that was cancelled, or if another file is read meanwhile.
   */
  private async attempt<T>(file: File, note: string, read: (tell: (progress: Progress) => void, signal: AbortSignal) => Promise<T>, drop: (read: T) => void, refuse: (error: EngineError) => void): Promise<T | null> {
    const { name, size } = file;
    this.cancel();
    const reading = new AbortController();
    const current = (): boolean => this.reading === reading;
    this.reading = reading;
    this.update({ reading: { name, loaded: 0, total: size }, failed: null, note });
    try {
      const result = await read((progress) => current() && this.update({ reading: { name, ...progress } }), reading.signal);
      if (current()) return result;
      drop(result);
    } catch (reason) {
      const { detail } = failure(reason);
      if (!current()) return null;
      const cancelled = detail.kind === "Cancelled";
      this.update({ reading: null, note: cancelled ? files.cancelled(name) : note });
      if (!cancelled) refuse(detail);
    }
    return null;
  }

  /** Leaves the open table for none. */
  close(): void {
    this.cancel();
    this.reading = null;
    this.plans++;
    if (this.opened) this.pool.close(this.opened);
    this.opened = null;
    this.loaded = { ...empty, model: this.loaded.model };
    this.changed();
  }

  cancel(): void {
    this.reading?.abort();
  }

  trainWhenRead(): void {
    this.update({ note: strings.trainedOnceRead });
  }

  confirm(): void {
    if (this.loaded.guess) this.update({ guess: null });
  }

  async plan(spec: Spec): Promise<void> {
    const asked = ++this.plans;
    if (!this.opened) return;
    let planError: EngineError | null = null;
    const plan = await this.pool.callOn(this.opened, "plan", { query: tableQuery(spec) }).catch((reason: unknown) => {
      const { detail } = failure(reason);
      planError = { ...detail, message: problem(detail) };
      return null;
    });
    if (asked !== this.plans) return;
    const { guess } = this.loaded;
    const sure = plan?.uses.some(({ column, role, sure }) => role === "target" && column === guess?.target && sure);
    this.update({ plan, planned: spec, planError, guess: guess && sure ? { ...guess, sure } : guess });
  }

  refuse(name: string, error: EngineError, file?: File): void {
    this.update({ failed: { name, error, ...(file && { file }) } });
    this.failed();
  }

  update(change: Partial<Loaded>): void {
    this.loaded = { ...this.loaded, ...change };
    this.changed();
  }
}

function failure(reason: unknown): EngineFailure {
  if (reason instanceof EngineFailure) return reason;
  throw reason;
}

function isDrawn(sample: View["sample"]): sample is DrawnSample {
  return drawnSamples.some((drawn) => drawn === sample);
}
