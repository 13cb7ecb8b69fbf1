import type { DocumentParser } from '../plate/plate-read.ts';
import { beginsAsJson, fromUtf16 } from './body-text.ts';
import { MAX_DOCUMENT_BYTES, shortenDocument, shorteningWords } from './document-collector.ts';
import { fromForm } from './form-body.ts';
import { withFaults } from './json-border.ts';
import { closeJson } from './json-fault.ts';

/** The formats of a body. */
export type BodyKind = 'json' | 'xml' | 'multipart';

/** Numbers of reads that were stored, and that were already known. */
export interface StoredReads {
  stored: number;
  repeated: number;
}

/** Result of handling a document: stored, or refused with messages for the technician. */
export type DocumentResult =
  | { ok: true; kind: string; reads: StoredReads }
  | { ok: false; messages: readonly string[] };

/** A maker's format of camera documents. Everything specific to the maker is in its own `-frame` file. */
export interface CameraFormatEntry {
  parse: DocumentParser;
  /** Display name. */
  maker: string;
  bodies: readonly BodyKind[];
  /**
   * Whether a document with these names of members and elements (folded by `foldKeys`) is certainly of this maker;
   * absent: unknown. Only for `recogniseFormat`: a parser accepts more than can be recognised.
   */
  recognises?: (names: ReadonlySet<string>) => boolean;
  /** Suffix that the maker's devices append to the configured path. */
  pathSuffix?: RegExp;
  /** The answer that the maker's devices expect; without it they get `DocumentResult`'s reads or messages. */
  answer?: (result: DocumentResult) => object;
}

/** A format with a parser that gets plain UTF-8, and a body that is too large without its large pictures. */
export function cameraFormat({ parse, ...entry }: CameraFormatEntry): CameraFormatEntry {
  return {
    ...entry,
    parse(given, context) {
      const { body, shortening } = shortenDocument(given, MAX_DOCUMENT_BYTES);
      const shortened = context.shortening ?? shortening;
      const plain = fromUtf16(body) ?? body;
      const unwrapped = fromForm(plain) ?? plain;
      const parsed = parse(shortened?.isCut ? withItsEnd(unwrapped) : unwrapped, context);
      if (shortened === null || !parsed.ok) return parsed;
      return withFaults(parsed, [shorteningWords(shortened)]);
    },
  };
}

/** JSON without its end is read up to its last whole value; the multipart parser accepts a missing end. */
function withItsEnd(body: Uint8Array): Uint8Array {
  if (!beginsAsJson(body)) return body;
  const closed = closeJson(new TextDecoder().decode(body));
  return closed === null ? body : new TextEncoder().encode(closed);
}
