import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { findPayment } from '../../money/payments/find-payment.ts';
import { erasePaymentCards } from './erase-old-rows.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

it('takes cards, slips and receipts off old payments, and leaves their amounts', async () => {
  const old = samplePayment({ createdAt: '2019-05-01T10:00:00.000Z' });
  const newer = samplePayment();
  await reportPayment(api, old);
  await reportPayment(api, newer);
  const when = { before: '2020-01-01T00:00:00.000Z', now: api.now() };
  expect(await erasePaymentCards(api.db, when, 100)).toBe(1);
  expect(await erasePaymentCards(api.db, when, 100)).toBe(0);
  const [erased, kept] = await api.db.read(async (q) => [
    await findPayment(q, old.id),
    await findPayment(q, newer.id),
  ]);
  expect(erased).toMatchObject({ amountMinor: 1000, transaction: null, receipt: [], receiptKey: null });
  expect(kept).toMatchObject({ transaction: newer.transaction, receiptKey: newer.receiptKey });
  expect((await api.app.request(`/receipt/${old.receiptKey}`)).status).toBe(404);
});
