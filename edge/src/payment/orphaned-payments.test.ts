import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, HOUR, type TestPayments, testContext } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';
import { OrphanedPayments } from './orphaned-payments.ts';

let rig: TestPayments;
let orphaned: OrphanedPayments | null;

beforeEach(() => {
  rig = createTestPayments();
  rig.site.price(500);
  orphaned = null;
});
afterEach(async () => {
  await orphaned?.stop();
  await rig.close();
});

/** The program begins again, with another configuration. */
async function restart(terminalId: string | null): Promise<OrphanedPayments> {
  await orphaned?.stop();
  await rig.restart(terminalId ?? 'nobody');
  const { site } = rig;
  orphaned = new OrphanedPayments(testContext(site), {
    terminalId,
    stays: site.core.stays,
    records: site.core.paymentRecords,
  });
  return orphaned;
}

/** Its driver stood there with the card when the program ended. */
async function begunAtPos1(): Promise<{ id: string; visitId: string }> {
  rig.terminal.last = { kind: 'transaction', transaction: testTransaction(900, '0000'), reversed: false };
  const visitId = await rig.inside();
  const id = await rig.begin(visitId);
  rig.terminal.last = { kind: 'unavailable', problem: 'no line' };
  return { id, visitId };
}

describe('a payment at a terminal that the site has no more', () => {
  it('is for a person, who settles it; its alarm has the terminal’s name, and ends', async () => {
    const { id, visitId } = await begunAtPos1();
    const payments = await restart(null);
    expect(payments.signs().get('pos-1')).toMatchObject({
      state: 'failing',
      detail: expect.stringMatching(/payment list/),
    });
    payments.start();
    await expect.poll(() => rig.stored(id)).toMatchObject({ needsPerson: true, reason: 'no-such-terminal' });
    expect(payments.forPerson()).toMatchObject([{ id, terminalId: 'pos-1', state: 'unknown' }]);
    expect(rig.records.dues.of(visitId, rig.site.now())).toMatchObject({
      standing: 'checking',
      paymentId: id,
    });
    expect(payments.signs().size).toBe(1);
    // The exit is not kept closed for it.
    await rig.site.read('out-1', 'ABX12');
    expect(rig.site.gates['out-1'].pulses).toBe(1);

    expect(await payments.recordFinding(id, 'booked', 'technician')).toBe(true);
    expect(rig.stored(id)).toMatchObject({ state: 'settled', needsPerson: false });
    expect(rig.site.visits()).toMatchObject([{ unitsMet: 1, flags: [] }]);
    expect(payments.signs().size).toBe(0);
  });

  it('is not paid again at the other one, where others pay and all is well', async () => {
    const { id, visitId } = await begunAtPos1();
    const payments = await restart('pos-2');
    expect(await rig.order(visitId)).toEqual({ ok: false, reason: 'payment-under-way' });
    payments.start();
    await expect.poll(() => rig.stored(id)?.needsPerson).toBe(true);
    expect(await rig.order(visitId)).toEqual({ ok: false, reason: 'payment-under-way' });
    expect([...payments.signs().keys()]).toEqual(['pos-1']);
    rig.terminal.last = { kind: 'none' };
    await rig.approve(await rig.begin(await rig.inside('KLM34')));
    expect(rig.payments.signs().payments.state).toBe('ok');
  });

  it('has cost nothing where the terminal was not asked yet', async () => {
    const { id } = await begunAtPos1();
    await rig.restart('nobody');
    const entry = rig.records.store.get(id);
    if (!entry) throw new Error('no payment');
    rig.records.store.save({
      ...entry,
      payment: { ...entry.payment, state: 'created', needsPerson: false },
    });
    const payments = await restart('pos-2');
    payments.start();
    await expect.poll(() => rig.stored(id)).toMatchObject({ state: 'cancelled', reason: 'not-sent' });
    expect(payments.signs().size).toBe(0);
  });
});

describe('a terminal that is put back', () => {
  async function away(): Promise<string> {
    const { id } = await begunAtPos1();
    const payments = await restart(null);
    payments.start();
    await expect.poll(() => rig.stored(id)?.needsPerson).toBe(true);
    return id;
  }

  it.each([
    ['has booked it', '0001', 'settled', 1],
    ['has booked nothing since', '0000', 'cancelled', 0],
  ] as const)('is asked, and %s', async (_what, reference, state, unitsMet) => {
    const id = await away();
    const amountMinor = reference === '0000' ? 900 : 500;
    const transaction = testTransaction(amountMinor, reference);
    rig.terminal.last = { kind: 'transaction', transaction, reversed: false };
    await restart('pos-1');
    await expect.poll(() => rig.stored(id)).toMatchObject({ state, needsPerson: false });
    expect(rig.site.visits()).toMatchObject([{ unitsMet, flags: [] }]);
  });

  it('takes no payment before it has been asked', async () => {
    await away();
    rig.terminal.connection = 'DISCONNECTED';
    await restart('pos-1');
    await expect.poll(() => rig.records.store.atTerminal('pos-1')).toBeDefined();
    const visit = await rig.inside('KLM34');
    rig.terminal.connection = 'CONNECTED';
    expect(await rig.order(visit)).toEqual({ ok: false, reason: 'terminal-busy' });
  });

  it('may have served another till after a long time: a booking of the same amount needs a person', async () => {
    const id = await away();
    rig.site.wait(2 * HOUR);
    rig.terminal.last = { kind: 'transaction', transaction: testTransaction(500), reversed: false };
    await restart('pos-1');
    await expect.poll(() => rig.stored(id)).toMatchObject({ needsPerson: true, reason: 'another-booking' });
  });
});
