/**
 * The Worker's entry: hands requests to worker.go's handler, which make worker
 * compiles to build/app.wasm.
 *
 * To start Go takes most of the processor time that Cloudflare's free plan gives
 * a request, and to answer takes a tenth of it. So one Go serves all requests
 * that reach this isolate, where the entry that workers-assets-gen writes starts
 * one for each. That is safe because the handler waits for nothing: what
 * JavaScript gives it for a request it uses in that request.
 */
import "./build/wasm_exec.js";
import app from "./build/app.wasm";

/** @type {{ go: { exited: boolean }, handleRequest: (request: Request) => Promise<Response> } | undefined} */
let running;

function start() {
  const go = new globalThis.Go();
  /** @type {{ handleRequest?: any }} */
  const binding = {};
  const instance = new WebAssembly.Instance(app, { ...go.importObject, workers: { ready() {} } });
  void go.run(instance, { binding }); // up to where Go waits for requests
  return { go, handleRequest: binding.handleRequest };
}

/** Go could not read the request's address. What it says then is what net/http says. */
function badRequest() {
  return new Response("400 Bad Request", { status: 400, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

export default {
  /** @param {Request} request */
  fetch(request) {
    if (running === undefined || running.go.exited) running = start();
    return running.handleRequest(request).catch(badRequest);
  },
};
