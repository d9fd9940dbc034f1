/** The bytes of a gzip file in base64. Rejects where it is damaged or ends too soon. */
export function unpack(text: string): Promise<Blob> {
  const packed = new Blob(text.split("\n").map(bytes));
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

function bytes(line: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(line);
  const array = new Uint8Array(decoded.length);
  for (let i = 0; i < decoded.length; i++) array[i] = decoded.charCodeAt(i);
  return array;
}
