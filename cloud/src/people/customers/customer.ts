import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { INVOICE_PARTY_SHAPE } from '@hlid/protocol/base/invoice-party';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { BillingMethodSchema } from '@hlid/protocol/site-link/site-change';
import { z } from '@hono/zod-openapi';
import { IdSchema, SsnSchema } from '../../platform/http/input-fields.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import type { CustomerRow } from '../../records/customers/customer-store.ts';
import { CustomerActionsSchema } from './customer-actions.ts';

/** The options that a customer has chosen or received, with the defaults of the others. */
export const CustomerOptionsSchema = z.strictObject({
  sendInvoicesToEmail: z.boolean().default(false),
  sendInvoicesToPublishingSystem: z.boolean().default(false),
  billingMethod: BillingMethodSchema.nullable().default(null).describe('Null: without customer terms.'),
  billingSsn: SsnSchema.nullable().default(null).describe('The payer, if it is not the customer itself.'),
  discount: z
    .number()
    .min(0)
    .max(100)
    .multipleOf(0.01)
    .default(0)
    .describe('Discount on collective invoices, in percent.'),
  street: INVOICE_PARTY_SHAPE.street.nullable().default(null),
  postcode: INVOICE_PARTY_SHAPE.postcode.nullable().default(null),
  city: INVOICE_PARTY_SHAPE.city.nullable().default(null),
  country: INVOICE_PARTY_SHAPE.country.nullable().default(null),
  electronicAddress: INVOICE_PARTY_SHAPE.electronicAddress.nullable().default(null),
});

const options = CustomerOptionsSchema.shape;
const OptionsEditSchema = settingsEdit(CustomerOptionsSchema).meta({ id: 'CustomerOptionsEdit' });

const fields = {
  ssn: SsnSchema.nullable(),
  name: NameSchema.nullable(),
  email: MailAddressSchema.nullable(),
  phone: z
    .string()
    .regex(/^\+?[\d ()-]{3,29}$/, wrong('phone-form'))
    .nullable(),
  language: OfficeLanguageSchema,
};

export const NewCustomerSchema = z
  .strictObject({ ...fields, options: OptionsEditSchema })
  .partial()
  .required({ language: true })
  .meta({
    id: 'NewCustomer',
    example: {
      ssn: '530575-0209',
      name: 'Bílaleigan ehf.',
      email: 'bokhald@example.is',
      language: 'is',
      options: { billingMethod: 'monthly', sendInvoicesToEmail: true, discount: 10 },
    },
  });
export type NewCustomer = z.infer<typeof NewCustomerSchema>;

/** Fields that are not given stay. */
export const CustomerEditSchema = z
  .strictObject({ id: IdSchema, ...fields, options: OptionsEditSchema })
  .partial()
  .meta({ id: 'CustomerEdit', example: { email: 'bokhald@example.is', options: { discount: 12.5 } } });
export type CustomerEdit = z.infer<typeof CustomerEditSchema>;

/** The rest of the units that it has paid for in advance. */
const CustomerQuotaSchema = z
  .strictObject({
    total: z.int().min(0),
    free: z.int().min(0),
    used: z.int().min(0),
    currentVisits: z.array(z.string()).describe('Open visits that use it.'),
  })
  .meta({ id: 'CustomerQuotaSummary' });
export type CustomerQuota = z.infer<typeof CustomerQuotaSchema>;

const shown = {
  id: z.string(),
  ssn: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  language: fields.language,
  createdOn: UtcTimeSchema,
  modifiedOn: UtcTimeSchema,
  options: z
    .strictObject({ ...options, billingSsn: z.string().nullable(), discount: z.number() })
    .required()
    .meta({ id: 'CustomerOptions' }),
};

/** A customer as others show it. */
export const CustomerViewSchema = z.strictObject(shown).meta({ id: 'CustomerView' });
export type CustomerView = z.infer<typeof CustomerViewSchema>;

/** A customer as the API shows it. */
export const CustomerSchema = z
  .strictObject({ ...shown, quota: CustomerQuotaSchema })
  .meta({ id: 'Customer' });
export type Customer = z.infer<typeof CustomerSchema>;

/** The address of customers that were stored before they had one. */
const NO_ADDRESS = { street: null, postcode: null, city: null, country: null, electronicAddress: null };

export function customerViewFrom(row: CustomerRow): CustomerView {
  const { id, ssn, name, email, phone, language, createdAt, modifiedAt, billingMethod } = row;
  return {
    id,
    ssn,
    name,
    email,
    phone,
    language,
    createdOn: createdAt,
    modifiedOn: modifiedAt,
    options: { ...NO_ADDRESS, ...row.options, billingMethod },
  };
}

/** A customer on its own, with what its reader can do with it. */
export const ShownCustomerSchema = z
  .strictObject({ ...CustomerSchema.shape, actions: CustomerActionsSchema })
  .meta({ id: 'CustomerWithActions' });
