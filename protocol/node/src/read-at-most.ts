/** The text of an answer of `fetch`; null: it is longer than `bytes`, and the rest is not read. */
export async function readAtMost({ body }: Response, bytes: number): Promise<string | null> {
  return (await bytesAtMost(body, bytes))?.toString() ?? null;
}

/** The content of a stream; null: it is longer than `bytes`, and the rest is not read. */
export async function bytesAtMost(
  body: ReadableStream<Uint8Array> | null,
  bytes: number,
): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > bytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
