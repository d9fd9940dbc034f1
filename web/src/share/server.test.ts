import assert from "node:assert/strict";
import { test } from "node:test";
import { lacking, reached } from "./server.js";
import { server as strings } from "./strings.js";

test("a server's headers say what pages elsewhere cannot have from it", () => {
  const told = (headers: Record<string, string>): string[] => lacking(new Headers(headers));
  const open = { "Access-Control-Allow-Origin": "*" };
  assert.deepEqual(told(open), []);
  assert.deepEqual(told({}), [strings.noSandbox]);
  assert.deepEqual(told({ "Access-Control-Allow-Origin": "https://lab.example" }), [strings.noSandbox]);
  assert.deepEqual(told({ ...open, "X-Frame-Options": "SAMEORIGIN" }), [strings.noFrames("SAMEORIGIN")]);
  assert.deepEqual(told({ ...open, "Content-Security-Policy": "default-src 'none'; frame-ancestors 'self' https://course.example; img-src 'self'" }), [strings.noFrames("frame-ancestors 'self' https://course.example")]);
  assert.deepEqual(told({ ...open, "Content-Security-Policy": "default-src 'none'; frame-ancestors *" }), []);
});

test("an address that only this computer knows, or that a course page blocks, is warned of; one at HTTPS is not", () => {
  for (const home of ["https://lab.example/", "https://lab.example:8443/~prof/ifm/"]) assert.equal(reached(home, false), "");
  for (const home of ["http://localhost:8080/", "http://127.0.0.1/", "http://a.localhost/", "http://[::1]:80/"]) {
    assert.match(reached(home, false), /only on this computer/);
    assert.match(reached(home, true), /Send the file itself/);
  }
  for (const home of ["http://lab.example/", "http://192.168.1.7:8080/", "http://localhost.example/"]) {
    assert.match(reached(home, false), /HTTPS.*block/);
    assert.ok(reached(home, false).includes(new URL(home).origin), "it names the address");
  }
});
