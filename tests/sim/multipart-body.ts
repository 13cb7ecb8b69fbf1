/** One part of a multipart body, as a camera sends it. */
export interface SentPart {
  headers: readonly string[];
  content: string | Uint8Array;
}

/** The bytes of a multipart body. */
export function multipartBody(
  parts: readonly SentPart[],
  boundary: string,
  options: { lineEnd?: '\r\n' | '\n'; closed?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const { lineEnd = '\r\n', closed = true } = options;
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}${lineEnd}${headers.map((line) => line + lineEnd).join('')}${lineEnd}`),
    Buffer.from(content),
    Buffer.from(lineEnd),
  ]);
  if (closed) pieces.push(Buffer.from(`--${boundary}--${lineEnd}`));
  return Buffer.concat(pieces);
}
