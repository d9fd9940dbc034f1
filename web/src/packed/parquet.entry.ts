import { readParquet } from "./parquet.js";
import { provide } from "./readers.js";

provide({ parquet: readParquet });
