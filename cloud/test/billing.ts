import { afterEach, beforeEach, expect } from 'vitest';
import { incomeTable } from '../src/records/invoices/income-table.ts';
import { createTestApi, type TestApi } from './api.ts';
import { settle } from './settlements.ts';

/** A cloud that bills customers, new for each test of the file that calls this. */
export function useBilling() {
  const billing = {
    api: undefined as unknown as TestApi,
    income: () => billing.api.db.read(async (q) => await q.select().from(incomeTable)),

    charge: (customerId: string, given: Parameters<typeof settle>[1] = {}) =>
      settle(billing.api, { paymentStatus: 'company-invoice', customerId, amountMinor: 1000, ...given }),

    async bill(body: object = {}) {
      const answer = await billing.api.call('POST', '/billing/runs', { body });
      expect(answer.status).toBe(303);
      return answer.body;
    },
  };

  beforeEach(async () => {
    billing.api = await createTestApi();
  });
  afterEach(() => billing.api.close());
  return billing;
}
