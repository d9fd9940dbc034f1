import { provide } from "./readers.js";
import { unpack } from "./unpack.js";

provide({ unpack });
