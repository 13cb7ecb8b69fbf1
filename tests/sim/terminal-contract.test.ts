import type { LastResult, PayEvents, PayOrder, TerminalTransaction } from '@hlid/edge/terminal/terminal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import {
  type ContractRig,
  type HeldCard,
  startLocallinkContractRig,
  startZvtContractRig,
} from './contract-rigs.ts';
import { seededRandom } from './seeded-random.ts';

const AMOUNT = 1500;
const RUNS = 6;
const order = (more: Partial<PayOrder> = {}): PayOrder => ({
  id: crypto.randomUUID(),
  amountMinor: AMOUNT,
  currency: 'ISK',
  language: 'is',
  ...more,
});

/** The till: the prompts and approvals it gets, and its answer to an approval. */
function till(verdict: PayEvents['onApproval'] = async () => true) {
  const seen: { prompts: string[]; approvals: TerminalTransaction[] } = { prompts: [], approvals: [] };
  const events: PayEvents = {
    onPrompt: (prompt) => void seen.prompts.push(prompt),
    onApproval(transaction) {
      seen.approvals.push(transaction);
      return verdict(transaction);
    },
  };
  return { ...seen, events };
}

/** The guarantees of every driver, so that its users need not check its kind. */
describe.each([
  ['zvt', startZvtContractRig],
  ['locallink', startLocallinkContractRig],
] as const)('a terminal of kind %s', (_kind, start) => {
  let rig: ContractRig;
  beforeEach(async () => {
    rig = await start();
    await rig.ready();
  });
  afterEach(() => rig.close());

  const pay = (card: HeldCard, asked = till()) => {
    rig.present(card);
    return rig.driver.pay(order(), asked.events);
  };
  const paid = async () => {
    const outcome = await pay('good');
    if (outcome.kind !== 'approved') throw new Error(JSON.stringify(outcome));
    return outcome.transaction;
  };
  /** Asked until it reports the outcome. */
  const reported = (withinMs?: number): Promise<LastResult> =>
    waitFor(
      async () => {
        const last = await rig.driver.lastResult();
        return last.kind !== 'unavailable' && last;
      },
      { what: 'what it has booked last', ...(withinMs !== undefined && { withinMs }) },
    );
  const resultSoon = () => reported(1500).catch(() => rig.driver.lastResult());

  it('reports an approval once, before the outcome, and finds it again afterwards', async () => {
    const asked = till();
    const paying = rig.driver.pay(order(), asked.events);
    await waitFor(() => asked.prompts.includes('present-card'), { what: 'the prompt' });
    rig.present('good');
    const outcome = await paying;
    expect(outcome).toMatchObject({
      kind: 'approved',
      transaction: {
        amountMinor: AMOUNT,
        currency: 'ISK',
        card: { type: 'visa', lastFour: '1111' },
      },
      receipt: expect.arrayContaining([expect.any(String)]),
    });
    expect(asked.approvals).toEqual(outcome.kind === 'approved' ? [outcome.transaction] : []);
    expect(await reported()).toEqual({
      kind: 'transaction',
      transaction: asked.approvals[0],
      reversed: false,
    });
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it('is active while a person pays, and accepts no other payment', async () => {
    const seen: string[] = [];
    const ignore = rig.driver.onStatus(({ connection }) => seen.push(connection));
    const first = rig.driver.pay(order(), till().events);
    await rig.waitsForCard();
    expect(rig.driver.status().connection).toBe('ACTIVE');
    expect(await rig.driver.pay(order(), till().events)).toMatchObject({ kind: 'not-sent' });
    expect(await rig.driver.lastResult()).toMatchObject({ kind: 'unavailable' });
    expect(await rig.driver.endOfDay()).toMatchObject({ totals: null, problem: expect.any(String) });
    rig.present('good');
    expect(await first).toMatchObject({ kind: 'approved' });
    expect(rig.driver.status()).toMatchObject({ connection: 'CONNECTED', problem: null });
    ignore();
    await paid();
    expect(seen).toEqual(['ACTIVE', 'CONNECTED']);
    expect(rig.ordersReceived()).toBe(2);
  });

  it.each([
    ['refused', 'refused'],
    ['expired', 'card-expired'],
  ] as const)('takes nothing from a card that is %s, and then accepts another card', async (card, reason) => {
    const asked = till();
    expect(await pay(card, asked)).toMatchObject({ kind: 'declined', reason });
    expect([asked.approvals, rig.takenMinor()]).toEqual([[], 0]);
    await paid();
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it.each(['red key', 'till'] as const)('is cancelled by the %s', async (by) => {
    const before = await reported();
    const paying = rig.driver.pay(order(), till().events);
    await rig.waitsForCard();
    if (by === 'till') await rig.driver.cancel();
    else rig.pressCancel();
    expect(await paying).toMatchObject({ kind: 'cancelled' });
    expect([rig.takenMinor(), await reported()]).toEqual([0, before]);
  });

  it('ignores a cancellation while no driver pays', async () => {
    await rig.driver.cancel();
    await paid();
    await rig.driver.cancel();
    await paid();
    expect(rig.takenMinor()).toBe(2 * AMOUNT);
  });

  it.each([
    { wanted: true, kind: 'approved', taken: AMOUNT },
    { wanted: false, kind: 'cancelled', taken: 0 },
  ])(
    'approves after a cancellation, and the approval counts only if it is wanted ($wanted)',
    async ({ wanted, kind, taken }) => {
      rig.approvesAfterCancel();
      const asked = till(async () => wanted);
      const paying = rig.driver.pay(order(), asked.events);
      await rig.waitsForCard();
      await rig.driver.cancel();
      rig.present('good');
      expect(await paying).toMatchObject({ kind });
      expect([asked.approvals.length, rig.takenMinor()]).toEqual([1, taken]);
    },
  );

  it.each<[string, PayEvents['onApproval']]>([
    ['is no longer wanted', async () => false],
    ['cannot be stored', () => Promise.reject(new Error('the disk is full'))],
  ])('reverses an approval that %s', async (_what, verdict) => {
    expect(await pay('good', till(verdict))).toMatchObject({ kind: 'cancelled' });
    expect(rig.takenMinor()).toBe(0);
    await paid();
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it.each([
    [{ currency: 'EUR' }, 'currency'],
    [{ amountMinor: 100 * AMOUNT }, 'amount'],
    [{ terminalId: '99999999' }, 'terminal'],
  ] as const)('is not trusted if it approves something else (%j)', async (lie, reason) => {
    rig.falsify(lie);
    const asked = till();
    expect(await pay('good', asked)).toMatchObject({ kind: 'declined', reason });
    expect([asked.approvals, rig.takenMinor()]).toEqual([[], 0]);
  });

  it('takes a tip where the site takes them, and gives it back with the amount', async () => {
    rig.givesTip(250);
    rig.present('good');
    const asked = till();
    const outcome = await rig.driver.pay(order({ takesTips: true }), asked.events);
    const booked = { amountMinor: AMOUNT + 250, currency: 'ISK' };
    expect(outcome).toMatchObject({ kind: 'approved', transaction: booked });
    expect([asked.approvals, rig.takenMinor()]).toMatchObject([[booked], AMOUNT + 250]);
    expect(await reported()).toMatchObject({ kind: 'transaction', transaction: booked, reversed: false });
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    expect(await rig.driver.reverse(outcome.transaction)).toBe('reversed');
    expect(rig.takenMinor()).toBe(0);
  });

  it.each([
    ['a tip where the site takes none', 250, false],
    ['a tip of more than the amount', AMOUNT + 1, true],
  ])('books nothing with %s', async (_what, tipMinor, takesTips) => {
    rig.givesTip(tipMinor);
    rig.present('good');
    const asked = till();
    const outcome = await rig.driver.pay(order({ takesTips }), asked.events);
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'amount' });
    expect([asked.approvals, rig.takenMinor()]).toEqual([[], 0]);
  });

  it('gets no order in a currency that is not configured', async () => {
    const outcome = await rig.driver.pay(order({ currency: 'EUR' }), till().events);
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'currency' });
    expect(rig.ordersReceived()).toBe(0);
  });

  it('gets nothing and returns no result when it is away', async () => {
    await paid();
    await rig.goesAway();
    expect(await rig.driver.pay(order(), till().events)).toMatchObject({ kind: 'not-sent' });
    expect(await rig.driver.lastResult()).toMatchObject({ kind: 'unavailable' });
    expect(await rig.driver.endOfDay()).toMatchObject({ totals: null });
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it('reverses a payment once', async () => {
    const transaction = await paid();
    expect(await rig.driver.reverse({ ...transaction, terminalId: '99999999' })).toBe('not-possible');
    expect(await rig.driver.reverse(transaction)).toBe('reversed');
    expect([rig.takenMinor(), await reported()]).toMatchObject([0, { kind: 'transaction', reversed: true }]);
    expect(await rig.driver.reverse(transaction)).toBe('already-reversed');
    expect(rig.takenMinor()).toBe(0);
  });

  it.each(['before', 'after'] as const)(
    'says later whether a reversal whose line broke %s it was carried out',
    async (place) => {
      const transaction = await paid();
      expect(await rig.driver.isReversed(transaction)).toBe(false);
      rig.losesReversal(place);
      // If the sale itself reports at once that it is void, that is the answer.
      const outcome = await rig.driver.reverse(transaction);
      const isCarriedOut = place === 'after';
      expect(isCarriedOut ? ['unknown', 'reversed'] : ['unknown']).toContain(outcome);
      rig.heal();
      await rig.ready();
      await expect.poll(() => rig.driver.isReversed(transaction)).toBe(isCarriedOut);
      expect(rig.takenMinor()).toBe(isCarriedOut ? 0 : AMOUNT);
    },
  );

  it('cannot reverse a payment after its end of day', async () => {
    const transaction = await paid();
    await rig.driver.endOfDay();
    expect(await rig.driver.reverse(transaction)).toBe('not-possible');
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it('closes its day with its totals', async () => {
    await paid();
    expect(await rig.driver.reverse(await paid())).toBe('reversed');
    await paid();
    const { totals, problem } = await rig.driver.endOfDay();
    expect([problem, totals?.currency]).toEqual([null, 'ISK']);
    expect(totals?.cards.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(2 * AMOUNT);
  });

  it('has an unknown outcome if the line breaks before a card, and then the same last result as before', async () => {
    await paid();
    const before = await reported();
    rig.breaksAt('before-card');
    expect(await rig.driver.pay(order(), till().events)).toMatchObject({ kind: 'unknown' });
    rig.heal();
    expect(await reported()).toEqual(before);
    expect(rig.takenMinor()).toBe(AMOUNT);
    await rig.ready();
    await paid();
  });

  it('has an unknown outcome if the line breaks after the booking, and then reports the booking', async () => {
    const before = await reported();
    rig.breaksAt('after-booking');
    expect(await pay('good')).toMatchObject({ kind: 'unknown' });
    rig.heal();
    const after = await reported();
    expect(after).not.toEqual(before);
    expect(after).toMatchObject({
      kind: 'transaction',
      reversed: false,
      transaction: { amountMinor: AMOUNT, currency: 'ISK' },
    });
    expect(rig.takenMinor()).toBe(AMOUNT);
  });

  it('reveals only the brand and the last four digits of a card', async () => {
    const asked = till();
    const outcome = await pay('unmasked', asked);
    const lastFour = rig.unmasked.slice(-4);
    expect(outcome).toMatchObject({ kind: 'approved', transaction: { card: { lastFour } } });
    const messages = JSON.stringify([
      outcome,
      asked,
      await reported(),
      await rig.driver.endOfDay(),
      rig.log(),
    ]);
    expect(messages.replaceAll(/[ -]/g, '')).not.toContain(rig.unmasked);
  });

  it('ends the payment in progress when it stops, and accepts no more orders', async () => {
    const paying = rig.driver.pay(order(), till().events);
    await rig.waitsForCard();
    await rig.driver.stop();
    expect(['cancelled', 'unknown']).toContain((await paying).kind);
    expect(rig.driver.status().connection).toBe('DISCONNECTED');
    expect(await rig.driver.pay(order(), till().events)).toMatchObject({ kind: 'not-sent' });
    expect(rig.takenMinor()).toBe(0);
  });

  it('never reports a wrong outcome, whatever breaks', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seededRandom(seed);
    for (let run = 0; run < RUNS; run++) {
      await rig.ready();
      const [before, taken] = [await reported(), rig.takenMinor()];
      rig.breaksSomewhere(random);
      const asked = till(async () => !random.chance(0.2));
      rig.present(random.chance(0.8) ? 'good' : 'refused');
      const paying = rig.driver.pay(order(), asked.events);
      if (random.chance(0.3)) await rig.driver.cancel();
      const outcome = await paying;
      rig.heal();
      const found = outcome.kind === 'unknown' ? await resultSoon() : null;
      const booked = rig.takenMinor() - taken;
      const what = `seed ${seed}, run ${run}: ${JSON.stringify({ outcome, before, found })}`;
      if (found?.kind === 'unavailable') {
        // Only money that it has charged and cannot name is left to a person.
        expect(booked, what).toBe(AMOUNT);
        return;
      }
      const isNew = found?.kind === 'transaction' && JSON.stringify(found) !== JSON.stringify(before);
      const says = outcome.kind === 'approved' || (isNew && !found.reversed);
      expect(booked, what).toBe(says ? AMOUNT : 0);
    }
  });
});
