// The endings of files that may be tables.

const ENDINGS = ["csv", "tsv", "txt", "tab", "dat", "data", "json", "jsonl", "ndjson", "svm", "libsvm", "ffm", "gz", "zip", "parquet", "xlsx", "xlsm"];

/** What a file chooser offers. Types beside endings: some systems know but one of them. */
export const tables = [...ENDINGS.map((ending) => `.${ending}`), "text/csv", "text/tab-separated-values", "text/plain"].join(",");

export const TABLE = new RegExp(`\\.(${ENDINGS.join("|")})$`, "i");
