// The work of the chapter: the windows of a survey of the ionosphere. What engines
// hold for the reader's settings, and for a run, is opened and let go of here.
import { answerOf } from "../../engine/calls.js";
import { EngineFailure, unusable } from "../../engine/engine.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError, Survey } from "../../engine/protocol.js";
import type { Run, Work } from "../chapter/definition.js";
import { encode, type Ionosphere } from "./settings.js";
import { fileNeeded } from "./strings.js";
import { Surveyed } from "./surveyed.js";
import { tabulate, type Tally } from "./tally.js";
import { isError, Windows } from "./windows.js";

/** What has come of the last run that has given anything. */
export interface Outcome {
  readonly surveyed: Surveyed;
  readonly survey: Survey;
  readonly tally: Tally;
  readonly over: number; // calls of that run
  readonly of: number;
}

export class SkyWork extends Windows implements Work<Ionosphere, Outcome> {
  starting = false;
  present: Surveyed | null = null; // under the reader's settings; null where these ask for a file that is not open
  opened: OpenedSky | null = null; // the reader's file
  wantsFile = false; // a file is open or was asked for, now or before
  readonly taken = new WeakSet<File>(); // files dropped on the page that were read or refused

  private opening = new AbortController(); // of the run that is being prepared
  private settings: Ionosphere | null = null; // of the run that was started last
  private outcome: Outcome | null = null; // null: to be summed up anew
  private readonly surveys = new Set<Surveyed>(); // that engines may hold
  private readonly files = new Set<OpenedSky>(); // the same

  constructor(
    readonly pool: Pool,
    notify: () => void,
  ) {
    super(() => {
      this.outcome = null;
      notify();
    });
  }

  get run(): Run<Ionosphere, Outcome> | null {
    const { phase, results, over, of, working, settings } = this;
    if (phase === "idle" || !settings) return null;
    const isCurrent = results !== null && (working === null || working === results.surveyed); // else the run that is on has given nothing yet
    if (results) this.outcome ??= { ...results, tally: tabulate(results), over: isCurrent ? over : 0, of: isCurrent ? of : 0 };
    const { outcome } = this;
    return { settings: outcome?.surveyed.settings ?? settings, plan: outcome, tracks: [], phase, whole: phase !== "stopped" };
  }

  get errors(): readonly EngineError[] {
    return this.results ? [...this.results.windows, ...this.results.fixes].filter((result) => result !== null && isError(result)) : [];
  }

  get waits(): boolean {
    return this.present === null;
  }

  differs(): boolean {
    const { surveyed } = this.results ?? {};
    return surveyed !== undefined && surveyed.settings.sky !== "simulated" && surveyed.opened !== this.opened;
  }

  /** An engine opens a reader's file at once, to see whether it suits the settings. */
  show(settings: Ionosphere): void {
    const opened = settings.sky === "simulated" ? null : this.opened;
    this.wantsFile ||= settings.sky !== "simulated" || this.opened !== null;
    if (!this.fits(settings)) this.present = null;
    else if (this.present?.query !== encode(settings) || this.present.opened !== opened) {
      const present = (this.present = this.survey(settings));
      if (opened) void answerOf(present.open()).then(({ error }) => {
        present.error = error;
        this.notify();
      });
    }
    this.tidy();
  }

  /** Takes a file of the reader's in place of the one before; null puts that away. */
  use(opened: OpenedSky | null): void {
    if (opened) this.files.add(opened);
    this.opened = opened;
  }

  async start(settings: Ionosphere): Promise<boolean> {
    if (!this.fits(settings)) throw new EngineFailure(unusable(fileNeeded));
    const surveyed = this.present?.query === encode(settings) ? this.present : (this.present = this.survey(settings));
    const opening = (this.opening = new AbortController());
    this.starting = true;
    const survey = await surveyed.open().finally(() => (this.starting = false));
    if (opening.signal.aborted || surveyed !== this.present) { // stopped, or other settings have come
      this.notify();
      return false;
    }
    this.settings = settings;
    await this.runAll(surveyed, survey);
    return true;
  }

  override stop(): void {
    this.opening.abort();
    super.stop();
  }

  jobs(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  close(): void {
    this.stop();
    Object.assign(this, { present: null, opened: null });
    this.tidy();
  }

  /** Whether the settings are about the simulator or the file that is open. */
  private fits({ sky }: Ionosphere): boolean {
    return sky === "simulated" || this.opened?.sky.kind === (sky === "points" ? "points" : "maps");
  }

  private survey(settings: Ionosphere): Surveyed {
    const surveyed = new Surveyed(this.pool, settings, settings.sky === "simulated" ? null : this.opened);
    this.surveys.add(surveyed);
    return surveyed;
  }

  /** Lets go of what is not shown, asked or worked on. */
  private tidy(): void {
    for (const surveyed of this.surveys) {
      if (surveyed === this.present || surveyed === this.working) continue;
      surveyed.close();
      this.surveys.delete(surveyed);
    }
    for (const file of this.files) {
      if (file === this.opened || [...this.surveys].some(({ opened }) => opened === file)) continue;
      this.pool.close(file);
      this.files.delete(file);
    }
  }
}
