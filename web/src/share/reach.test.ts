import assert from "node:assert/strict";
import { test } from "node:test";

import { reached } from "./reach.js";

test("an address that only this computer knows, or that a course page blocks, is warned of; one at HTTPS is not", () => {
  for (const home of ["https://lab.example/", "https://lab.example:8443/~prof/ifm/"]) assert.equal(reached(home, false), "");
  for (const home of ["http://localhost:8080/", "http://127.0.0.1/", "http://a.localhost/", "http://[::1]:80/"]) {
    assert.match(reached(home, false), /this computer alone/);
    assert.match(reached(home, true), /send the file itself/);
  }
  for (const home of ["http://lab.example/", "http://192.168.1.7:8080/", "http://localhost.example/"]) {
    assert.match(reached(home, false), /HTTPS.*block/);
    assert.ok(reached(home, false).includes(new URL(home).origin), "it names the address");
  }
});
