import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { tablesWith } from '../../../test/tables.ts';
import { eq } from '../../platform/db/sql.ts';
import { onlinePaymentTable as t } from '../../records/online-payments/online-payment-table.ts';
import { payOrderTable } from '../../records/pay/pay-order-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

const EMAIL = 'jon@example.is';
const NAME = 'Jón Jónsson';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

async function pay(plate: string, script: Script = 'approve') {
  const visit = await rig.api.visit({ plate });
  const order = rig.order(visit, script, { email: EMAIL, payerName: NAME, storeCard: true });
  const stepped = await rig.payments.purchase(DRIVER, order);
  if (!stepped.ok) throw new Error(stepped.reason);
  return { visit, id: stepped.payment.id };
}
const row = (id: string) => rig.api.db.read(async (q) => await q.select().from(t).where(eq(t.id, id)).get());
async function run() {
  expect((await rig.api.call('POST', '/retention/runs')).status).toBe(204);
}
const NAMELESS = {
  email: null,
  payerName: null,
  card: null,
  cardExpires: null,
  storedToken: null,
  gatewayState: {},
};

it('takes payers and cards off online payments by the clock of visits, and leaves those that are open', async () => {
  const { id } = await pay('ABX12');
  const open = await pay('MKJ45', 'timeout-after-booking');
  expect(await row(id)).toMatchObject({ email: EMAIL, payerName: NAME });
  rig.api.wait(179 * DAY_MS);
  await run();
  expect(await row(id)).toMatchObject({ email: EMAIL });
  rig.api.wait(2 * DAY_MS);
  await run();
  expect(await row(id)).toMatchObject(NAMELESS);
  expect((await row(id))?.booking).not.toBeNull();
  expect(await row(open.id)).toMatchObject({ email: EMAIL, payerName: NAME });
  // Neither visit has ended: each is closed as lost, and its payer is taken off with its plate.
  expect((await rig.api.call('GET', '/retention')).body['data']).toMatchObject([
    { kind: 'visit-plate', rows: 2 },
  ]);
});

it('takes the bookings too, after the years of the books', async () => {
  const { id } = await pay('ABX12');
  rig.api.wait(8 * 366 * DAY_MS);
  await run();
  expect(await row(id)).toMatchObject({ ...NAMELESS, booking: null });
  const payment = await rig.api.db.read(
    async (q) => await q.select().from(paymentTable).where(eq(paymentTable.id, id)).get(),
  );
  expect(payment).toMatchObject({ state: 'settled', amountMinor: 500, transaction: null, receiptKey: null });
});

it('a plate is erased with the payers of its visits, except on invoices', async () => {
  const { id, visit } = await pay('QXZ77');
  await pay('OTHER1');
  await rig.api.db.write(async ({ q }) => {
    const left = { status: 'completed', endedAt: rig.api.now() } as const;
    await q.update(visitTable).set(left).where(eq(visitTable.id, visit.id));
  });
  expect((await rig.api.call('DELETE', '/privacy/plates/QXZ77')).status).toBe(200);
  expect(await row(id)).toMatchObject(NAMELESS);
  expect(tablesWith(rig.api.file, 'QXZ77')).toEqual(['invoice']);
  expect(tablesWith(rig.api.file, EMAIL)).toContain('online_payment');
});

it('erases old orders of the payment page', async () => {
  const order = { visitId: null, amountMinor: 0, quantity: null, atExit: false, reference: null };
  await rig.api.db.write(async ({ q }) => {
    await q.insert(payOrderTable).values({ key: 'k', ...order, cancelled: true, createdAt: rig.api.now() });
  });
  const orders = () => rig.api.db.read(async (q) => await q.select().from(payOrderTable));
  rig.api.wait(179 * DAY_MS);
  await run();
  expect(await orders()).toHaveLength(1);
  rig.api.wait(2 * DAY_MS);
  await run();
  expect(await orders()).toEqual([]);
});
