/**
 * The Worker's entry: hands requests to worker.go's handler, which make worker
 * compiles to build/app.wasm.
 *
 * To start Go takes 50 ms of processor time, to answer takes 1 or 2, and
 * Cloudflare's free plan has 10 for a request. So Go starts with the isolate,
 * which has a second for that, and serves all its requests; the entry that
 * workers-assets-gen writes starts one for each. That is safe because the
 * handler waits for nothing: what JavaScript gives it for a request it uses in
 * that request.
 */
import "./build/wasm_exec.js";
import app from "./build/app.wasm";
import page from "./build/assets/index.html";

Object.assign(globalThis, { ifmLabPage: page });

function start() {
  const go = new globalThis.Go();
  const { gojs } = go.importObject;
  const random = gojs["runtime.getRandomData"];
  gojs["runtime.getRandomData"] = (/** @type {number} */ sp) => {
    try {
      random(sp);
    } catch {
      // Outside of a request nothing random is to be had. Go then takes the time
      // for its maps; the handler needs no secrets.
    }
  };
  /** @type {{ handleRequest?: (request: Request) => Promise<Response> }} */
  const binding = {};
  const instance = new WebAssembly.Instance(app, { ...go.importObject, workers: { ready() {} } });
  void go.run(instance, { binding }); // up to where Go waits for requests
  return { go, handleRequest: binding.handleRequest };
}

let running = start();

/** Go could not read the request's address. What it says then is what net/http says. */
function badRequest() {
  return new Response("400 Bad Request", { status: 400, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

export default {
  /** @param {Request} request */
  fetch(request) {
    if (running.go.exited) running = start();
    return running.handleRequest(request).catch(badRequest);
  },
};
