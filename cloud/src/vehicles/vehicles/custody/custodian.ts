import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { AccountSchema } from '../../../people/accounts/account.ts';
import { actionsFor } from '../../../people/auth/record-actions.ts';
import { CustomerViewSchema } from '../../../people/customers/customer.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { IdSchema, MomentSchema, PlateSchema } from '../../../platform/http/input-fields.ts';
import type { CustodianRow } from '../../../records/vehicles/custodian-table.ts';
import { VehicleSchema } from '../../../records/vehicles/vehicle.ts';
import { CUSTODIAN_ACTION_NAMES, CUSTODIAN_ACTIONS, CustodianActionsSchema } from './custodian-actions.ts';

export const NewCustodianSchema = z
  .strictObject({
    plate: PlateSchema.optional(),
    vehicleId: IdSchema.optional().describe('The id of the vehicle, in place of the plate.'),
    customerId: IdSchema.optional().describe(
      "For operators; the custodian is the caller's customer for others.",
    ),
    accountId: IdSchema.optional().describe(
      'For operators: the account of the custodian. Without `customerId` its customer is used.',
    ),
    dateFrom: MomentSchema.optional().describe('Default: now.'),
    dateTo: MomentSchema.nullable().optional().describe('Null: until further notice.'),
    autoRelease: z.boolean().optional().describe('Releases the present custodian first; for operators.'),
  })
  .meta({ id: 'NewCustodian', example: { plate: 'ABX12', customerId: 'c1', autoRelease: true } });
export type NewCustodian = z.infer<typeof NewCustodianSchema>;

/** The records that come with a custodian where `include` asks for them. */
const IncludedSchema = z.enum(['vehicle', 'customer', 'account']);
export type Included = z.infer<typeof IncludedSchema>;

/** The query parameter `include`. */
export const IncludeSchema = z
  .string()
  .regex(
    /^(vehicle|customer|account)(,(vehicle|customer|account))*$/,
    wrong('not-one-of', { values: ['vehicle', 'customer', 'account'], more: 0 }),
  )
  .transform((text) => z.array(IncludedSchema).parse(text.split(',')))
  .openapi({
    type: 'string',
    pattern: '^(vehicle|customer|account)(,(vehicle|customer|account))*$',
    description: 'What to include: vehicle, customer or account, comma-separated.',
    example: 'vehicle,customer',
  });

/** A custody as the API shows it. */
export const CustodianSchema = z
  .strictObject({
    id: z.string(),
    vehicleId: z.string(),
    customerId: z.string(),
    accountId: z.string().nullable(),
    dateFrom: UtcTimeSchema,
    dateTo: UtcTimeSchema.nullable().describe('Not included; null: until further notice.'),
    status: z.enum(['active', 'archived']).describe('Archived: released.'),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
    vehicle: VehicleSchema.nullable().optional().describe('Present with `include=vehicle`.'),
    customer: CustomerViewSchema.nullable().optional().describe('Present with `include=customer`.'),
    account: AccountSchema.nullable().optional().describe('Present with `include=account`.'),
  })
  .meta({ id: 'Custodian' });
export type Custodian = z.infer<typeof CustodianSchema>;

export function custodianFrom({ createdAt, modifiedAt, ...same }: CustodianRow): Custodian {
  return { ...same, createdOn: createdAt, modifiedOn: modifiedAt };
}

/** A custody with what its reader can do with it. */
export const ShownCustodianSchema = z
  .strictObject({ ...CustodianSchema.shape, actions: CustodianActionsSchema })
  .meta({ id: 'CustodianWithActions' });
export type ShownCustodian = z.infer<typeof ShownCustodianSchema>;

export function custodianFor(caller: Caller, row: CustodianRow): ShownCustodian {
  const actions = actionsFor(CUSTODIAN_ACTION_NAMES, CUSTODIAN_ACTIONS, caller, {}, row);
  return { ...custodianFrom(row), actions };
}
