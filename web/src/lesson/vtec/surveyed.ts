import { inPlace, type Lease } from "../../engine/calls.js";
import type { Engine } from "../../engine/engine.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError, Survey } from "../../engine/protocol.js";
import type { Scale } from "./scale.js";
import { encode, type Ionosphere, type Source } from "./settings.js";

interface OpenedSurvey {
  readonly life: number; // of the engine
  readonly survey: Promise<Survey>;
}

/** How tasks are done. */
interface Asking<Task, Answer> {
  readonly signal: AbortSignal; // ends all of it
  readonly ready?: () => Promise<void>; // resolves once the next task may be begun
  ask(engine: Engine, survey: number, task: Task): Promise<Answer>;
  take(task: Task, answer: Answer | EngineError): void;
}

/** The experiment under some settings. Each engine opens it once in its life. */
export class Surveyed {
  readonly query: string;
  survey: Survey | null = null; // once an engine has opened it
  error: EngineError | null = null; // why none could, where that was asked
  readonly scales = new Map<string, Scale>(); // of the map, by day and part
  private readonly surveys = new Map<Engine, OpenedSurvey>();
  private home: Engine | undefined; // for what is asked of one engine alone

  constructor(
    private readonly pool: Pool,
    readonly settings: Ionosphere,
    readonly opened: OpenedSky | null, // the reader's file, if the settings are about one
  ) {
    this.query = encode(settings);
  }

  get source(): Source {
    const { opened, settings } = this;
    return settings.sky !== "simulated" && opened?.sky.simulated ? "file" : settings.sky;
  }

  /** A part of the names of files: by what they differ beside the seed. */
  get name(): string {
    const { sky, waves } = this.settings;
    const disturbed = sky === "simulated" || sky === "disturbed";
    return ["vtec", ...(sky === "simulated" ? [] : [sky]), ...(disturbed && waves !== 1 ? [`waves-${waves}`] : [])].join("-");
  }

  /** The survey in an engine. */
  on(engine: Engine): Promise<Survey> {
    const known = this.surveys.get(engine);
    if (known && known.life === engine.life) return known.survey;
    const survey = (async () => engine.call("survey", { query: this.query, sky: this.opened ? await this.pool.handle(this.opened, engine) : 0 }))();
    this.surveys.set(engine, { life: engine.life, survey });
    survey.then((opened) => (this.survey = opened), () => {
      if (this.surveys.get(engine)?.survey === survey) this.surveys.delete(engine); // whoever asked sees the error; the next one tries again
    });
    return survey;
  }

  /** Asks one engine, always the same. */
  ask<T>(question: (engine: Engine, survey: Survey) => Promise<T>): Promise<T> {
    return inPlace(new AbortController().signal, () => this.pool.lease(this.opened, this.home), async ({ engine }) => {
      this.home = engine;
      return question(engine, await this.on(engine));
    });
  }

  /** Opens it in that engine. */
  open(): Promise<Survey> {
    return this.ask((_, survey) => Promise.resolve(survey));
  }

  /** Does the tasks of a list, which it empties, wherever an engine is free. Resolves when each has its answer or error, or the signal is aborted. */
  each<Task, Answer>(tasks: Task[], { ask, take, ...how }: Asking<Task, Answer>): Promise<void> {
    const work = async (task: Task, lease: Lease): Promise<void> => {
      const { survey } = await lease.ask((engine) => this.on(engine));
      take(task, await lease.ask((engine) => ask(engine, survey, task)));
    };
    return this.pool.each(this.opened, tasks, { ...how, work, failed: take });
  }

  /** Lets go of it everywhere. */
  close(): void {
    for (const [engine, { life, survey }] of this.surveys) survey.then((opened) => engine.close(opened.survey, life), () => undefined); // one that could not open it holds nothing
    this.surveys.clear();
    if (this.opened) this.pool.settle(this.opened);
  }
}
