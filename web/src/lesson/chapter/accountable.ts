import { property } from "lit/decorators.js";
import type { Pool } from "../../engine/pool.js";
import { Panel } from "../../panel/panel.js";
import { pairs, read, type Field, type Settings } from "../../state/spec.js";
import { unguessed, type View } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import { fate, type Account, type Accounting, type Ran } from "./account.js";
import type { Job, Track } from "./runner.js";

/** What gives account of its runs, and runs under the settings of another's account, also where it is on no page. */
export abstract class Accountable<V> extends Panel implements Accounting {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor view!: View; // of the page: the links of a chapter keep it

  protected values!: V;
  protected ran: V | null = null; // the settings of what is shown

  protected abstract readonly words: { readonly guesses: Readonly<Record<string, string>> };
  protected abstract get work(): { readonly phase: string; stop(): void };
  protected abstract get progress(): { readonly over: number };
  protected abstract content(): { readonly answer: string | null; readonly says: Phrase };
  protected abstract declared(): readonly Field[];
  protected abstract query(values?: V): string;
  protected abstract begin(values: V): Promise<void>;

  /** The runs that it shows; none where they are no cells of a query. */
  protected get tracked(): readonly Track[] {
    return [];
  }

  /** The runs that its values ask for; none where they are no cells of a query. */
  protected planning(): Promise<readonly Job[]> {
    return Promise.resolve([]);
  }

  get options(): Readonly<Record<string, string>> {
    return this.words.guesses;
  }

  get account(): Account | null {
    const { ran, work, tracked } = this;
    if (ran === null || work.phase !== "done") return null;
    const { answer, says } = this.content();
    const runs = tracked.map(({ job: { query, cell }, digest, error }) => ({ query, cell, digest: digest.hex + fate(error) }));
    return { own: this.query(ran), answer, numbers: says.filter((piece) => typeof piece !== "string"), runs, tracks: tracked };
  }

  settle(own: string): { readonly own: string; readonly unused: readonly string[] } {
    const { settings, notices, rest } = read(this.declared(), pairs(unguessed(own)));
    return { own: this.query(settings as unknown as V), unused: [...notices.map(({ key }) => key), ...rest.map(([key]) => key)] };
  }

  async planned(own: string): Promise<readonly Omit<Ran, "digest">[]> {
    this.take(own);
    return (await this.planning()).map(({ query, cell }) => ({ query, cell }));
  }

  async replay(own: string): Promise<Account | null> {
    await this.begin(this.take(own));
    return this.account;
  }

  get over(): number {
    return this.progress.over;
  }

  halt(): void {
    this.work.stop();
  }

  private take(own: string): V {
    this.values = read(this.declared(), pairs(own)).settings as unknown as Settings as V;
    return this.values;
  }
}
