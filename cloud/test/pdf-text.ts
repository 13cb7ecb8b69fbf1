import { inflateSync } from 'node:zlib';

/**
 * The texts of a PDF file of ours, once by the characters of each of its typefaces: what a file says stands in one of
 * them.
 */
export function pdfTexts(file: Uint8Array): string[] {
  const streams = streamsOf(Buffer.from(file));
  const glyphs = streams
    .flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\]\s*TJ/g)])
    .flatMap(([, shown = '']) => [...shown.matchAll(/<([0-9a-f]+)>/gi)])
    .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
  const typefaces = streams.filter((stream) => stream.includes('beginbfrange')).map(charactersOf);
  return typefaces.map((characters) =>
    glyphs.map((glyph) => characters.get(Number.parseInt(glyph, 16)) ?? '').join(''),
  );
}

function streamsOf(file: Buffer): string[] {
  const streams: string[] = [];
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 1)) {
    const end = file.indexOf('endstream', at);
    try {
      streams.push(inflateSync(file.subarray(at + 'stream\n'.length, end)).toString('latin1'));
    } catch {
      // A picture, or the end of a stream before.
    }
  }
  return streams;
}

/** The character of each glyph, by the ranges of a ToUnicode map. */
function charactersOf(map: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]+)>\s*<[0-9a-f]+>\s*\[([^\]]*)\]/gi)) {
    const characters = list.match(/[0-9a-f]{4,}/gi) ?? [];
    for (const [n, hex] of characters.entries()) {
      const units = (hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
      found.set(Number.parseInt(from, 16) + n, String.fromCharCode(...units));
    }
  }
  return found;
}
