import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { type Permit, PermitSchema, WeeklyRuleSchema } from '@hlid/protocol/records/whitelist';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema, PlateSchema } from '../../platform/http/input-fields.ts';
import type { whitelistTable } from '../../records/whitelist/whitelist-table.ts';

export type EntryRow = typeof whitelistTable.$inferSelect;

const { type } = PermitSchema.shape;
export const MAX_RULES = 50;
const STATUSES = ['active', 'paused', 'deleted'] as const;

const fields = {
  plate: PlateSchema,
  reason: ReasonSchema,
  activeFrom: MomentSchema.nullable(),
  /** The time from which it no longer holds; null: never. */
  expireOn: MomentSchema.nullable(),
  objectType: z.enum(['allow', 'block']),
  rules: z.array(WeeklyRuleSchema).max(MAX_RULES),
  collection: TypedTextSchema.min(1).max(100).nullable(),
  status: z.enum(STATUSES),
  siteId: IdSchema.nullable().describe('Null: at every site.'),
  authorId: IdSchema.describe('The account that owns the entry; operators may set it.'),
};

const example = {
  plate: 'AB-X12',
  reason: 'Staff',
  activeFrom: '2026-11-21T08:00:00.000Z',
  expireOn: null,
  collection: 'staff',
};

export const NewEntrySchema = z
  .strictObject({
    plate: fields.plate,
    reason: ReasonSchema,
    type: type.optional().describe('Default: `permanent`, or `visit` with a `visitId`.'),
    visitId: IdSchema.optional().describe('The visit that it covers, for type `visit`.'),
    activeFrom: fields.activeFrom.optional(),
    expireOn: fields.expireOn.optional().describe('Default: by the options of the author’s account.'),
    objectType: fields.objectType.optional(),
    rules: fields.rules.optional(),
    collection: fields.collection.optional(),
    status: z.enum(['active', 'paused']).optional(),
    siteId: fields.siteId.optional(),
    authorId: fields.authorId.optional(),
  })
  .meta({ id: 'NewWhitelistEntry', example });
export type NewEntry = z.infer<typeof NewEntrySchema>;

export const EntryEditSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'WhitelistEntryEdit', example: { status: 'paused' as const } });
export type EntryEdit = z.infer<typeof EntryEditSchema>;

export const VisitEntrySchema = z
  .strictObject({
    reason: ReasonSchema,
    type: z.enum(['time', 'visit']).optional(),
    expireOn: MomentSchema.optional(),
  })
  .meta({ id: 'VisitWhitelisting', example: { reason: 'Guest of the second floor' } });
export type VisitEntry = z.infer<typeof VisitEntrySchema>;

/** A whitelist entry as the API shows it; `visitId` is of temporary ones. */
export const EntrySchema = z
  .strictObject({
    id: z.string(),
    author: z.strictObject({ id: z.string(), name: z.string().nullable() }),
    authorId: z.string().nullable(),
    plate: z.string(),
    type,
    visitId: z.string().nullable(),
    activeFrom: UtcTimeSchema.nullable(),
    expireOn: UtcTimeSchema.nullable(),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
    reason: z.string(),
    objectType: fields.objectType,
    collection: z.string().nullable(),
    rules: fields.rules,
    status: fields.status,
    siteId: z.string().nullable(),
    arrivalsOnly: z.boolean().describe('It does not apply to a stay that began before `activeFrom`.'),
    parkedMinutes: z
      .int()
      .describe('The number of minutes from the start of a stay before `activeFrom` that it covers too.'),
  })
  .meta({ id: 'WhitelistEntry' });
export type Entry = z.infer<typeof EntrySchema>;

/** @param authorName as its account or token is called */
export function entryFrom(row: EntryRow, authorName: string | null): Entry {
  const {
    plateFolded: _folded,
    customerId: _customer,
    effect,
    expireAt,
    createdAt,
    modifiedAt,
    author,
    ...same
  } = row;
  return {
    ...same,
    author: { id: author.slice(author.indexOf(':') + 1), name: authorName },
    objectType: effect,
    expireOn: expireAt,
    createdOn: createdAt,
    modifiedOn: modifiedAt,
  };
}

/** The entry as sites hold it; null: they do not. */
export function permitOf(row: EntryRow): Permit | null {
  const { id, plate, effect, type, visitId, activeFrom, expireAt, status, rules } = row;
  const { arrivalsOnly, parkedMinutes } = row;
  if (status === 'deleted') return null;
  return {
    id,
    plate,
    effect,
    type,
    visitId,
    activeFrom,
    expireAt,
    status,
    rules,
    // Left out where they have their defaults: a list has a million of these.
    ...(arrivalsOnly && { arrivalsOnly }),
    ...(parkedMinutes > 0 && { parkedMinutes }),
  };
}
