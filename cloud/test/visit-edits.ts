import type { VisitPrice } from '@hlid/protocol/records/visit';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach } from 'vitest';
import { settlementTable } from '../src/records/visits/visit-table.ts';
import { createTestApi, type TestApi } from './api.ts';

export const PRICED: VisitPrice = {
  amountMinor: 1000,
  currency: 'ISK',
  lines: [
    { rule: 'unit', units: 3, amountMinor: 1500 },
    { rule: 'units-met', units: -1, amountMinor: -500 },
  ],
  product: { id: 'light', version: 3 },
  pricedAt: '2026-11-21T11:00:00.000Z',
};
export const LIGHT = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };

/** A cloud in which a person changes visits, new for each test of the file that calls this. */
export function useVisitEdits() {
  const edits = {
    api: undefined as unknown as TestApi,
    edit: (id: string, body: object) => edits.api.call('PUT', `/visit/${id}`, { body }),
    /** The changes that the site receives, from number `count` on. */
    changesSince: async (count: number) => (await edits.api.changes()).slice(count),
    feedLength: async () => (await edits.api.changes()).length,
    settlementsOf: (visitId: string) =>
      edits.api.db.read(
        async (q) => await q.select().from(settlementTable).where(eq(settlementTable.visitId, visitId)),
      ),
  };

  beforeEach(async () => {
    edits.api = await createTestApi();
  });
  afterEach(() => edits.api.close());
  return edits;
}
