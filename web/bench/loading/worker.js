// @ts-check
/**
 * A worker with one of the programs that are functions, the one that its address
 * names. null gets {ready}, a File {read}, and then a column {sum: {rows, sum}}.
 */

/** @typedef {{ rows: number, sum(column: number): number }} Table */

/** @type {Record<string, () => Promise<(file: File) => Promise<Table>>>} */
const programs = {
  /** Typed columns, by the schema it infers, from the whole text: faster than by chunks. */
  async uDSV() {
    const { inferSchema, initParser } = await import(String("../node_modules/udsv/dist/uDSV.mjs"));
    return async (file) => {
      const text = await file.text();
      const parser = initParser(inferSchema(text));
      /** @type {number[][]} */
      const columns = parser.typedCols(text);
      return { rows: columns[0]?.length ?? 0, sum: (column) => total(columns[column] ?? []) };
    };
  },

  /** Rows of typed cells, which are what it makes: columns would be more work. Fast mode takes the file to hold no quotes. */
  async PapaParse() {
    const scope = /** @type {any} */ (globalThis);
    scope.importScripts("../node_modules/papaparse/papaparse.min.js");
    return async (file) => {
      /** @type {{ data: number[][], errors: unknown[] }} */
      const { data, errors } = scope.Papa.parse(await file.text(), { dynamicTyping: true, fastMode: true, skipEmptyLines: true });
      if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
      return { rows: data.length - 1, sum: (column) => total(data.slice(1).map((row) => row[column] ?? Number.NaN)) };
    };
  },
};

/** @param {number[]} values */
function total(values) {
  let sum = 0;
  for (const value of values) {
    if (typeof value !== "number") throw new Error(`a cell is ${typeof value}`);
    sum += value;
  }
  return sum;
}

const start = programs[location.search.slice(1)];
if (start === undefined) throw new Error(`no program ${location.search}`);
/** @type {((file: File) => Promise<Table>) | undefined} */
let program;
/** @type {Table | undefined} */
let table;

onmessage = async ({ data }) => {
  try {
    if (data === null) {
      program = await start();
      postMessage({ ready: true });
    } else if (data instanceof File) {
      table = await program?.(data);
      postMessage({ read: true });
    } else {
      postMessage({ sum: { rows: table?.rows, sum: table?.sum(data) } });
    }
  } catch (reason) {
    postMessage({ failed: String(reason) });
  }
};
