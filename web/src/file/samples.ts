// The built-in tables.
import { absent, EngineFailure } from "../engine/engine.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import { file } from "../state/site.js";
import { encode, initial, type Spec } from "../state/spec.js";
import type { DrawnSample, Sample } from "../state/view.js";
import { opening as strings } from "./strings.js";

export const sampleTargets: Readonly<Record<Sample, RegExp>> = { penguins: /body.?mass/i, cars: /miles|mpg/i, diabetes: /^(y|target|progression)$/i, signs: /^y$/, binary: /^y$/ };

/** A drawn table: small enough to train in seconds, with so much noise that no model is exact. */
function drawnQuery(sample: DrawnSample, seed: number): string {
  const rows: Partial<Spec> = sample === "signs" ? { rho: 0.2, noise: 0.4 } : { features: "twopoint", share: 0.5, noise: 0.3 };
  return encode({ ...initial, scenario: "mixed", d: 10, k: 2, n: 480, test: 120, ...rows, seed });
}

export async function drawnFile(pool: Pool, sample: DrawnSample, seed: number): Promise<File> {
  const { name, bytes } = await pool.call("generate", { query: drawnQuery(sample, seed) });
  return new File([new Uint8Array(bytes)], name, { type: "text/csv" });
}

const SAMPLE_WAIT = 20_000; // ms for 20 kB, at the most

/** Fetches a built-in table. Rejects with an EngineFailure that says what to do. */
export async function sampleFile(sample: Sample): Promise<File> {
  const name = `${sample}.csv`;
  try {
    const response = await during(file(`samples/${name}`, AbortSignal.timeout(SAMPLE_WAIT)));
    if (!response.ok || /^text\/html/i.test(response.headers.get("content-type") ?? "")) throw new TypeError(`${response.status}`);
    return new File([await during(response.blob())], name, { type: "text/csv" });
  } catch (reason) {
    if (!(reason instanceof TypeError || reason instanceof DOMException)) throw reason; // the network failed, or it took too long
    throw new EngineFailure(absent(strings.sampleError(name)));
  }
}
