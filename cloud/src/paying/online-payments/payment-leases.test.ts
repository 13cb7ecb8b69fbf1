import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig } from '../../../test/online-payments.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { refundsOf } from '../../money/payments/refunds.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { GatewayState, RefundOutcome } from '../../platform/card-gateways/gateway.ts';
import { paymentQueue, refundQueue } from '../../records/online-payments/online-payment-table.ts';
import { OnlineJournal } from './online-journal.ts';
import { findOnlinePayment } from './online-payment-store.ts';
import { OnlinePayments } from './online-payments.ts';
import { PaymentResolver } from './payment-resolver.ts';
import { OnlineRefunds } from './refund-online.ts';

/** The time is longer than a lease. */
const LEASE_IS_OVER_MS = 3 * MINUTE_MS;
const UNKNOWN = { kind: 'unknown', problem: 'no-answer' } as const;

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

/** A cloud on the same database and at the same provider, with calls that a test can delay or change. */
function cloud() {
  const context = rig.contextOfRun();
  const gateway = context.cardGateways.get('testing2');
  if (gateway === null) throw new Error('no gateway');
  return {
    gateway,
    payments: new OnlinePayments(context),
    refunds: new OnlineRefunds(context),
    resolver: new PaymentResolver(context, new OnlineJournal(context)),
  };
}

const refundsIn = (id: string) => rig.api.db.read((q) => refundsOf(q, id));
const refundPart = ({ refunds }: ReturnType<typeof cloud>, id: string) =>
  refunds.refund(cloudActor('test', rig.api.now()), id, {
    amountMinor: 100,
    reason: 'The gate',
    by: 'refund',
  });

it('what an adapter stores of a charge is there for the cloud that finds it out', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const [first, second] = [cloud(), cloud()];
  const results: unknown[] = [];
  first.gateway.charge = async (_order, { state, storeState }) => {
    results.push(await storeState({ ...state, reservation: 'T1' }));
    rig.api.wait(LEASE_IS_OVER_MS);
    await second.resolver.run();
    results.push(await storeState({ reservation: 'T2' }));
    return UNKNOWN;
  };
  second.gateway.findOut = async (_order, { state }) => {
    results.push(state['reservation']);
    return { kind: 'unavailable', problem: 'away' };
  };
  await first.payments.purchase(DRIVER, rig.order(visit));
  rig.api.wait(10 * MINUTE_MS);
  await second.resolver.run();
  expect(results).toEqual([true, 'T1', false, 'T1']);
});

it('what an adapter stores of a refund is there for the next cloud, and after the refund is ordered again', async () => {
  const { id } = await rig.paid('ABX12');
  const [first, second] = [cloud(), cloud()];
  const results: unknown[] = [];
  first.gateway.refund = async (_order, _transaction, { state, storeState }) => {
    results.push(state, await storeState({ part: 'sent' }));
    rig.api.wait(LEASE_IS_OVER_MS);
    await second.resolver.run();
    results.push(await storeState({}));
    return UNKNOWN;
  };
  second.gateway.refund = async (_order, _transaction, { state }) => {
    results.push(state);
    return { kind: 'not-possible', code: 'part-unclear' };
  };
  const whole = { amountMinor: null, reason: 'The gate', by: 'refund' } as const;
  await first.refunds.refund(cloudActor('test', rig.api.now()), id, whole);
  expect(results).toEqual([{}, true, { part: 'sent' }, false]);
  await second.refunds.refund(cloudActor('test', rig.api.now()), id, whole);
  expect(results.at(-1)).toEqual({ part: 'sent' });
});

it('what an adapter stores of one refund is not of another', async () => {
  const { id } = await rig.paid('ABX12');
  const only = cloud();
  const states: GatewayState[] = [];
  only.gateway.refund = async (_order, _transaction, { state, storeState }) => {
    states.push(state);
    await storeState({ part: 'refunded' });
    return { kind: 'refunded' };
  };
  await refundPart(only, id);
  await refundPart(only, id);
  expect(states).toEqual([{}, {}]);
  expect((await refundsIn(id)).map(({ gatewayState }) => gatewayState)).toEqual([
    { part: 'refunded' },
    { part: 'refunded' },
  ]);
});

it('one cloud at a time asks about a payment whose cloud has died', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  rig.deaths.at = 'after charge';
  void rig.payments.purchase(DRIVER, rig.order(visit));
  await expect.poll(() => rig.book().charges().size).toBe(1);
  rig.api.wait(LEASE_IS_OVER_MS);
  const [first, second] = [cloud(), cloud()];
  let asked = 0;
  for (const { gateway } of [first, second]) {
    const findOut = gateway.findOut.bind(gateway);
    gateway.findOut = async (...given) => {
      asked += 1;
      if (gateway === first.gateway) await second.resolver.run();
      return await findOut(...given);
    };
  }
  await first.resolver.run();
  expect(asked).toBe(1);
  const [[id = ''] = []] = [...rig.book().charges()];
  expect(await rig.api.db.read((q) => findOnlinePayment(q, id))).toMatchObject({
    payment: { state: 'settled' },
  });
});

it.each<[string, RefundOutcome, string]>([
  ['no answer', UNKNOWN, 'ordered'],
  ['a refusal', { kind: 'not-possible', code: '401' }, 'ordered'],
  ['success', { kind: 'refunded' }, 'refunded'],
])(
  'a cloud that comes late to its end of a refund with %s leaves it to the one that has it',
  async (...given) => {
    const [, late, state] = given;
    const { id } = await rig.paid('ABX12');
    const [first, second, third] = [cloud(), cloud(), cloud()];
    let sent = 0;
    first.gateway.refund = async () => {
      rig.api.wait(LEASE_IS_OVER_MS);
      void second.resolver.run();
      await expect.poll(() => sent).toBe(1);
      return late;
    };
    let answer = (_: RefundOutcome) => {};
    second.gateway.refund = async () => {
      sent += 1;
      return await new Promise((resolve) => {
        answer = resolve;
      });
    };
    await refundPart(first, id);
    expect(await refundsIn(id)).toMatchObject([{ state }]);
    // Now it would be due again, if the second cloud did not have it.
    rig.api.wait(MINUTE_MS);
    third.gateway.refund = async () => {
      sent += 1;
      return UNKNOWN;
    };
    await third.resolver.run();
    expect(sent).toBe(1);
    answer({ kind: 'already-refunded' });
    await expect.poll(async () => (await refundsIn(id)).map((one) => one.state)).toEqual(['refunded']);
  },
);

it.each<[RefundOutcome, string, number]>([
  [UNKNOWN, 'not-possible', 500],
  [{ kind: 'not-possible', code: '401' }, 'not-possible', 500],
  [{ kind: 'refunded' }, 'refunded', 400],
])('a late %j about a refund that another cloud has found not to be possible: it is %s', async (...given) => {
  const [late, state, incomeMinor] = given;
  const { id } = await rig.paid('ABX12');
  const [first, second] = [cloud(), cloud()];
  first.gateway.refund = async () => {
    rig.api.wait(LEASE_IS_OVER_MS);
    second.gateway.refund = async () => ({ kind: 'not-possible', code: 'part-unclear' });
    await second.resolver.run();
    return late;
  };
  await refundPart(first, id);
  expect(await refundsIn(id)).toMatchObject([{ state, dueAt: null }]);
  const paid = (await allInvoices(rig.api)).filter(({ status }) => status === 'paid');
  expect(paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(incomeMinor);
  rig.api.wait(10 * MINUTE_MS);
  for (const queue of [paymentQueue, refundQueue])
    expect(await rig.api.db.read((q) => queue.isAnyDue(q, rig.api.now()))).toBe(false);
});
