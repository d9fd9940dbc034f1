// Why a model predicts what it does for a row, and what if its cells were others.
import { answerOf } from "../../engine/calls.js";
import type { EngineError, Explained } from "../../engine/protocol.js";
import type { Model } from "../../training/series.js";

/** Texts of cells by the names of their columns. */
export type Changes = Readonly<Record<string, string>>;

export interface Question {
  readonly model: Model;
  readonly line: number; // of the file; 0: the average row
  readonly changes: Changes;
}

export interface Explanation extends Question {
  readonly found: Explained | EngineError;
}

/** Whether an answer is one to this question. */
export function answers({ model, line, changes }: Question, asked: Question): boolean {
  return model === asked.model && line === asked.line && changes === asked.changes;
}

/** Asks one question at a time, the latest next, so that a slider is followed as fast as the engine answers. */
export class Explanations {
  asked: Question | null = null;
  answered: Explanation | null = null; // the last; it stays until the next is

  private isBusy = false;

  constructor(
    private readonly explain: (asked: Question, changes: string[]) => Promise<Explained>,
    private readonly changed: () => void,
  ) {}

  /** Null: no longer. */
  ask(asked: Question | null): void {
    this.asked = asked;
    if (!asked) this.answered = null;
    this.changed();
    if (!this.isBusy) void this.answer();
  }

  private async answer(): Promise<void> {
    this.isBusy = true;
    for (let asked = this.asked, last: Question | null = null; asked && asked !== last; asked = this.asked) {
      const { result, error } = await answerOf(this.explain(asked, Object.entries(asked.changes).flat()));
      last = asked;
      if (this.asked?.line !== asked.line || this.asked.model !== asked.model) continue; // another row was chosen meanwhile
      this.answered = { ...asked, found: result ?? error };
      this.changed();
    }
    this.isBusy = false;
  }
}
