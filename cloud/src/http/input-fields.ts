import { normalisePlate } from '@hlid/protocol/plate';
import { utcTime } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';

/** A plate as people write it; normalised. */
export const PlateSchema = z
  .string()
  .max(50)
  .overwrite(normalisePlate)
  .min(1, 'a plate has a letter or a digit')
  .describe('In any spelling; kept in capitals, letters and digits only.');

/** A moment with any offset, in UTC from here on. */
export const MomentSchema = z.iso
  .datetime({ offset: true })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : utcTime(Date.parse(text))));
