import assert from "node:assert/strict";
import { test } from "node:test";
import { lacking, reached } from "./server.js";
import { server as strings } from "./strings.js";

test("a server's headers say what pages elsewhere cannot have from it", () => {
  const told = (headers: Record<string, string>): string[] => lacking(new Headers(headers));
  const open = { "Access-Control-Allow-Origin": "*" };
  const framed = (policy: string): string[] => told({ ...open, "Content-Security-Policy": `default-src 'none'; ${policy}` });
  assert.deepEqual([told(open), framed("frame-ancestors *")], [[], []]);
  assert.deepEqual([told({}), told({ "Access-Control-Allow-Origin": "https://lab.example" })], [[strings.noSandbox], [strings.noSandbox]]);
  assert.deepEqual(told({ ...open, "X-Frame-Options": "SAMEORIGIN" }), [strings.noFrames("SAMEORIGIN")]);
  assert.deepEqual(framed("frame-ancestors 'self' https://course.example; img-src 'self'"), [strings.noFrames("frame-ancestors 'self' https://course.example")]);
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
