/**
 * What knip takes for begun from outside. It looks twice: at all that is here, tests
 * included, for files and exports without a reader in another file; and with
 * --production at the page alone, for what only tests read.
 *
 * @type {import("knip").KnipConfig}
 */
export default {
  entry: [
    "src/{app,engine/worker,packed/*.entry,element/ifm-lab,share/examples,offline/start,offline/site}.ts!", // as ../build has them
    "src/**/*.test.ts",
    "{build,samples}/*.mjs", "build/plot/*.js", "build/npm/*.d.ts", "test/{run,*.test}.mjs", "test/engines/*.test.mjs",
    "bench/{main.mjs,*.js,fused.ts,loading/*.js}",
  ],
  project: ["src/**/*.{ts,mjs}!", "!src/**/*.test.ts!", "{bench,build,test}/**/*.{mjs,js,ts}"],
  include: ["files", "exports", "types", "duplicates"],
  ignoreExportsUsedInFile: process.argv.includes("--production"),
};
