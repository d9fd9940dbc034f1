// What is studied of a table's run beside its models, once they are trained.
import { EngineFailure } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { Intervals, Logged, Pairs, Trees } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { Study, type Subject } from "./study.js";
import type { Beside, Training } from "./training.js";

const SLICE = 80; // ms of a study
const ADDITION = 3.3e-9; // s that growing trees takes for one to a histogram
const PRODUCT = 5e-9; // s that the test of pairs takes for a multiply-add
const FIT = 7e-9; // s that a refit takes for a multiply-add
const SHORT = 15; // s that intervals may take without being asked for
const SOON = 5; // s that the trees of all trials may take without being asked for; the pairs twice as many

/** The run that is studied. */
interface Studied {
  readonly query: string;
  readonly planned: number; // trials
  readonly opened: Opened;
  readonly found: Subject["found"];
}

export class Studies {
  /** Multiply-adds of the intervals of all models; 0 where there are none to make. */
  effort = 0;

  private readonly trees: Study<Trees>;
  private readonly pairs: Study<Pairs>;
  private readonly intervals: Study<Intervals>;
  private readonly logged: Study<Logged & { readonly done: true }>;

  constructor(
    private readonly pool: Pool,
    changed: () => void,
  ) {
    this.trees = new Study(pool, (engine, run) => engine.trees(run, SLICE), () => 0, changed);
    this.pairs = new Study(pool, (engine, run) => engine.pairs(run, SLICE), ({ work }) => work * PRODUCT, changed);
    this.intervals = new Study(pool, (engine, run) => engine.intervals(run, SLICE), () => 0, changed);
    this.logged = new Study(pool, async (engine, run) => ({ ...(await engine.ask(run, "log")), done: true }), () => 0, changed);
  }

  snapshot(): Pick<Training, Beside | "logged"> {
    return { trees: this.trees.snapshot(), pairs: this.pairs.snapshot(), intervals: this.intervals.snapshot(), logged: this.logged.snapshot().answers.get(0) ?? null };
  }

  /** Begins all that does not take long, and offers the rest. `over` says whether the run has been left meanwhile. */
  async begin(run: Studied, over: () => boolean): Promise<void> {
    const { opened, planned, query } = run;
    void this.logged.begin(subject(run, "pairs"));
    void this.pairs.begin(subject(run, "pairs"), 2 * SOON);
    const fits = this.effort * FIT;
    if (fits > 0 && fits <= SHORT) void this.intervals.begin(subject(run, "intervals"));
    else if (fits > SHORT) this.intervals.offer(fits);
    const plan = await this.pool.plan(opened, query).catch((reason: unknown) => {
      if (!(reason instanceof EngineFailure)) throw reason;
      return null; // it has been trained: the engine is gone, and another may grow them
    });
    this.pool.settle(opened); // which may have been read again for it
    if (over()) return;
    const seconds = plan ? plan.trees * planned * ADDITION : 0;
    if (plan?.treesQuick && (planned === 1 || seconds <= SOON)) await this.trees.begin(subject(run, "trees"));
    else this.trees.offer(seconds);
  }

  /** Begins or ends one of them. */
  study(what: Beside, run: Studied | null): void {
    if (run) void this[what].begin(subject(run, what));
    else this[what].stop();
  }

  stop(): void {
    for (const study of [this.trees, this.pairs, this.intervals, this.logged]) study.stop();
  }

  forget(): void {
    for (const study of [this.trees, this.pairs, this.intervals, this.logged]) study.forget();
    this.effort = 0;
  }
}

function subject({ query, opened, planned, found }: Studied, what: Beside): Subject {
  const { models } = parse(query).spec;
  if (what === "intervals") return { query, opened, found, cells: [...models.keys()] };
  return { query, opened, found, cells: Array.from({ length: what === "trees" ? planned : 1 }, (_, trial) => trial * models.length) };
}
