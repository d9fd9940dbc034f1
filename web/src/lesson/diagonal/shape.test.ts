import assert from "node:assert/strict";
import { test } from "node:test";

import { families, POSITIONS, shapeAt } from "./shape.js";

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
