import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { z } from '@hono/zod-openapi';
import { parseKennitala } from 'is-kennitala';

/** The id of a row. Ours are UUIDs; those of sites and of their lanes and terminals are chosen by people. */
export const IdSchema = z.string().min(1).max(128);

/** A plate as people write it; normalised. */
export const PlateSchema = z
  .string()
  .max(50)
  .overwrite(normalisePlate)
  .min(1, wrong('plate-form'))
  .describe('The plate in any spelling; it is stored in capitals, letters and digits only.');

/** The description of the parameter `plate` of a list (search-key.ts). */
export const PART_OF_PLATE =
  'A plate or a part of it: two characters match its beginning, three also its middle. Similar ' +
  'plates are found too.';

/** A moment with any offset, in UTC from here on. */
export const MomentSchema = z.iso
  .datetime({ offset: true })
  // The seconds may have any number of decimals.
  .max(40, { abort: true })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : utcTime(Date.parse(text))))
  // Its offset may take a moment out of the years that are written with four digits, and moments sort as text.
  .refine((text) => !/^[+-]/.test(text), wrong('year-out-of-range'));

/** A day where the sites are, or a moment. */
export const DayOrMomentSchema = z.union([z.iso.date(), MomentSchema]);

/**
 * A national id (kennitala) of a person or a company, written with or without its dash; ten digits from here on. Its
 * check digit is not looked at: since February 2026 ids are given out without one.
 */
export const SsnSchema = z
  .string()
  .max(20)
  .overwrite((text) => parseSsn(text) ?? text)
  .refine((text) => parseSsn(text) !== undefined, wrong('no-ssn'))
  .describe('National id (kennitala), with or without a dash; stored as ten digits.');

/** The ten digits of a person's national id, written with or without its dash; null where it is none. */
export function readPersonSsn(text: string, accepts: { madeUpPeople: boolean }): string | null {
  const options = { strictDate: true, type: 'person', robot: accepts.madeUpPeople } as const;
  return parseKennitala(text, options)?.value ?? null;
}

function parseSsn(text: string): string | undefined {
  return parseKennitala(text, { strictDate: true })?.value;
}

/** A query parameter that is `true` or `false`. */
export const YesNoSchema = z.enum(['true', 'false']).transform((text) => text === 'true');
