import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { customerTable } from '../src/records/customers/customer-table.ts';
import { visitTable } from '../src/records/visits/visit-table.ts';
import type { Json, TestApi } from './api.ts';

/** A customer with its row and nothing more, for tests. */
export async function sampleCustomer(api: TestApi, id: string = randomUUID()): Promise<string> {
  const dates = { createdAt: api.now(), modifiedAt: api.now() };
  const options = {
    sendInvoicesToEmail: false,
    sendInvoicesToPublishingSystem: false,
    billingSsn: null,
    discount: 0,
  };
  await api.db.write(async ({ q }) => {
    await q.insert(customerTable).values({ id, name: id, language: 'is', options, ...dates });
  });
  return id;
}

/** A product of prepaid units. */
export async function sampleQuotaProduct(api: TestApi, fields: Json = {}): Promise<string> {
  const usual = { type: 'quota', price: 400, vehicleCategory: 'light', productCode: 'Q' };
  return (await api.made('/products', { ...usual, name: { is: 'Klippikort' }, ...fields })).id;
}

/** The review flags of a visit. */
export async function flagsOfVisit(api: TestApi, id: string) {
  return await api.db.read(async (q) => {
    const [visit] = await q.select({ flags: visitTable.flags }).from(visitTable).where(eq(visitTable.id, id));
    return visit?.flags;
  });
}
