import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../../state/spec.js";
import { plain } from "../../text/phrase.js";
import { track } from "../chapter/tracks.test.js";
import type { Rounds } from "./followup.js";
import { least, powerLaw } from "./least.js";
import { ranks } from "./ranks.js";
import { start } from "./start.js";

const theory = { secondOrder: 2, sd: 2, floor: 0, tau: new Float64Array() };

test("a start is told by how often FM finds the truth from it", () => {
  const settings = start.settings({ starts: [100, 1], seed: 1 });
  const jobs = start.jobs(settings, [], "");
  assert.equal(jobs.length, start.runs(settings));
  const ends = (fm: (norm: number, trial: number) => number): Rounds => [jobs.map((job) => track({ job, theory, test: [job.cell % 2 === 1 ? 0.02 : 2 * fm(parse(job.query).spec.start, Math.floor(job.cell / 2))] }))];
  const read = (rounds: Rounds) => start.read({ settings, choice: "", rounds: { "": rounds } });
  const stuck = read(ends((norm, trial) => (norm === 100 && trial < 3 ? 0.9 : 0.001)));
  assert.deepEqual(stuck.map(({ norm, fm, ifm }) => [norm, fm.median, fm.stuck, ifm.median]), [[1, 0.001, 0, 0.01], [100, 0.9, 3, 0.01]]);
  assert.match(plain(start.told(stuck)), /^From ‖U‖ = 100, FM ends more than 5 % off in 3 of 5 trials; from ‖U‖ = 1, in 0\. .* iFM ends at 0\.0100 whatever the start.* FM is ahead here/);
  assert.match(plain(start.told(read(ends(() => 0.02)))), /^FM finds the truth from every one of these starts .* up to rounding\.$/);
});

test("the pace of gFM by rank is that of its rate, times the root of its rows", () => {
  const settings = ranks.settings({ d: 3, ranks: [4, 1], seed: 1 });
  assert.equal(settings.d, 4, "a rank takes as many columns");
  const errors = (factor: number) => Array.from({ length: 16 }, (_, i) => factor ** i);
  const rounds = [ranks.jobs(settings, [], "").map((job) => track({ job, errorM: errors(parse(job.query).spec.k === 4 ? 0.2 : 0.1), errorW: errors(0) }))];
  const numbers = ranks.read({ settings, choice: "", rounds: { "": rounds } });
  assert.deepEqual(numbers.map(({ k, centred }) => [k, centred.first]), [[1, 0.1], [4, 0.2]]);
  assert.match(plain(ranks.told(numbers)), /^From k = 1 to k = 4 the rate × √\(n ÷ kd\) goes from 0\.447 to 0\.894: it grows with the rank here\./);
  assert.match(plain(ranks.told(numbers.slice(0, 1))), /^Give two ranks or more/);
});

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
