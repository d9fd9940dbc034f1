import assert from "node:assert/strict";
import { test } from "node:test";

import type { Point, Started } from "../../engine/protocol.js";
import { plain } from "../../text/phrase.js";
import type { Track } from "../chapter/runner.js";
import { failed, runOf, settingsOf, track } from "../chapter/tracks.test.js";
import { diagonal } from "./chapter.js";
import { families, POSITIONS, shapeAt } from "./shape.js";

/** A run of gFM that ends with these errors of M and of its predictions, or an error. */
type Ending = readonly [errorM: number, test: number] | string;

const model = (errorM: number, rmse: number): Track => track({ started: { mean: 1 } as Started, errorW: [0], errorM: [errorM], test: [rmse] });

/** A sweep over τ with a trial of each; iFM finds the truth everywhere. */
function sweep(own: string, gfm: Readonly<Record<number, Ending>>): ReturnType<typeof diagonal.read> {
  const taus = Object.keys(gfm).map(Number);
  const points = taus.map((tau): Point => ({ query: "", ratio: 30, n: 60, clipped: false, k: 2, tau }));
  const tracks = taus.flatMap((tau): Track[] => {
    const ending = gfm[tau] ?? "";
    return [typeof ending === "string" ? failed(ending) : model(...ending), model(1e-4, 0)];
  });
  return diagonal.read(runOf(settingsOf(diagonal, `trials=1&ratios=30&taus=${taus.join()}&${own}`), tracks, points));
}

const told = (numbers: ReturnType<typeof sweep>): string => plain(diagonal.told(numbers, "both"));

test("what gFM loses where τ is smallest is nothing, its matrix, or its predictions too", () => {
  assert.equal(diagonal.answer(sweep("solver=algorithm1", { 2: [1e-4, 1e-4], 0.5: [2e-4, 1e-4] })), "nothing");
  const matrix = sweep("", { 2: [1e-4, 1e-4], 0: [0.3, 1e-4] });
  assert.equal(diagonal.answer(matrix), "matrix");
  assert.match(told(matrix), /^With n = 30 dk, gFM’s error of M is .* at τ = 2 and 0\.300 at τ = 0\. iFM’s error of M is .* Yet at τ = 0 gFM predicts well, .*: its two lines separate\. .* Gradient descent learns the diagonal slowly/);
  assert.equal(diagonal.answer(sweep("solver=gauss-newton", { 2: [1e-4, 1e-4], 0: [0.3, 0.2] })), "both");
});

test("where most runs have no model the answer says so, and one τ decides nothing", () => {
  const single = sweep("", { 2: [1e-4, 1e-4] });
  assert.equal(diagonal.answer(single), null);
  const { settings } = single;
  assert.deepEqual(diagonal.adjust?.({ ...settings, taus: [8, 2, 1] }, settings, "taus").taus, [2, 1]);
  assert.deepEqual(diagonal.adjust?.({ ...settings, features: "threepoint", taus: [8, 2, 1] }, settings, "taus").taus, [8, 2, 1]);
});

const near = (found: number, wanted: number, what: string): void => assert.ok(Math.abs(found - wanted) < 1e-9, `${what}: ${found}, want ${wanted}`);

test("at each place of the slider a column has the moments that it says, from a Gaussian's to those of ±1", () => {
  for (const family of families) {
    for (const position of [0, 1, 50, 99, POSITIONS]) {
      const { parameter, kappa, phi, tau, points, density } = shapeAt(family, position);
      const moment = (order: number): number => {
        let sum = points.reduce((all, { x, share }) => all + share * x ** order, 0);
        if (density) for (let i = -40_000; i <= 40_000; i++) sum += density(i / 4000) * (i / 4000) ** order / 4000; // beyond ±10 is nothing
        return sum;
      };
      [1, 0, 1, kappa, phi].forEach((wanted, order) => near(moment(order), wanted, `${family} ${position}, moment ${order}`));
      near(tau, phi - 1 - kappa ** 2, "τ");
      if (position === 0 || position === POSITIONS) near(tau, position === 0 ? 2 : 0, "τ at the ends");
      near(parameter, family === "slider" ? ((3 - phi) / 2) ** 0.25 : 1 / phi, "parameter");
    }
  }
  near(shapeAt("slider", 50).parameter, 0.75, "steps grow small");
  assert.deepEqual(shapeAt("threepoint", POSITIONS).points.map(({ x }) => x), [-1, 1]);
});
