// The endings of files that may be tables.

const ENDINGS = ["csv", "tsv", "txt", "tab", "dat", "data", "json", "jsonl", "ndjson", "svm", "libsvm", "ffm", "gz", "zip", "parquet", "xlsx", "xlsm"];

/** For a file chooser. Some systems know endings only, some types. */
export const tables = [...ENDINGS.map((ending) => `.${ending}`), "text/csv", "text/tab-separated-values", "text/plain"].join(",");

export const TABLE = new RegExp(`\\.(${ENDINGS.join("|")})$`, "i");
