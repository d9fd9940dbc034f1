import assert from "node:assert/strict";
import { test } from "node:test";
import { lacking } from "./server.js";
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
