import { alarmMailJob } from '@hlid/cloud/integration/alarms/mail-alarms';
import { listMail } from '@hlid/cloud/people/mail/mail-store';
import { integrationEventTable } from '@hlid/cloud/records/webhooks/integration-event-table';
import { createTestPayments, type TestPayments } from '@hlid/edge/test/payments';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

let kiosk: TestPayments;
let pair: PairedSite;
beforeEach(async () => {
  kiosk = createTestPayments();
  pair = await pairSite(kiosk.site);
  await pair.api.made('/products', {
    type: 'default',
    price: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'P',
  });
  await pair.meet();
});
afterEach(async () => {
  await kiosk.close();
  await pair.api.close();
});

/** Parks a car that has been inside for hours and that the cloud has received. */
async function parked(): Promise<string> {
  await kiosk.site.read('in-1', 'ABX12');
  pair.wait(3 * HOUR_MS);
  await pair.meet();
  return kiosk.site.core.stays.visits.openByPlate('ABX12')?.id ?? '';
}

async function paysAtTerminal(visitId: string): Promise<string> {
  const id = await kiosk.begin(visitId);
  await kiosk.approve(id);
  await kiosk.ended(id);
  return id;
}

const put = (id: string, body: object) => pair.api.call('PUT', `/visit/${id}`, { body });
const shown = async (id: string) => (await pair.api.call('GET', `/visit/${id}`)).body;
const RowsSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), status: z.string().optional() })),
});
const rows = async (path: string) => RowsSchema.parse((await pair.api.call('GET', path)).body).data;
const refund = (id: string) =>
  pair.api.call('POST', `/invoice/${id}/refund`, { body: { reason: 'Paid twice' } });

/** The payments for which integrators get a notice that a person is needed. */
async function reviews(): Promise<string[]> {
  const { type, subjectId } = integrationEventTable;
  const found = await pair.api.db.read((q) =>
    q.select({ subjectId }).from(integrationEventTable).where(eq(type, 'payment.review')),
  );
  return found.map((event) => event.subjectId);
}

async function alarmMails(): Promise<string[]> {
  const { db } = pair.api;
  const run = alarmMailJob({ db, to: ['ops@example.is'], language: 'en' });
  const now = pair.api.now();
  if (await run.isDue?.(now)) await run.work({ now, signal: new AbortController().signal });
  const mails = await db.read((q) => listMail(q, undefined, { cursor: undefined, limit: 10 }));
  return mails.map(({ text }) => text);
}

describe('a visit that is paid at the terminal while the line is cut', () => {
  it.each([
    ['settled', { paymentStatus: 'kiosk' }, 2],
    ['waived', { paymentStatus: 'whitelisted' }, 1],
    ['voided', { paymentStatus: 'void', reason: 'Broken barrier' }, 1],
  ])(
    'and %s in the cloud is flagged, listed, reported, and refunded in one step',
    async (_how, body, invoices) => {
      const visit = await parked();
      expect((await put(visit, body)).status).toBe(303);
      const payment = await paysAtTerminal(visit);
      await pair.meet();

      expect((await shown(visit))['flags']).toEqual(['settled-twice']);
      expect(await rows('/invoices?status=paid')).toHaveLength(invoices);
      expect(await rows('/payments')).toMatchObject([
        { id: payment, visitId: visit, problem: 'settled-twice', price: { amount: 500, currency: 'ISK' } },
      ]);
      expect(await rows('/visits?status=review')).toMatchObject([{ id: visit }]);
      expect(await reviews()).toEqual([payment]);
      expect(await alarmMails()).toEqual([expect.stringMatching(/500.*kiosk|500.*pos-1/)]);
      expect(await alarmMails()).toHaveLength(1);

      expect((await refund(payment)).status).toBe(303);
      await pair.meet();
      expect(await rows('/payments')).toEqual([]);
      expect(await rows('/invoices?status=paid')).toHaveLength(invoices - 1);
      expect((await shown(visit))['flags']).toEqual([]);
    },
  );

  it('needs no review if it is unchanged in the cloud', async () => {
    const visit = await parked();
    await put(visit, { plate: 'ABX12', status: 'need-payment' });
    await paysAtTerminal(visit);
    await pair.meet();
    expect((await shown(visit))['flags']).toEqual([]);
    expect(await rows('/payments')).toEqual([]);
  });

  it('a second time needs no review if both sides know of the first', async () => {
    const visit = await parked();
    await put(visit, { paymentStatus: 'kiosk' });
    await pair.meet();
    pair.wait(25 * HOUR_MS);
    await paysAtTerminal(visit);
    await pair.meet();
    expect(await rows('/payments')).toEqual([]);
    expect((await shown(visit))['flags']).toEqual([]);
  });

  it('is off the list after a review, too', async () => {
    const visit = await parked();
    await put(visit, { paymentStatus: 'kiosk' });
    await paysAtTerminal(visit);
    await pair.meet();
    await pair.api.call('POST', `/visit/${visit}/reviewed`, { body: { reason: 'Paid back in cash' } });
    await pair.meet();
    expect(await rows('/payments')).toEqual([]);
    expect((await shown(visit))['flags']).toEqual([]);
  });
});

describe('a payment that is refunded', () => {
  it('no longer opens the exit', async () => {
    const visit = await parked();
    const payment = await paysAtTerminal(visit);
    await pair.meet();
    pair.wait(MINUTE_MS);
    await refund(payment);
    await pair.meet();
    await kiosk.site.read('out-1', 'ABX12');
    expect(kiosk.site.reasons().at(-1)).toBe('need-payment');
    await pair.meet();
    expect(await shown(visit)).toMatchObject({ status: 'need-payment', paymentStatus: null, unitsMet: 0 });
  });
});

it('a visit that was paid by card and is voided keeps its invoice, and is flagged for review', async () => {
  const visit = await parked();
  await paysAtTerminal(visit);
  await pair.meet();
  expect((await put(visit, { paymentStatus: 'void', reason: 'Wrong car' })).status).toBe(303);
  await pair.meet();
  expect(await shown(visit)).toMatchObject({ status: 'completed', flags: ['invoice-stands'] });
});
