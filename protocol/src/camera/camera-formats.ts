import { z } from 'zod';
import type { DocumentParser } from '../plate-read.ts';
import { parseOpenAlpr } from './open-alpr-frame.ts';
import { parseSurvision } from './survision-frame.ts';

/** A format of camera documents. */
export interface CameraFormatEntry {
  parse: DocumentParser;
  /** As the technician knows it. */
  maker: string;
}

/** Every format of documents that cameras post to us: to add one, write its `-frame` file and name it here. */
export const CAMERA_FORMATS = {
  'open-alpr': { parse: parseOpenAlpr, maker: 'OpenALPR / Rekor Scout' },
  survision: { parse: parseSurvision, maker: 'Survision' },
} satisfies Record<string, CameraFormatEntry>;

export type CameraFormat = keyof typeof CAMERA_FORMATS;

// `Object.keys` forgets which keys they are.
const names = Object.keys(CAMERA_FORMATS) as CameraFormat[];

/** The name of a format, as settings and addresses write it. */
export const CameraFormatSchema = z.enum(names).meta({ id: 'CameraFormat' });
