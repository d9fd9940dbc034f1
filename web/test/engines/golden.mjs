// @ts-check
/** The records that core/testdata/golden.txt pins, and the same as a page's own workers find them. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A record: what the file shows of it, and what its digest knows besides. The bits of each number cross as hexadecimal digits. Of some a page hears a part alone: `at` says which of the values these are. @typedef {{ values: string[], others: string[], at?: number[] }} Found */
/** @typedef {{ digest: string, values: string[] }} Pin A record of the file, its values with eleven digits */
/** @typedef {{ name: string, link: string, pins: Pin[] }} Block */
/** @typedef {{ name: string, blocks: Block[] }} Experiment */

const top = new URL("../../../", import.meta.url);

/** The folder of the repository. */
export const repository = fileURLToPath(top);

/** A block's name is its link, and behind it what it is of that. */
const WITHIN = / (cell \d+( baselines)?|windows|table|fix \d+)$/;

/** What the file has, by experiment. @returns {Promise<Experiment[]>} */
export async function pinned() {
  /** @type {Experiment[]} */
  const experiments = [];
  for (const line of (await readFile(new URL("core/testdata/golden.txt", top), "utf8")).split("\n")) {
    const blocks = experiments.at(-1)?.blocks;
    if (line.startsWith("## ")) experiments.push({ name: line.slice(3), blocks: [] });
    else if (line.startsWith("\t")) {
      const [digest = "", , ...values] = line.trim().split(" ");
      blocks?.at(-1)?.pins.push({ digest, values });
    } else if (line !== "" && !line.startsWith("#")) blocks?.push({ name: line, link: line.replace(WITHIN, ""), pins: [] });
  }
  return experiments;
}

/** The sample that a link is of, as a text; none of drawn rows and of the ionosphere. @param {string} link */
export async function sampleOf(link) {
  const [name] = /[\w-]+\.csv(?=\?)/.exec(link) ?? [];
  return name === undefined ? null : { name, text: await readFile(new URL(`web/samples/${name}`, top), "utf8") };
}

/** The digest of a record, as Go makes it of "%x %x". @param {Found} record */
export function digest({ values, others }) {
  return createHash("sha256").update(`[${values.map(written).join(" ")}] [${others.map(written).join(" ")}]`).digest("hex").slice(0, 8);
}

/** @param {string} bits */
export function number(bits) {
  return new Float64Array(BigUint64Array.of(BigInt(`0x${bits}`)).buffer)[0] ?? Number.NaN;
}

/** A number as Go's %x writes it: exactly, in powers of two. @param {string} bits */
function written(bits) {
  const value = number(bits);
  if (Number.isNaN(value)) return "NaN";
  const all = BigInt(`0x${bits}`);
  const sign = all >> 63n ? "-" : "";
  if (!Number.isFinite(value)) return `${sign || "+"}Inf`;
  let exponent = Number((all >> 52n) & 0x7ffn) - 1023;
  let fraction = all & 0xfffffffffffffn;
  if (value === 0) return `${sign}0x0p+00`;
  if (exponent === -1023) {
    for (exponent++; fraction >> 52n === 0n; exponent--) fraction <<= 1n;
    fraction &= 0xfffffffffffffn;
  }
  const digits = fraction.toString(16).padStart(13, "0").replace(/0+$/, "");
  return `${sign}0x1${digits && `.${digits}`}p${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Which of its loops the engine runs. Runs in the page. @returns {Promise<string>} */
export function body() {
  return /** @type {any} */ (document.querySelector("ifm-app")).pool.call("info", { query: "" }).then((/** @type {{ body: string }} */ told) => told.body);
}

/** Every record of a link by its block, as the page's workers find them. Runs in the page. @param {{ link: string, sample: { name: string, text: string } | null }} asked @returns {Promise<Record<string, Found[]>>} */
export async function recordsOf({ link, sample }) {
  const app = /** @type {any} */ (document.querySelector("ifm-app"));
  const [first = "", ...more] = link.split("?");
  const [what = "", of = what] = first.split(" of ");
  const query = more.join("?");
  const all = 1e9; // ms, in one call
  /** @param {Iterable<number>} numbers */
  const bits = (numbers) => Array.from(new BigUint64Array(Float64Array.from(numbers).buffer), (n) => n.toString(16));
  /** @param {Iterable<number>} values @param {Iterable<number>} [others] */
  const record = (values, others = []) => ({ values: bits(values), others: bits(others) });

  if (what === "contest") {
    const asked = new URLSearchParams(query);
    const c = await app.pool.engines[0].call("contest", { pairs: new Float64Array(), seed: Number(asked.get("seed")), number: Number(asked.get("number")) });
    return { [link]: [record([c.fm.share, c.ifm.share, c.score], [...c.pairs, ...c.fm.pairs, ...c.ifm.pairs, ...c.eigenvalues, ...c.vectors])] };
  }
  if (of === "ionosphere") {
    const engine = app.ionospherePool.engines[0];
    const kind = { maps: "maps", disturbed: "maps", points: "points" }[new URLSearchParams(query).get("sky") ?? ""];
    let sky = 0;
    if (kind) {
      const simulated = await engine.call("survey", { query: "days=1&stride=720", sky: 0 });
      const file = await engine.call("write", { survey: simulated.survey, day: 0, what: kind });
      engine.close(simulated.survey, engine.life);
      ({ sky } = await engine.read("sky", { file: new File([file.bytes], file.name), query }));
    }
    let survey = await engine.call("survey", { query, sky });
    if (!query.includes("methods=")) {
      const methods = survey.methods.filter((/** @type {string} */ name) => name !== "kriging"); // the links are older
      engine.close(survey.survey, engine.life);
      survey = await engine.call("survey", { query: `${query}&methods=${methods}`, sky });
    }
    /** @type {Record<string, Found[]>} */
    const found = {};
    if (what === "tuning") {
      const tuned = await engine.call("tune", { survey: survey.survey, window: 0 });
      found[link] = [record(tuned.squares, [tuned.test])];
    } else if (what === "scene") {
      const scene = await engine.call("scene", { survey: survey.survey, day: 0, second: 43210, rows: 6, columns: 8, whole: true });
      found[link] = [record(scene.tec, [...scene.latitude, ...scene.longitude, ...scene.bend])];
    } else {
      /** @type {Found[]} */
      const windows = (found[`${link} windows`] = []);
      for (let i = 0; i < survey.day.length; i++) {
        const w = await engine.call("window", { survey: survey.survey, window: i });
        windows.push(record([w.zero, ...w.squares], [w.satellites, w.train, w.test]));
      }
      for (let i = 0; i < survey.fixDay.length; i++) {
        const f = await engine.call("fix", { survey: survey.survey, window: i });
        found[`${link} fix ${i}`] = [record([f.tried, f.unfinished, ...f.fixed], [f.satellites])];
      }
    }
    engine.close(survey.survey, engine.life);
    if (sky) engine.close(sky, engine.life);
    return found;
  }

  const engine = (sample ? app.pool.tables : app.pool.engines)[0];
  const table = sample ? (await engine.read("open", { file: new File([sample.text], sample.name), query })).table : 0;
  /** @type {Record<string, Found[]>} */
  const found = {};
  /** @param {number} cell @param {(run: number, started: any) => Promise<void>} f */
  const during = async (cell, f) => {
    const started = await engine.call("start", { query, cell, table, fold: -1, found: null });
    await f(started.run, started);
    engine.close(started.run, engine.life);
  };
  if (what !== of) {
    await during(0, async (run) => {
      const all = await engine.call(what, { run, ms: 1e9 });
      if (what === "trees") found[link] = [record([all.error], [...all.predicted, all.grown, all.trees, all.leaves])];
      else if (what === "pairs") found[link] = all.named.map((/** @type {any} */ n) => ({ ...record([n.share, n.low, n.high]), at: [2, 3, 4] }));
      else if (what === "intervals") found[link] = [record([all.width, all.share, all.from, all.to], [...all.low, ...all.high, all.covered, all.rows])];
    });
  } else {
    const { cells } = await engine.call("info", { query });
    for (let cell = 0; cell < cells; cell++) {
      await during(cell, async (run, base) => {
        const r = await engine.call("next", { run, ms: all });
        const columns = [r.candidate, r.rank, r.lambda, r.iteration, r.passes, r.lead, r.weights, r.hats];
        found[`${link} cell ${cell}`] = Array.from(r.test, (test, i) => record([r.train[i], r.valid[i], test, r.errorW[i], r.errorM[i]], columns.map((column) => column[i])));
        found[`${link} cell ${cell}`]?.push({ ...record([r.final]), at: [2] }); // of the fit to training and validation rows together, where there is one
        if (!sample) return;
        const quadratic = await engine.call("quadratic", { run });
        found[`${link} cell ${cell} baselines`] = [record([base.mean, base.ridge, quadratic.error], [...quadratic.predicted, base.ridgeLambda, quadratic.lambda])];
      });
    }
  }
  if (sample) engine.close(table, engine.life);
  return found;
}
