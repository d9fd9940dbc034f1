// Why a trained model predicts what it does for a row that the reader chose.
import { EngineFailure } from "../engine/engine.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { EngineError, Explained, ModelFile } from "../engine/protocol.js";
import type { Model } from "./series.js";

/** A test row, and the model that is asked about it. */
export interface Chosen {
  readonly model: Model;
  readonly line: number; // of the file
}

export interface Reason extends Chosen {
  readonly found: Explained | EngineError | null; // null: asked for
}

/** The reason for one row at a time: who asks for another takes its place. */
export class Reasons {
  private now: Reason | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly changed: () => void,
  ) {}

  snapshot(): Reason | null {
    return this.now;
  }

  async ask(chosen: Chosen, opened: Opened, file: ModelFile): Promise<void> {
    const asked: Reason = { ...chosen, found: null };
    this.lay(asked);
    const found = await this.pool.explain(opened, file.bytes, chosen.line).catch((reason: unknown) => {
      if (reason instanceof EngineFailure) return reason.detail;
      throw reason;
    });
    this.pool.settle(opened);
    if (this.now === asked) this.lay({ ...chosen, found });
  }

  close(): void {
    this.lay(null);
  }

  /** Forgets it without a word. */
  forget(): void {
    this.now = null;
  }

  private lay(now: Reason | null): void {
    this.now = now;
    this.changed();
  }
}
