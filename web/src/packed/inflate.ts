// Unpacks what deflate has packed, by the browser's own DecompressionStream.
import { slices, type Piece } from "./piece.js";
import type { Source } from "./source.js";

const STEP = 1 << 14; // bytes at a time: what is packed best is a thousand times as large

/** Rejects where the bytes are damaged, end too soon, or go on after their end. */
export async function* inflated(packed: Source, format: CompressionFormat): AsyncGenerator<Piece, void, void> {
  let loaded = 0;
  const pieces = steps(packed);
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        ({ loaded } = value);
        controller.enqueue(value.bytes);
      },
    },
    { highWaterMark: 0 },
  );
  const reader = input.pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield { bytes: part.value, loaded };
  } finally {
    reader.cancel().catch(() => undefined); // it has failed
  }
}

export async function* steps(file: Source): AsyncGenerator<Piece, void, void> {
  for await (const { bytes, loaded } of slices(file)) {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      yield { bytes: step, loaded: loaded - bytes.length + at + step.length };
    }
  }
}
