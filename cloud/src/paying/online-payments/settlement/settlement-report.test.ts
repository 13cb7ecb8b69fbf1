import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, type OnlineRig } from '../../../../test/online-payments.ts';
import { englishLines } from '../../../platform/refused.ts';
import { readSettlementFile } from './settlement-file.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const HEADER = 'transactionId,kind,amount,currency,date';
const compare = (lines: string[], gateway = 'testing2', token?: string) =>
  rig.api.call('POST', `/payments/settlement-report?gateway=${gateway}`, {
    body: [HEADER, ...lines].join('\n'),
    headers: { 'content-type': 'text/csv' },
    ...(token !== undefined && { token }),
  });

it('finds what agrees, and each difference, and changes nothing', async () => {
  const [same, other, lost, back] = [
    await rig.paid('AAA11'),
    await rig.paid('BBB22'),
    await rig.paid('CCC33'),
    await rig.paid('DDD44'),
  ];
  const refund = { body: { reason: 'The gate did not open' } };
  expect((await rig.api.call('POST', `/invoice/${back.id}/refund`, refund)).status).toBe(303);
  const charged = { reference: 'CB-1', amount: 300, reasonCode: '10.4' };
  const chargeback = { body: charged };
  expect((await rig.api.call('POST', `/payments/${same.id}/chargeback`, chargeback)).status).toBe(200);
  const day = rig.api.now().slice(0, 10);
  const { status, body } = await compare([
    `${same.transactionId},sale,500,ISK,${day}`,
    `${other.transactionId},sale,400,ISK,${day}`,
    `${back.transactionId},sale,500,ISK,${day}`,
    `${back.transactionId},refund,-500,ISK,${day}`,
    `${same.transactionId},fee,-12,ISK,${day}`,
    `${same.transactionId},chargeback,-300,ISK,${day}`,
    `stranger,chargeback,-500,ISK,${day}`,
  ]);
  expect(status).toBe(200);
  expect(body).toEqual({
    from: day,
    to: day,
    agrees: [
      { kind: 'sale', currency: 'ISK', count: 2, amount: 1000 },
      { kind: 'refund', currency: 'ISK', count: 1, amount: 500 },
      { kind: 'chargeback', currency: 'ISK', count: 1, amount: 300 },
    ],
    fees: [{ kind: 'fee', currency: 'ISK', count: 1, amount: 12 }],
    differences: [
      {
        problem: 'other-amount',
        kind: 'sale',
        transactionId: other.transactionId,
        paymentId: other.id,
        currency: 'ISK',
        here: 500,
        there: 400,
      },
      {
        problem: 'missing-here',
        kind: 'chargeback',
        transactionId: 'stranger',
        paymentId: null,
        currency: 'ISK',
        here: null,
        there: 500,
      },
      {
        problem: 'missing-there',
        kind: 'sale',
        transactionId: lost.transactionId,
        paymentId: lost.id,
        currency: 'ISK',
        here: 500,
        there: null,
      },
    ],
  });
});

it('takes what went back by the name of its sale, by its own, and by one that we never got', async () => {
  const [first, second] = [await rig.paid('AAA11'), await rig.paid('BBB22')];
  const reason = 'The gate did not open';
  await rig.api.call('POST', `/invoice/${second.id}/refund`, { body: { reason, amount: 200 } });
  const charged = { reference: 'CB-1', amount: 300, reasonCode: '10.4' };
  await rig.api.call('POST', `/payments/${first.id}/chargeback`, { body: charged });
  const day = rig.api.now().slice(0, 10);
  const sales = [first, second].map(({ transactionId }) => `${transactionId},sale,500,ISK,${day}`);
  const agrees = [
    { kind: 'sale', currency: 'ISK', count: 2, amount: 1000 },
    { kind: 'chargeback', currency: 'ISK', count: 1, amount: 300 },
    { kind: 'refund', currency: 'ISK', count: 1, amount: 200 },
  ];
  for (const [chargeback, refund] of [
    ['CB-1', 'refund-of-the-provider'],
    [first.transactionId, second.transactionId],
  ]) {
    const { body } = await compare([
      ...sales,
      `${chargeback},chargeback,-300,ISK,${day}`,
      `${refund},refund,-200,ISK,${day}`,
    ]);
    expect(body).toMatchObject({ agrees, differences: [] });
  }
  // Two that may be meant are for a person.
  const { body } = await compare([...sales, `x,refund,200,ISK,${day}`, `y,refund,200,ISK,${day}`]);
  expect(body['differences']).toHaveLength(4);
});

it('reads amounts in the minor unit, and with a point in the unit of the currency', () => {
  const read = (amount: string, currency: string) => {
    const file = readSettlementFile(`${HEADER}\n1,sale,${amount},${currency},2026-11-21`);
    return file.ok ? file.lines[0]?.amountMinor : englishLines(file.mistakes)[0];
  };
  expect([read('1500', 'ISK'), read('1500.00', 'ISK'), read('1500', 'EUR')]).toEqual([1500, 1500, 1500]);
  expect([read('15.5', 'EUR'), read('-15.05', 'EUR')]).toEqual([1550, 1505]);
  expect(read('15.001', 'EUR')).toBe('line.2.amount: has more decimals than EUR has');
  expect(read('1.500', 'ISK')).toBe('line.2.amount: has more decimals than ISK has');
});

it('refuses a file that it cannot read, a gateway that is not there, and who is no operator', async () => {
  expect((await compare(['1,gift,5,ISK,2026-11-21'])).body['messages']).toEqual([
    'line.2: kind cannot be read',
  ]);
  expect((await compare([])).status).toBe(400);
  expect((await compare(['1,sale,5,ISK,2026-11-21'], 'none')).body['messages']).toEqual([
    expect.stringContaining('gateway: is not configured'),
  ]);
  const customer = await rig.api.account('customer', { customerId: 'c1' });
  expect((await compare(['1,sale,5,ISK,2026-11-21'], 'testing2', customer)).status).toBe(403);
});
