import assert from "node:assert/strict";
import { test } from "node:test";

import { Digest } from "./digest.js";
import type { Records } from "./protocol.js";

/** FNV-1a as its authors write it, in whole numbers of any length. */
function slow(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  return hash.toString(16).padStart(16, "0");
}

/** Records of so many iterations, from a seed. */
function records(from: number, to: number): Records {
  const n = to - from;
  const int = (of: (i: number) => number): Int32Array => Int32Array.from({ length: n }, (_, i) => of(from + i));
  const float = (of: (i: number) => number): Float64Array => Float64Array.from({ length: n }, (_, i) => of(from + i));
  return {
    candidate: int(() => 0), rank: int(() => 5), lambda: float(() => 0), weights: float(() => -0), hats: int(() => 0), iteration: int((i) => i),
    train: float((i) => 1 / (i + 1)), valid: float(() => Number.NaN), test: float((i) => Math.PI / (i + 1)), passes: float((i) => i), errorW: float((i) => 2 ** -i), errorM: float((i) => 3 ** -i), lead: int(() => 0),
    done: to === 20, final: Number.NaN, additive: Number.NaN, stop: "", rose: 0,
  };
}

function digest(...parts: readonly Records[]): string {
  const made = new Digest();
  for (const part of parts) made.add(part);
  return made.hex;
}

test("the digest of a text and that of the bits of a run's records are FNV-1a's, as its authors give it", () => {
  for (const [text, want] of [["", "cbf29ce484222325"], ["a", "af63dc4c8601ec8c"], ["foobar", "85944171f73967e8"]] as const) {
    const made = new Digest();
    made.text(text);
    assert.deepEqual([made.hex, slow(new TextEncoder().encode(text))], [want, want]);
  }
  const all = records(0, 20);
  const values = Array.from({ length: 20 }, (_, i) => [all.candidate, all.rank, all.lambda, all.weights, all.hats, all.iteration, all.train, all.valid, all.test, all.passes, all.errorW, all.errorM, all.lead].map((column) => column[i] ?? 0)).flat();
  assert.equal(digest(all), slow(new Uint8Array(new Float64Array(values).buffer)));
});

test("the last bit of a number changes it, the sign of zero and the order; where a call ended and the bits of a NaN do not", () => {
  const all = records(0, 20);
  const bits = new BigUint64Array(all.test.buffer.slice(0) as ArrayBuffer);
  bits[7] = (bits[7] ?? 0n) ^ 1n;
  const others = [{ ...all, test: new Float64Array(bits.buffer) }, { ...all, weights: new Float64Array(20) }, { ...all, errorW: all.errorM, errorM: all.errorW }];
  assert.equal(new Set([all, ...others].map((one) => digest(one))).size, 4);
  const odd = new BigUint64Array(20).fill(0xfff8000000000001n);
  assert.deepEqual([digest(records(0, 3), records(3, 4), records(4, 20)), digest({ ...all, valid: new Float64Array(odd.buffer) })], [digest(all), digest(all)]);
});
