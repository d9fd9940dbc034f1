import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../../state/spec.js";
import { plain } from "../../text/phrase.js";
import { track } from "../chapter/tracks.test.js";
import type { Rounds } from "./followup.js";
import { least, powerLaw } from "./least.js";

test("halving finds the smallest τ of each law, and the law by its slope", () => {
  const settings = least.settings({ features: "slider", d: 6, k: 1, seed: 1 });
  const measure = (law: string, smallest: (n: number) => number): Rounds => {
    const rounds: Rounds[number][] = [];
    for (let runs = 0; runs < least.runs(settings); runs += rounds.at(-1)?.length ?? Infinity) {
      rounds.push(
        least.jobs(settings, rounds, law).map((job) => {
          const { n, tau } = parse(job.query).spec;
          return track({ job, errorW: [0], errorM: [tau > smallest(n) ? 0 : 1] });
        }),
      );
    }
    return rounds;
  };
  const rounds = { true: measure("true", (n) => 6 / n), estimated: measure("estimated", (n) => 2 / Math.sqrt(n)) };
  const read = (choice: string) => least.read({ settings, choice, rounds });
  const { found, sizes } = read("true");
  assert.deepEqual(sizes, [120, 240, 480, 960]);
  for (const { n, tau } of found.true) assert.ok(Math.abs(Math.log((tau * n) / 6)) < 0.04, `${tau} from ${n} rows`); // half of the last interval
  assert.equal(found.divided.length, 0);
  assert.match(plain(least.told(read("true"))), /^With the true moments the slope is −(0\.9|1\.0)/);
  assert.match(plain(least.told(read("estimated"))), /^With estimated moments the slope is −0\.(4|5)/);
  assert.deepEqual(least.told(read("divided")), []);
});

test("a power law is found from its points, of which those that there are none of are left out, and one has no slope", () => {
  const near = (found: number, wanted: number): void => assert.ok(Math.abs(found - wanted) < 1e-12, `${found}`);
  const x = [10, 100, 1000, 10000];
  const law = powerLaw(x, x.map((v, i) => (i === 2 ? Number.NaN : 3 * v ** -0.5)));
  near(law.slope, -0.5);
  near(law.at(400), 0.15);
  near(powerLaw([10, 1000], [1, 1e-2]).at(100, 2), 0.1); // a line of another slope goes through the middle
  assert.ok(Number.isNaN(powerLaw([10], [1]).slope));
});
