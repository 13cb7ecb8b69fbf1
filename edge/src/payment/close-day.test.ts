import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, HOUR, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';

let rig: TestPayments;

beforeEach(() => {
  rig = createTestPayments();
});
afterEach(() => rig.close());

describe('the terminal’s day', () => {
  async function paid(): Promise<void> {
    rig.site.price(500);
    await rig.begin(await rig.inside()).then(rig.approve);
  }
  const total = (count: number, amountMinor: number, type: 'visa' | 'mastercard' = 'visa') => ({
    totals: { cards: [{ type, count, amountMinor }], currency: 'ISK', receipt: [] },
    problem: null,
  });
  const closed = () =>
    rig.site.events().flatMap(({ body }) => (body.type === 'terminal.day-closed' ? [body] : []));

  it('is closed at night, once, and agrees', async () => {
    await paid();
    rig.terminal.totals = total(1, 500);
    await rig.payments.day.closeIfDue();
    expect(closed()).toEqual([]);
    rig.site.wait(24 * HOUR);
    await rig.payments.day.closeIfDue();
    await rig.payments.day.closeIfDue();
    expect(closed()).toMatchObject([
      { agrees: true, booked: [{ type: 'visa', count: 1, amountMinor: 500 }] },
    ]);
    expect(rig.payments.signs().day.state).toBe('ok');
  });

  it('agrees where the terminal counts a brand as another, and the whole is the same', async () => {
    await paid();
    rig.terminal.totals = total(1, 500, 'mastercard');
    expect(await rig.payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: true }]);
  });

  it('says where it differs from the journal', async () => {
    await paid();
    rig.terminal.totals = total(2, 1000);
    expect(await rig.payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: false }]);
    expect(rig.payments.signs().day).toMatchObject({ state: 'differing' });
  });

  it('has in it what a person finds out about later, and no other day has', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
    rig.terminal.paying().end({ kind: 'unknown', problem: 'no line' });
    await expect.poll(() => rig.stored(id)?.needsPerson).toBe(true);
    rig.terminal.totals = total(1, 500);
    expect(await rig.payments.day.close()).toBe(true);
    await rig.payments.recordFinding(id, 'booked', 'technician');
    rig.terminal.totals = { totals: { cards: [], currency: 'ISK', receipt: [] }, problem: null };
    expect(await rig.payments.day.close()).toBe(true);
    expect(closed()).toMatchObject([{ agrees: false }, { agrees: true, booked: [] }]);
  });

  it('waits for a payment under way, and is retried where the terminal refused', async () => {
    rig.site.price(500);
    const id = await rig.begin(await rig.inside());
    expect(await rig.payments.day.close()).toBe(false);
    await rig.approve(id);
    rig.terminal.totals = { totals: null, problem: 'busy' };
    expect(await rig.payments.day.close()).toBe(false);
    rig.site.wait(72 * HOUR);
    expect(rig.payments.signs().day).toMatchObject({ state: 'failing' });
  });
});
