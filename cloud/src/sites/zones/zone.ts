import { hideCardNumbers, TypedTextSchema } from '@hlid/protocol/base/card-number';
import { atMostKeys } from '@hlid/protocol/base/json-bounds';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NameSchema, ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { carsInside } from '@hlid/protocol/site-link/occupancy';
import { ZoneItemSchema } from '@hlid/protocol/site-link/site-change';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import { OccupancyActionsSchema, ZoneActionsSchema } from './zone-actions.ts';
import type { CorrectionRow, ZoneRow } from './zone-store.ts';

const MAX_SETTINGS = 100;
const MAX_SETTINGS_LENGTH = 10_000;

/** Free-form but for `capacity` and `lanes`. */
export const ZoneSettingsSchema = z
  .looseObject({
    capacity: ZoneItemSchema.shape.capacity
      .optional()
      .describe('The number of spaces; null or absent: not counted.'),
    lanes: z
      .array(TypedTextSchema.trim().min(1).max(100))
      .max(100)
      .refine((lanes) => new Set(lanes).size === lanes.length, wrong('lane-twice'))
      .optional()
      .describe('Ids of the entrances that lead into it, as in its site’s configuration.'),
  })
  .overwrite(withoutCards)
  .refine(...atMostKeys(MAX_SETTINGS))
  .refine(
    (settings) => JSON.stringify(settings).length <= MAX_SETTINGS_LENGTH,
    wrong('too-long', { maximum: MAX_SETTINGS_LENGTH }),
  )
  .meta({
    id: 'ZoneSettings',
    maxProperties: MAX_SETTINGS,
    example: { capacity: 120, lanes: ['in-1'], level: -1 },
  });

/** Masks card numbers in the texts of settings, at any depth. */
function withoutCards<Settings>(settings: Settings): Settings {
  return JSON.parse(
    JSON.stringify(settings, (_key, value) => (typeof value === 'string' ? hideCardNumbers(value) : value)),
  );
}

const fields = {
  name: NameSchema,
  settings: ZoneSettingsSchema,
  siteId: IdSchema,
};

export const NewZoneSchema = z
  .strictObject({
    ...fields,
    siteId: fields.siteId.optional().describe('Optional if there is only one site.'),
  })
  .meta({ id: 'NewZone', example: { name: 'Cellar', settings: { capacity: 120, lanes: ['in-1'] } } });
export type NewZone = z.infer<typeof NewZoneSchema>;

export const ZoneEditSchema = z
  .strictObject({
    ...fields,
    settings: settingsEdit(ZoneSettingsSchema).meta({ id: 'ZoneSettingsEdit', maxProperties: MAX_SETTINGS }),
  })
  .partial()
  .meta({ id: 'ZoneEdit', example: { settings: { capacity: 110 } } });
export type ZoneEdit = z.infer<typeof ZoneEditSchema>;

/** A zone as the API shows it. */
export const ZoneSchema = z
  .strictObject({
    id: z.string(),
    ...fields,
    capacity: ZoneItemSchema.shape.capacity.describe('The capacity in its settings; null: not counted.'),
    occupancy: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Vehicles inside now: open visits that entered by its lanes, as corrected by the last count of a person. The ' +
          'oldest zone without lanes has all other visits; further zones without lanes have null: not known.',
      ),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({
    id: 'Zone',
    example: {
      id: '7b0c6c0e-8f0b-4f0e-9a51-0d5c6c1f7a11',
      name: 'Cellar',
      settings: { capacity: 120, lanes: ['in-1'] },
      siteId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
      capacity: 120,
      occupancy: 87,
      createdOn: '2026-11-21T12:00:00.000Z',
      modifiedOn: '2026-11-21T12:00:00.000Z',
    },
  });
export type Zone = z.infer<typeof ZoneSchema>;

/** @param counted visits that are open in it; null: not known */
export function zoneFrom(row: ZoneRow, counted: number | null): Zone {
  const { createdAt, modifiedAt, insideOffset, ...same } = row;
  const { capacity } = zoneItem(row);
  const occupancy = counted === null ? null : carsInside(counted, insideOffset);
  return { ...same, capacity, occupancy, createdOn: createdAt, modifiedOn: modifiedAt };
}

/** The entrances that lead into a zone; none: they are not set. */
export function lanesOf({ settings }: ZoneRow): readonly string[] {
  return ZoneSettingsSchema.parse(settings).lanes ?? [];
}

/** The part of a zone that its site needs. */
export function zoneItem({ id, name, settings, insideOffset }: ZoneRow): z.infer<typeof ZoneItemSchema> {
  const { capacity = null } = ZoneSettingsSchema.parse(settings);
  return { id, name, capacity, ...(insideOffset !== 0 && { insideOffset }) };
}

export const OccupancyEditSchema = z
  .strictObject({
    inside: z.int().min(0).max(1_000_000).describe('Cars inside, as counted by a person.'),
    reason: ReasonSchema,
  })
  .meta({ id: 'ZoneOccupancyEdit', example: { inside: 84, reason: 'Counted on the round' } });
export type OccupancyEdit = z.infer<typeof OccupancyEditSchema>;

/** How full a zone is, and how people corrected that. */
export const OccupancySchema = z
  .strictObject({
    id: z.string().describe('The zone’s.'),
    capacity: ZoneItemSchema.shape.capacity,
    inside: z.int().min(0).nullable().describe('The number of cars, as `occupancy` of the zone.'),
    counted: z.int().min(0).nullable().describe('Open visits alone.'),
    corrections: z
      .array(
        z.strictObject({
          inside: z.int().min(0),
          insideBefore: z.int().min(0),
          reason: z.string(),
          by: z.string(),
          on: UtcTimeSchema,
        }),
      )
      .describe('The last ones, newest first.'),
  })
  .meta({ id: 'ZoneOccupancy' });
export type Occupancy = z.infer<typeof OccupancySchema>;

export function occupancyFrom(
  row: ZoneRow,
  counted: number | null,
  made: readonly CorrectionRow[],
): Occupancy {
  const { id, capacity, occupancy: inside } = zoneFrom(row, counted);
  const corrections = made.map(({ inside: found, insideBefore, reason, by, at }) => ({
    inside: found,
    insideBefore,
    reason,
    by,
    on: at,
  }));
  return { id, capacity, inside, counted, corrections };
}

/** A zone on its own, with what its reader can do with it. */
export const ShownZoneSchema = z
  .strictObject({ ...ZoneSchema.shape, actions: ZoneActionsSchema })
  .meta({ id: 'ZoneWithActions' });

export const ShownOccupancySchema = z
  .strictObject({ ...OccupancySchema.shape, actions: OccupancyActionsSchema })
  .meta({ id: 'ZoneOccupancyWithActions' });
