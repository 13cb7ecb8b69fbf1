import type { DocumentParser } from '../plate-read.ts';
import { fromUtf16 } from './body-text.ts';
import { fromForm } from './form-body.ts';
import { refuse } from './json-border.ts';

/** What a body may be made of. */
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
  /** Of one document: pictures in base64 make megabytes. */
  maxBytes: number;
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

const MIB = 1024 * 1024;

/** A format whose parser gets plain UTF-8 and no body larger than its maker sends. */
export function cameraFormat({
  parse,
  maxMegabytes = 12,
  ...entry
}: Omit<CameraFormatEntry, 'maxBytes'> & { maxMegabytes?: number }): CameraFormatEntry {
  const maxBytes = maxMegabytes * MIB;
  return {
    ...entry,
    maxBytes,
    parse(body, context) {
      if (body.length > maxBytes) return refuse('malformed', `the document has more than ${maxBytes} bytes`);
      const plain = fromUtf16(body) ?? body;
      return parse(fromForm(plain) ?? plain, context);
    },
  };
}
