import { decompressBrotli } from "hyparquet-compressors/src/brotli.js";
import { provide } from "./readers.js";

provide({ brotli: decompressBrotli });
