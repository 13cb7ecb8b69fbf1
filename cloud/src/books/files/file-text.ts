import type { FileEncoding } from '@hlid/protocol/base/books-files';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';

/** How files begin that people export by mistake. */
const BINARIES: readonly (readonly [start: string, format: string])[] = [
  ['%PDF', 'PDF'],
  ['PK\u0003\u0004', 'XLSX or ZIP'],
  ['\u00d0\u00cf\u0011\u00e0', 'XLS'],
  ['\u001f\u008b', 'GZIP'],
];

const LINE_FEED = 10;
const PROLOGUE_BYTES = 200;

/**
 * The text of a file. A byte order mark or the encoding that an XML file declares goes before the one of the account.
 *
 * @param encoding undefined: UTF-8
 */
export function textOfFile(
  bytes: Uint8Array,
  encoding: FileEncoding = 'utf-8',
): { ok: true; text: string } | RefusedInput {
  if (bytes.length === 0) return refusedInput(mistake('file-empty'));
  const start = Buffer.from(bytes.subarray(0, PROLOGUE_BYTES)).toString('latin1');
  const binary = BINARIES.find(([mark]) => start.startsWith(mark));
  if (binary !== undefined) return refusedInput(mistake('file-not-text', [], { format: binary[1] }));
  const [, declared] = /^\s*(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding=["']([\w.-]+)["']/.exec(start) ?? [];
  const name = markedEncoding(bytes) ?? declared?.toLowerCase() ?? encoding;
  const decoder = decoderOf(name);
  if (decoder === null) return refusedInput(mistake('file-encoding', [], { line: '1', encoding: name }));
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    const line = String(firstWrongLine(bytes, name));
    return refusedInput(mistake('file-encoding', [], { line, encoding: name.toUpperCase() }));
  }
  if (text.trim() === '') return refusedInput(mistake('file-empty'));
  if (text.includes('\0')) return refusedInput(mistake('file-not-text', [], { format: 'binary' }));
  return { ok: true, text };
}

function markedEncoding(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function decoderOf(name: string) {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function firstWrongLine(bytes: Uint8Array, name: string): number {
  const decoder = new TextDecoder(name, { fatal: true });
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const until = end === -1 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(from, until));
    } catch {
      return line;
    }
    from = until;
  }
  return line;
}
