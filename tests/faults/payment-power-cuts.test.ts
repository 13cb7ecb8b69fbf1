import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { ZVT_STEPS } from '../sim/zvt-faults.ts';
import { type PayingSite, type PaymentStep, startPayingSite } from './paying-site.ts';

let pay: PayingSite | null = null;
afterEach(async () => {
  await pay?.close();
  pay = null;
});

const STEPS: { step: PaymentStep; ends: 'settled' | 'cancelled' | 'reversed' }[] = [
  { step: 'created', ends: 'cancelled' },
  { step: 'sent', ends: 'cancelled' },
  { step: 'asked', ends: 'cancelled' },
  { step: 'approval', ends: 'cancelled' },
  // The terminal never received the confirmation of the approval, and has reversed it.
  { step: 'approved', ends: 'reversed' },
  { step: 'ended', ends: 'settled' },
];

describe('the daemon loses its power', () => {
  it.each(STEPS)('loses it at the step $step: the payment ends $ends', async ({ step, ends }) => {
    pay = await startPayingSite();
    await pay.ready();
    const visitId = await pay.enter('ABX12');
    pay.dieAt = step;
    pay.sim.present(CARDS.visa);
    await pay.order(visitId);
    await waitFor(() => pay?.dead, { what: 'the end of the daemon' });
    await pay.restart();
    const [payment] = await pay.settled();
    expect(payment).toMatchObject({ state: ends, needsPerson: false, amountMinor: 500 });
    const paid = ends === 'settled';
    expect(pay.sim.book.totalMinor()).toBe(paid ? 500 : 0);
    expect(pay.settlements(visitId)).toHaveLength(paid ? 1 : 0);
    expect(pay.visit(visitId)).toMatchObject({ unitsMet: paid ? 1 : 0, flags: [] });
    expect(pay.payments.signs().payments.state).toBe('ok');
    // A driver who has not paid can pay.
    if (paid) return;
    await pay.ready();
    pay.sim.present(CARDS.visa);
    expect(await pay.order(visitId)).not.toBeNull();
    await pay.settled();
    expect(pay.sim.book.totalMinor()).toBe(500);
    expect(pay.settlements(visitId)).toHaveLength(1);
  });
});

const FAULTS = ['powerCutAt', 'lineCutAt', 'silentAt'] as const;

describe.each(FAULTS)('the terminal: %s', (fault) => {
  it.each(ZVT_STEPS)('%s: the books agree, and no driver pays twice', async (step) => {
    pay = await startPayingSite({ answerMs: 100 });
    await pay.ready();
    const visitId = await pay.enter('ABX12');
    pay.sim.faults[fault] = step;
    pay.sim.present(CARDS.visa);
    const order = await pay.order(visitId);
    if (fault === 'silentAt') {
      await waitFor(() => pay && !pay.payments.isActive(order?.id ?? ''), {
        what: 'a terminal that is not waited for any more',
      });
      pay.sim.heal();
    }
    const [payment] = await pay.settled();
    const taken = pay.sim.book.totalMinor();
    expect(payment?.needsPerson).toBe(false);
    expect(payment?.state === 'settled' ? 500 : 0).toBe(taken);
    expect(pay.settlements(visitId).length * 500).toBe(taken);
    expect(pay.visit(visitId)?.flags).toEqual([]);
  });
});
