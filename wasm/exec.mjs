// @ts-check
// Runs a js/wasm program of Go under Node.js, as the worker runs the engine:
// linked to the SIMD kernel. With IFMLAB_SIMD=0 it is linked to none, as in a
// browser without SIMD.
//
//	node exec.mjs program.wasm [arguments]
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { link } from "../web/src/engine/link.mjs";

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: exec program.wasm [arguments]");
  process.exit(2);
}

const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
Object.assign(globalThis, { fs, path }); // wasm_exec.js takes them from here
createRequire(import.meta.url)(path.join(goroot, "lib", "wasm", "wasm_exec.js"));

// Arguments and environment share 12 kB, so only what a test may ask for goes in.
const env = Object.entries(process.env).filter(([name]) => /^(GO|HOME$|IFMLAB_|PATH$|PWD$|TMPDIR$|TZ$)/.test(name));

const go = new /** @type {any} */ (globalThis).Go();
go.argv = [program, ...args];
go.env = { TMPDIR: os.tmpdir(), ...Object.fromEntries(env) };
go.exit = process.exit;
process.on("exit", (code) => {
  if ((code === 0 || code === 13) && !go.exited) {
    // Node.js ran out of events (13: in the await below) while Go waits: wake it, so that it reports the deadlock.
    go._pendingEvent = { id: 0 };
    go._resume();
  }
});
const compiled = new URL("../core/kernel/simd/kernel.wasm", import.meta.url);
const kernel = link(process.env["IFMLAB_SIMD"] === "0" ? new Uint8Array() : fs.readFileSync(compiled));
const { instance } = await WebAssembly.instantiate(fs.readFileSync(program), { ...go.importObject, ...kernel.imports });
kernel.attach(instance);
await go.run(instance);
