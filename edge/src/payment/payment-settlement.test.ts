import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';
import type { PayOutcome } from '../terminal/terminal.ts';

let rig: TestPayments;
beforeEach(() => {
  rig = createTestPayments();
  rig.site.price(500);
});
afterEach(() => rig.close());

/** Its outcome is unknown, and the terminal's last booking is another. */
async function unknown(): Promise<string> {
  const id = await rig.begin(await rig.inside());
  rig.terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
  rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
  await expect.poll(() => rig.stored(id)?.needsPerson).toBe(true);
  return id;
}

/** Booked though its visit was paid elsewhere meanwhile, and the terminal cannot give it back. */
async function paidTwice(): Promise<string> {
  rig.terminal.reverses = 'not-possible';
  const visitId = await rig.inside();
  const id = await rig.begin(visitId);
  const transaction = testTransaction(500);
  expect(await rig.terminal.paying().events.onApproval(transaction)).toBe(true);
  const item = {
    id: crypto.randomUUID(),
    visitId,
    paymentStatus: 'kiosk' as const,
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    settledAt: rig.site.now(),
    by: 'account:1',
  };
  rig.site.change({ kind: 'settlement', op: 'put', id: item.id, item });
  rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
  await rig.ended(id);
  expect(rig.stored(id)).toMatchObject({ state: 'settled', needsPerson: true });
  return id;
}

async function paid(): Promise<string> {
  const id = await rig.begin(await rig.inside());
  await rig.approve(id);
  return id;
}

describe('a person who has found out', () => {
  it.each([
    ['of an unknown payment that it was booked', unknown, 'booked', 'settled', 1],
    ['of an unknown payment that it was not booked', unknown, 'not-booked', 'cancelled', 0],
    ['of an unknown payment that it went back by hand', unknown, 'given-back', 'reversed', 0],
    ['of one that was paid twice that it stays', paidTwice, 'booked', 'settled', 2],
    ['of one that was paid twice that it went back by hand', paidTwice, 'given-back', 'reversed', 1],
  ] as const)('says %s', async (_what, begin, finding, state, unitsMet) => {
    const id = await begin();
    expect(await rig.payments.recordFinding(id, finding, 'technician')).toBe(true);
    expect(rig.stored(id)).toMatchObject({ state, needsPerson: false, reason: 'person: technician' });
    expect(rig.site.visits()).toMatchObject([{ unitsMet, flags: [] }]);
    expect(await rig.payments.recordFinding(id, finding, 'technician')).toBe(false);
    expect(rig.site.visits()).toMatchObject([{ unitsMet }]);
  });

  it.each([
    ['of one that is booked that it was not', paidTwice, 'not-booked'],
    ['of one that waits for nobody', paid, 'given-back'],
    ['of one that is not there', async () => crypto.randomUUID(), 'booked'],
  ] as const)('cannot say it %s', async (_what, begin, finding) => {
    const id = await begin();
    const before = rig.stored(id);
    expect(await rig.payments.recordFinding(id, finding, 'technician')).toBe(false);
    expect(rig.stored(id)).toEqual(before);
  });
});

describe('a payment that is approved', () => {
  it.each<[string, PayOutcome, string, string[]]>([
    ['declined', { kind: 'declined', reason: 'refused', code: '05', receipt: ['NEIN'] }, 'refused', ['NEIN']],
    ['cancelled', { kind: 'cancelled', code: null }, 'at-terminal', []],
  ])('and then %s is reversed, and pays for nothing', async (_what, outcome, reason, receipt) => {
    const id = await rig.begin(await rig.inside());
    expect(await rig.terminal.paying().events.onApproval(testTransaction(500))).toBe(true);
    rig.terminal.paying().end(outcome);
    await rig.ended(id);
    expect(rig.stored(id)).toMatchObject({ state: 'reversed', reason, receipt, needsPerson: false });
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 0, flags: [] }]);
  });

  it('is approved once, however often the terminal says so', async () => {
    const id = await rig.begin(await rig.inside());
    const { events } = rig.terminal.paying();
    expect(await events.onApproval(testTransaction(500))).toBe(true);
    expect(await events.onApproval(testTransaction(500))).toBe(true);
    expect(rig.states()).toEqual(['created', 'sent', 'approved']);
    await rig.approve(id);
  });
});

it.each([
  ['not-sent', 'not-sent', { kind: 'not-sent', problem: 'no line' }],
  ['cancelled', 'at-terminal', { kind: 'cancelled', code: null }],
] as const)('a payment that is %s is cancelled: %s', async (_what, reason, outcome) => {
  const id = await rig.begin(await rig.inside());
  rig.terminal.paying().end(outcome);
  await rig.ended(id);
  expect(rig.stored(id)).toMatchObject({ state: 'cancelled', reason });
  expect(rig.site.visits()).toMatchObject([{ unitsMet: 0, flags: [] }]);
});

it('a fee is settled with no visit, and given back to none', async () => {
  const tariff = TariffSchema.parse({
    bands: [{ steps: [{ kind: 'each', priceMinor: 200, everyMinutes: 60 }] }],
    serviceFees: { kiosk: 50 },
  });
  rig.site.price(500, 'light', { config: { startTime: '00:00', endTime: '23:59', tariff } });
  const site = rig.site.core.site();
  const settings = { ...site.settings, chargesServiceFees: true };
  rig.site.change({ kind: 'site', op: 'put', id: 'site', item: { ...site, settings } });
  rig.terminal.reverses = 'not-possible';
  const visitId = await rig.inside();
  const id = await rig.begin(visitId);
  await rig.payments.cancel(id);
  const transaction = testTransaction(450);
  expect(await rig.terminal.paying().events.onApproval(transaction)).toBe(false);
  rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
  await rig.ended(id);
  expect(rig.stored(id)).toMatchObject({ state: 'settled', amountMinor: 450, needsPerson: true });
  const amounts = () =>
    rig.site.core.stays.visits.settlementsOf(visitId).map(({ amountMinor }) => amountMinor);
  expect(amounts()).toEqual([400]);
  expect(await rig.payments.recordFinding(id, 'given-back', 'technician')).toBe(true);
  expect(amounts().toSorted()).toEqual([-400, 400]);
});

it('a booking of a payment in another currency is reversed, also where the terminal was never asked to approve', async () => {
  const visitId = await rig.inside();
  const id = await rig.begin(visitId);
  const transaction = { ...testTransaction(500), currency: 'EUR' };
  rig.terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
  await rig.ended(id);
  expect(rig.stored(id)).toMatchObject({ state: 'reversed', reason: 'mismatch' });
  expect(rig.terminal.reversed).toEqual([transaction]);
  expect(rig.site.core.stays.visits.settlementsOf(visitId)).toEqual([]);
});
