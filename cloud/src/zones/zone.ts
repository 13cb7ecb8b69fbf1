import { ZoneItemSchema } from '@hlid/protocol/site-change';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from '@hono/zod-openapi';
import type { ZoneRow } from './zone-store.ts';

/** Free-form but for `capacity`: how many cars fit; null or absent: not counted. */
const SettingsSchema = z
  .looseObject({ capacity: ZoneItemSchema.shape.capacity.optional() })
  .meta({ id: 'ZoneSettings', example: { capacity: 120, level: -1 } });

const fields = {
  name: z.string().min(1).max(200),
  settings: SettingsSchema,
  siteId: z.string(),
};

export const NewZoneSchema = z
  .strictObject({
    ...fields,
    siteId: fields.siteId.optional().describe('May be left out where there is one site only.'),
  })
  .meta({ id: 'NewZone', example: { name: 'Cellar', settings: { capacity: 120 } } });
export type NewZone = z.infer<typeof NewZoneSchema>;

export const ZoneEditSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'ZoneEdit', example: { settings: { capacity: 110 } } });
export type ZoneEdit = z.infer<typeof ZoneEditSchema>;

/** A zone as the API shows it. */
export const ZoneSchema = z
  .strictObject({ id: z.string(), ...fields, createdOn: UtcTimeSchema, modifiedOn: UtcTimeSchema })
  .meta({ id: 'Zone' });
export type Zone = z.infer<typeof ZoneSchema>;

export function zoneFrom({ createdAt, modifiedAt, ...same }: ZoneRow): Zone {
  return { ...same, createdOn: createdAt, modifiedOn: modifiedAt };
}

/** What its site needs to know of it. */
export function zoneItem({ id, name, settings }: ZoneRow): z.infer<typeof ZoneItemSchema> {
  const { capacity = null } = SettingsSchema.parse(settings);
  return { id, name, capacity };
}
