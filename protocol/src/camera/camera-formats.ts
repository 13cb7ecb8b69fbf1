import { z } from 'zod';
import { AXIS } from './axis-frame.ts';
import type { CameraFormatEntry } from './camera-format.ts';
import { DAHUA } from './dahua-frame.ts';
import { GENETEC } from './genetec-frame.ts';
import { HIKVISION } from './hikvision-frame.ts';
import { MILESIGHT } from './milesight-frame.ts';
import { OPEN_ALPR } from './open-alpr-frame.ts';
import { PLATE_RECOGNIZER } from './plate-recognizer-frame.ts';
import { SURVISION } from './survision-frame.ts';
import { TATTILE } from './tattile-frame.ts';
import { VAXTOR } from './vaxtor-frame.ts';

/** Every format of documents that cameras post to us. To add one, write its `-frame` file and name it here. */
const FORMATS = {
  'open-alpr': OPEN_ALPR,
  survision: SURVISION,
  hikvision: HIKVISION,
  axis: AXIS,
  milesight: MILESIGHT,
  dahua: DAHUA,
  genetec: GENETEC,
  vaxtor: VAXTOR,
  tattile: TATTILE,
  'plate-recognizer': PLATE_RECOGNIZER,
};

export type CameraFormat = keyof typeof FORMATS;

export const CAMERA_FORMATS: Readonly<Record<CameraFormat, CameraFormatEntry>> = FORMATS;

// `Object.keys` forgets which keys they are.
const names = Object.keys(CAMERA_FORMATS) as CameraFormat[];

/** The name of a format, as settings and addresses write it. */
export const CameraFormatSchema = z.enum(names).meta({ id: 'CameraFormat' });
