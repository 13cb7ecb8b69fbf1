import { randomUUID } from 'node:crypto';
import { desc } from 'drizzle-orm';
import {
  type InvoicedVisit,
  invoiceSettlement,
  type MadeSettlement,
} from '../src/money/invoices/invoice-settlement.ts';
import type { InvoiceRow } from '../src/money/invoices/invoice-store.ts';
import { cloudActor } from '../src/people/audit/audit.ts';
import { createCustomer } from '../src/people/customers/change-customers.ts';
import type { NewCustomer } from '../src/people/customers/customer.ts';
import { invoiceTable } from '../src/records/invoices/invoice-table.ts';
import type { TestApi } from './api.ts';

type Settled = Partial<Omit<InvoicedVisit, 'price'> & MadeSettlement> & {
  productId?: string;
  vatRate?: number;
};

/** Settles a due as a site or a person would, for tests. @returns the id of the visit */
export async function settle(api: TestApi, given: Settled = {}): Promise<string> {
  const { productId, id = randomUUID(), at = api.now() } = given;
  const { siteId = api.site.id, plate = 'ABX12', customerId = null, vehicleCategory = null } = given;
  const { cause = randomUUID(), paymentStatus = 'kiosk', units = 1 } = given;
  const { amountMinor = 1240, currency = 'ISK' } = given;
  const product = { id: productId ?? 'none', version: 1, vatRate: given.vatRate ?? 24 };
  const price = { amountMinor, currency, lines: [], product, pricedAt: at };
  const paidWith = given.paidWith === undefined ? {} : { paidWith: given.paidWith };
  const visit = { id, siteId, plate, customerId, vehicleCategory, price };
  await api.db.write((tx) =>
    invoiceSettlement(tx, visit, { cause, paymentStatus, amountMinor, currency, units, at, ...paidWith }),
  );
  return id;
}

/** All invoices, newest first. */
export async function allInvoices(api: TestApi): Promise<InvoiceRow[]> {
  const { createdAt, id } = invoiceTable;
  return await api.db.read(
    async (q) => await q.select().from(invoiceTable).orderBy(desc(createdAt), desc(id)),
  );
}

/** A customer that is billed. @returns its id */
export async function addCustomer(
  api: TestApi,
  options: NonNullable<NewCustomer['options']> = { billingMethod: 'daily' },
  fields: Partial<NewCustomer> = {},
): Promise<string> {
  const made = await api.db.write((tx) =>
    createCustomer(tx, cloudActor('test', api.now()), {
      name: 'Bílaleigan ehf.',
      language: 'is',
      ...fields,
      options,
    }),
  );
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made.customer.id;
}
