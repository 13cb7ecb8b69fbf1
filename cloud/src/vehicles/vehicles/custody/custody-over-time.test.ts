import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { cloudActor } from '../../../people/audit/audit.ts';
import { createCustomer } from '../../../people/customers/change-customers.ts';
import { ALL_RIGHTS } from '../../../platform/http/caller.ts';
import { type CustodianRow, custodianTable } from '../../../records/vehicles/custodian-table.ts';
import { customerOfPlate } from '../../../records/vehicles/customer-of-plate.ts';
import { createCustodian, releaseCustodian } from './change-custodians.ts';

const PLATE = 'ABX12';
const LAST_HOUR = 40;
const OPERATOR = {
  kind: 'account',
  role: 'operator',
  customerId: null,
  tokenId: 't',
  rights: ALL_RIGHTS,
} as const;

const actions = fc.array(
  fc.oneof(
    fc.record({
      action: fc.constant('give' as const),
      customer: fc.nat(2),
      from: fc.nat(30),
      hours: fc.option(fc.integer({ min: 1, max: 10 })),
      autoRelease: fc.boolean(),
    }),
    fc.record({ action: fc.constant('release' as const), which: fc.nat(20) }),
    fc.record({ action: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 5 }) }),
  ),
  { maxLength: 12 },
);

it('whatever is given and released, a vehicle is one customer’s at a time, and sites know whose', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (sequence) => {
      const api = await createTestApi();
      try {
        await carryOut(api, sequence);
      } finally {
        await api.close();
      }
    }),
    { numRuns: 15 },
  );
});

type Actions = typeof actions extends fc.Arbitrary<infer Some> ? Some : never;

async function carryOut(api: TestApi, sequence: Actions): Promise<void> {
  const start = Date.parse(api.now());
  const hour = (n: number) => utcTime(start + n * HOUR_MS);
  const actor = () => ({
    ...cloudActor('test', api.now()),
    caller: { ...OPERATOR, accountId: 'the-operator' },
  });
  const customers: string[] = [];
  for (let n = 0; n < 3; n++) {
    const made = await api.db.write((tx) => createCustomer(tx, actor(), { language: 'is' }));
    if (made.ok) customers.push(made.customer.id);
  }
  const given: CustodianRow[] = [];
  for (const one of sequence) {
    if (one.action === 'wait') api.wait(one.hours * HOUR_MS);
    if (one.action === 'release') {
      const custodian = given[one.which];
      if (custodian !== undefined) await releaseCustodian(api.db, actor(), custodian.id);
    }
    if (one.action === 'give') {
      const { autoRelease, from, hours } = one;
      const customerId = customers[one.customer] ?? '';
      const dateTo = hours === null ? null : hour(from + hours);
      const body = { plate: PLATE, customerId, dateFrom: hour(from), dateTo, autoRelease };
      const made = await createCustodian(api.db, actor(), body);
      if (made.ok) given.push(made.custodian);
      else expect(made.reason).toBe('already-there');
    }
    await check(api, hour);
  }
}

async function check(api: TestApi, hour: (n: number) => string): Promise<void> {
  const rows = await api.db.read(async (q) => await q.select().from(custodianTable));
  const reported = (await api.changes()).filter(({ kind }) => kind === 'vehicle').at(-1);
  const custody = reported?.kind === 'vehicle' && reported.op === 'put' ? reported.item.custody : [];
  for (let n = 0; n < LAST_HOUR; n++) {
    const at = hour(n);
    const holders = rows.filter(({ dateFrom, dateTo }) => dateFrom <= at && (dateTo === null || dateTo > at));
    expect(holders.length, `at ${at}`).toBeLessThanOrEqual(1);
    const holder = holders[0]?.customerId ?? null;
    expect(await api.db.read((q) => customerOfPlate(q, PLATE, at))).toBe(holder);
    if (at < api.now()) continue;
    const atSite = custody.find(({ from, until }) => from <= at && (until === null || until > at));
    expect(atSite?.customerId ?? null, `at the site at ${at}`).toBe(holder);
  }
}
