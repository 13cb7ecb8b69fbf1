import { z } from 'zod';
import type { DocumentParser } from '../plate-read.ts';
import { parseAxis } from './axis-frame.ts';
import { fromUtf16 } from './body-text.ts';
import { parseDahua } from './dahua-frame.ts';
import { fromForm } from './form-body.ts';
import { parseHikvision } from './hikvision-frame.ts';
import { refuse } from './json-border.ts';
import { parseMilesight } from './milesight-frame.ts';
import { parseOpenAlpr } from './open-alpr-frame.ts';
import { parseSurvision } from './survision-frame.ts';

/** What a body may be made of. */
export type BodyKind = 'json' | 'xml' | 'multipart';

/** A format of camera documents. */
export interface CameraFormatEntry {
  parse: DocumentParser;
  /** As the technician knows it. */
  maker: string;
  bodies: readonly BodyKind[];
  /** Of one document: pictures in base64 make megabytes. */
  maxBytes: number;
}

const MIB = 1024 * 1024;

/** Every format of documents that cameras post to us: to add one, write its `-frame` file and name it here. */
export const CAMERA_FORMATS = {
  'open-alpr': bounded('OpenALPR / Rekor Scout', parseOpenAlpr, ['json'], 6 * MIB),
  survision: bounded('Survision', parseSurvision, ['json', 'xml'], 6 * MIB),
  hikvision: bounded('Hikvision ISAPI', parseHikvision, ['multipart', 'xml', 'json'], 4 * MIB),
  axis: bounded('AXIS License Plate Verifier', parseAxis, ['json', 'xml', 'multipart'], 6 * MIB),
  milesight: bounded('Milesight', parseMilesight, ['json'], 6 * MIB),
  dahua: bounded('Dahua / Intelbras ITSAPI', parseDahua, ['json', 'multipart', 'xml'], 6 * MIB),
} satisfies Record<string, CameraFormatEntry>;

export type CameraFormat = keyof typeof CAMERA_FORMATS;

// `Object.keys` forgets which keys they are.
const names = Object.keys(CAMERA_FORMATS) as CameraFormat[];

/** The name of a format, as settings and addresses write it. */
export const CameraFormatSchema = z.enum(names).meta({ id: 'CameraFormat' });

/** A parser that looks at no body larger than its maker sends. */
function bounded(
  maker: string,
  parse: DocumentParser,
  bodies: readonly BodyKind[],
  maxBytes: number,
): CameraFormatEntry {
  return {
    maker,
    bodies,
    maxBytes,
    parse(body, context) {
      if (body.length > maxBytes) return refuse('malformed', `the document has more than ${maxBytes} bytes`);
      const plain = fromUtf16(body) ?? body;
      return parse(fromForm(plain) ?? plain, context);
    },
  };
}
