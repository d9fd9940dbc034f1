// Reads bytes, writes them packed as an .lzma file. Run by pack in offline.go.
import { buffer } from "node:stream/consumers";

import { compress } from "lzma1";

const LEVEL = 7; // 8 and 9 take twice and four times as long, for a thousandth less
process.stdout.write(compress(new Uint8Array(await buffer(process.stdin)), LEVEL));
