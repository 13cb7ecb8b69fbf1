import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { VisitStatusSchema } from '@hlid/protocol/records/visit';
import { ProductConfigSchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import { type OpenQuotaVisit, type QuotaRow, SHOWN_VISITS } from '../../records/quotas/quota-store.ts';
import { QuotaActionsSchema } from './quota-actions.ts';

/** More units than any driver parks for; it keeps their sums exact. */
const MAX_UNITS = 1_000_000;

const fields = {
  customer: IdSchema.describe('Id of the customer that owns the units.'),
  product: IdSchema.describe('Id of a product of type `quota`.'),
  quantity: z.int().min(1).max(MAX_UNITS).describe('The total of units of 24 hours.'),
  name: NameSchema,
  config: ProductConfigSchema.describe('When units count, by the wall clock of the site.'),
};

export const NewQuotaSchema = z
  .strictObject({
    ...fields,
    name: fields.name.optional().describe('Default: the name of its product.'),
    config: fields.config.optional().describe('Default: from its product.'),
  })
  .meta({ id: 'NewQuota', example: { customer: 'c1', product: 'p1', quantity: 30, name: 'Staff' } });
export type NewQuota = z.infer<typeof NewQuotaSchema>;

export const QuotaEditSchema = z
  .strictObject({
    ...fields,
    customer: fields.customer.describe('Can only be changed while no unit is used.'),
    product: fields.product.describe('Can only be changed while no unit is used.'),
    quantity: fields.quantity.describe('The total of units of 24 hours; at least those used.'),
    config: settingsEdit(ProductConfigSchema).meta({ id: 'QuotaConfigEdit' }),
  })
  .partial()
  .meta({ id: 'QuotaEdit', example: { quantity: 60 } });
export type QuotaEdit = z.infer<typeof QuotaEditSchema>;

/** A visit that stands in a quota now. */
const CurrentVisitSchema = z
  .strictObject({
    quotaId: z.string(),
    customerId: z.string(),
    visitId: z.string(),
    plate: z.string().nullable(),
    units: z.int().min(1).describe('The units that it has used.'),
    visit: z.strictObject({
      id: z.string(),
      siteId: z.string(),
      plate: z.string().nullable(),
      status: VisitStatusSchema,
      startedOn: UtcTimeSchema,
    }),
  })
  .meta({ id: 'QuotaVisit' });

/** A quota as the API shows it; `used` and `free` make up `total`. */
export const QuotaSchema = z
  .strictObject({
    id: z.string(),
    customerId: z.string(),
    productId: z.string(),
    name: z.string(),
    total: z.int().min(0),
    used: z.int().min(0),
    free: z.int().min(0),
    config: ProductConfigSchema,
    currentVisits: z
      .array(CurrentVisitSchema)
      .max(SHOWN_VISITS)
      .describe(`Open visits, at most ${SHOWN_VISITS}.`),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({
    id: 'CustomerQuota',
    example: {
      id: '5f0c6c0e-8f0b-4f0e-9a51-0d5c6c1f7a11',
      customerId: 'c1',
      productId: 'p1',
      name: 'Staff',
      total: 30,
      used: 12,
      free: 18,
      config: { startTime: '00:00', endTime: '23:59' },
      currentVisits: [],
      createdOn: '2026-11-21T12:00:00.000Z',
      modifiedOn: '2026-11-21T12:00:00.000Z',
    },
  });
export type Quota = z.infer<typeof QuotaSchema>;

export function quotaFrom(row: QuotaRow, open: readonly OpenQuotaVisit[]): Quota {
  const { id, customerId, productId, name, total, used, config, createdAt, modifiedAt } = row;
  return {
    id,
    customerId,
    productId,
    name,
    total,
    used,
    free: total - used,
    config,
    currentVisits: open.map(({ visit: { startedAt, ...visit }, ...same }) => ({
      ...same,
      visitId: visit.id,
      plate: visit.plate,
      visit: { ...visit, startedOn: startedAt },
    })),
    createdOn: createdAt,
    modifiedOn: modifiedAt,
  };
}

/** A quota on its own, with what its reader can do with it. */
export const ShownQuotaSchema = z
  .strictObject({ ...QuotaSchema.shape, actions: QuotaActionsSchema })
  .meta({ id: 'QuotaWithActions' });
