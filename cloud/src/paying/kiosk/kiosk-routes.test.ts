import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { frame } from '../../../test/sample-documents.ts';
import { allInvoices } from '../../../test/settlements.ts';
import { addTerminal, terminalAnswers } from '../../../test/terminal.ts';
import { loginAttemptTable } from '../../records/auth/token-table.ts';

let api: TestApi;
let token: string;
let product: string;
beforeEach(async () => {
  api = await createTestApi();
  token = await api.roleToken('kiosk');
  const body = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' };
  product = (await api.made('/products', body)).id;
  await addTerminal(api);
});
afterEach(() => api.close());

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) });

describe('GET /kiosk/search-visits', () => {
  const search = (plate: string) => call('GET', `/kiosk/search-visits?plate=${encodeURIComponent(plate)}`);

  it('finds cars inside by the beginning of their plate, and shows no more of it than was typed', async () => {
    const { id } = await api.visit({ plate: 'ABX12' });
    await api.visit({ plate: 'ABC99', status: 'completed', endedAt: api.now() });
    await api.visit({ plate: 'XYZ01' });
    const { body } = await search('ab x');
    expect(body).toEqual({
      visits: [
        {
          id,
          plate: 'ABX••',
          startedOn: '2026-11-21T08:00:00.000Z',
          picture: null,
          site: { id: api.site.id, name: 'Harbour' },
          price: { amount: 500, currency: 'ISK' },
        },
      ],
    });
  });

  it('shows by which picture a car came in, and that one only while it is inside', async () => {
    const camera = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
    const body = frame('ABX12', api.now());
    await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, { body });
    const found = await search('ABX');
    const [{ id, picture }] = z
      .object({ visits: z.tuple([z.object({ id: z.string(), picture: z.string() })]) })
      .parse(found.body).visits;
    const look = async (path: string) =>
      (await api.app.request(path, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await look(picture)).toBe(200);
    expect(await look(picture.replace('/picture', ''))).toBe(403);
    const ended = { status: 'completed', paymentStatus: 'void', reason: 'gone' };
    expect((await api.call('PUT', `/visit/${id}`, { body: ended })).body).toMatchObject({
      status: 'completed',
    });
    expect(await look(picture)).toBe(404);
  });

  it('asks for nothing of who has just come in, as the exit does', async () => {
    await api.visit({ plate: 'ABX12', startedAt: utcTime(millis(api.now()) - 4 * MINUTE_MS) });
    expect((await search('ABX')).body).toMatchObject({ visits: [{ price: { amount: 0, currency: 'ISK' } }] });
    api.wait(12 * MINUTE_MS);
    expect((await search('ABX')).body).toMatchObject({ visits: [{ price: { amount: 500 } }] });
  });

  it('takes characters that cameras mix up for each other', async () => {
    const { id } = await api.visit({ plate: 'OB512' });
    expect((await search('0BS')).body).toMatchObject({ visits: [{ id, plate: 'OB5••' }] });
  });

  it('wants three characters, and a kiosk’s token', async () => {
    expect((await search('a b')).status).toBe(400);
    expect((await api.call('GET', '/kiosk/search-visits?plate=ABX')).status).toBe(403);
  });

  it('is not for trying out every plate there is', async () => {
    expect((await search('ABX')).status).toBe(200);
    // The kiosk has used up its searches.
    await api.db.write(async ({ q }) => void (await q.update(loginAttemptTable).set({ attempts: 600 })));
    const refused = await search('ABX');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('900');
    const other = await api.roleToken('kiosk');
    expect((await api.call('GET', '/kiosk/search-visits?plate=ABX', { token: other })).status).toBe(200);
  });
});

describe('POST /kiosk/register-payment', () => {
  const register = (fields = {}, headers = {}) =>
    call(
      'POST',
      '/kiosk/register-payment',
      { plate: 'ABX12', quantity: 2, product, language: 'en', ...fields },
      headers,
    );

  it('books the payment, informs the site, and returns the id of the paid invoice', async () => {
    const { id } = await api.visit({ plate: 'ABX12', status: 'need-payment' });
    const { status, body } = await register();
    expect(status).toBe(200);
    const invoices = await allInvoices(api);
    expect(invoices).toMatchObject([
      {
        id: body['invoiceId'],
        status: 'paid',
        amountMinor: 1000,
        visitId: id,
        language: 'en',
        productId: product,
      },
    ]);
    expect(await api.lastChange()).toMatchObject({
      kind: 'settlement',
      item: { id: body['invoiceId'], visitId: id, paymentStatus: 'kiosk', units: 2, amountMinor: 1000 },
    });
    const { body: visit } = await api.call('GET', `/visit/${id}`);
    expect(visit).toMatchObject({ status: 'new', paymentStatus: 'kiosk', unitsMet: 2 });
    expect(visit['paidUntil']).toBe('2026-11-21T12:15:00.000Z');
    const audited = await api.audited();
    expect(audited.find(({ action }) => action === 'kiosk.register-payment')).toMatchObject({
      subjectId: id,
    });
  });

  it('is done once under one key', async () => {
    await api.visit({ plate: 'ABX12' });
    const headers = { 'idempotency-key': 'receipt-17' };
    const [first, second] = [await register({}, headers), await register({}, headers)];
    expect(second.body).toEqual(first.body);
    expect(await allInvoices(api)).toHaveLength(1);
  });

  it('refuses less than what is due', async () => {
    const { id } = await api.visit({ plate: 'ABX12', startedAt: '2026-11-12T08:00:00.000Z' });
    for (const fields of [{ quantity: 1 }, { quantity: 9 }]) {
      const { status, body } = await register(fields);
      expect([status, body['messages']]).toEqual([
        400,
        [expect.stringMatching(/^quantity: .* does not meet the .*5,000.* that are due$/)],
      ]);
    }
    expect(await allInvoices(api)).toEqual([]);
    expect((await api.call('GET', `/visit/${id}`)).body).toMatchObject({ status: 'new', unitsMet: 0 });
    expect((await register({ quantity: 10 })).status).toBe(200);
  });

  it('sells days in advance to a driver without a debt', async () => {
    await api.visit({ plate: 'ABX12', startedAt: api.now() });
    expect((await register({ quantity: 1 })).status).toBe(200);
  });

  it.each(['register', 'init'])('refuses a product for other vehicles: %s', async (way) => {
    const body = { type: 'default', price: 5000, vehicleCategory: 'heavy', productCode: 'H' };
    const heavy = (await api.made('/products', body)).id;
    await api.visit({ plate: 'ABX12' });
    const order = { plate: 'ABX12', product: heavy, quantity: 2, language: 'en' };
    const answer =
      way === 'register'
        ? await register(order)
        : await call('POST', '/kiosk/pos/init', { ...order, terminal: 'kiosk-1' });
    expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringMatching(/^product: it /)]]);
    expect(await allInvoices(api)).toEqual([]);
  });

  it('refuses what it cannot book: no such car, product or quantity', async () => {
    expect((await register()).status).toBe(404);
    await api.visit({ plate: 'ABX12' });
    expect((await register({ product: 'none' })).body).toMatchObject({
      messages: ['product: there is no such product'],
    });
    expect((await register({ quantity: 0 })).status).toBe(400);
    expect(await allInvoices(api)).toEqual([]);
  });
});

describe('POST /kiosk/pos/init', () => {
  const init = (fields: object) =>
    call('POST', '/kiosk/pos/init', { language: 'is', terminal: 'kiosk-1', ...fields });

  it('has the site begin a payment, whose invoice has the payment’s id', async () => {
    api.bus.play(api.site.id, terminalAnswers());
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    const { status, body } = await init({ visit });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { invoice: { status: 'draft', price: { amount: 1000, currency: 'ISK' } } },
    });
    const [command] = api.bus.sent
      .filter(({ leaf }) => leaf === 'cmd')
      .map(({ payload }) => JSON.parse(payload));
    expect(command).toMatchObject({ action: 'pay', terminalId: 'kiosk-1', visitId: visit, units: null });
    const { id } = body['invoice'] as { id: string };
    expect(id).toBe(command.id);
    expect((await call('GET', `/kiosk/pos/status/${id}`)).body).toMatchObject({
      receiptUrl: null,
      receipt: {
        provider: 'terminal',
        data: { posStatus: 'created', posError: null, posErrorMessage: null },
      },
    });
    const key = 'A'.repeat(22);
    await reportPayment(api, samplePayment({ id, visitId: visit, receiptKey: key }));
    // The key came with the intent; what comes later does not change it.
    const { body: settled } = await call('GET', `/kiosk/pos/status/${id}`);
    expect(settled).toMatchObject({
      receipt: { data: { posStatus: 'settled', posError: null } },
      invoice: { id, status: 'paid' },
    });
    expect(settled['receiptUrl']).toMatch(/^https:\/\/hlid\.example\/receipt\/[\w-]{22}\?lang=is$/);
    expect(await allInvoices(api)).toMatchObject([{ id, status: 'paid' }]);
  });

  it('sells units in advance by plate', async () => {
    api.bus.play(api.site.id, terminalAnswers());
    const { id: visitId } = await api.visit({ plate: 'ABX12' });
    expect((await init({ plate: 'abx-12', product, quantity: 3 })).status).toBe(200);
    const [command] = api.bus.sent
      .map(({ payload }) => JSON.parse(payload))
      .filter(({ action }) => action === 'pay');
    expect(command).toMatchObject({ visitId, units: 3 });
    expect((await init({ plate: 'abx-12', product: 'other', quantity: 3 })).status).toBe(400);
    expect((await init({ visit: visitId, plate: 'abx-12' })).body).toMatchObject({
      messages: ['There is no field “plate”.'],
    });
  });

  it.each([
    ['terminal-busy', 409],
    ['payment-under-way', 409],
    ['nothing-due', 400],
    ['too-little', 400],
    ['not-for-sale', 400],
    ['not-found', 404],
    ['terminal-away', 503],
  ])('says why it did not begin: %s', async (reason, expected) => {
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason, lanes: [] }));
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    const answer = await init({ visit });
    expect(answer.status).toBe(expected);
    const audited = (await api.audited()).find(({ action }) => action === 'kiosk.pos-init');
    expect(audited?.after).toMatchObject({ visitId: visit });
  });

  it('does not begin at a site that is away', async () => {
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    expect((await init({ visit })).status).toBe(503);
  });

  it('does not say that it failed where the site did not answer', async () => {
    api.bus.play(api.site.id, () => null);
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    const { status, body } = await init({ visit });
    expect(status).toBe(504);
    const [, path = ''] = body['messages'] as string[];
    const at = path.replace('Ask ', '');
    expect((await call('GET', at)).body).toMatchObject({ receipt: { data: { posStatus: 'created' } } });
    api.wait(2 * 60_000);
    expect((await call('GET', at)).body).toMatchObject({
      receipt: {
        data: { posStatus: 'unknown', posErrorMessage: 'Við erum að athuga greiðsluna. Ekki greiða aftur.' },
      },
    });
    // It had begun after all.
    await reportPayment(api, samplePayment({ id: at.split('/').at(-1) ?? '', visitId: visit }));
    expect((await call('GET', at)).body).toMatchObject({ receipt: { data: { posStatus: 'settled' } } });
  });

  it('says in the driver’s language why a card was declined', async () => {
    api.bus.play(api.site.id, terminalAnswers());
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    const { body } = await init({ visit, language: 'en' });
    const { id } = body['invoice'] as { id: string };
    const declined = {
      state: 'declined',
      reason: 'card-expired',
      transaction: null,
      language: 'en',
    } as const;
    await reportPayment(api, samplePayment({ id, visitId: visit, ...declined }));
    expect((await call('GET', `/kiosk/pos/status/${id}`)).body).toMatchObject({
      receipt: {
        data: {
          posStatus: 'declined',
          posError: 'card-expired',
          posErrorMessage: 'The card has expired. Try another card.',
        },
      },
      invoice: { status: 'failed' },
    });
  });

  it('asks for the site where two have a terminal of that name', async () => {
    const other = await api.addSite('Airport');
    await addTerminal(api, 'kiosk-1', other.id);
    api.bus.play(api.site.id, terminalAnswers());
    const { id: visit } = await api.visit({ plate: 'ABX12' });
    expect((await init({ visit })).status).toBe(400);
    expect((await init({ visit, terminal: `${api.site.id}:kiosk-1` })).status).toBe(200);
    expect((await init({ visit, terminal: `${other.id}:kiosk-1` })).status).toBe(404);
  });
});

describe('GET /kiosk/pos/poi-status/{terminalId}', () => {
  const status = (terminal = 'kiosk-1') => call('GET', `/kiosk/pos/poi-status/${terminal}`);

  it('asks the site how its terminal stands', async () => {
    api.bus.play(api.site.id, terminalAnswers());
    expect((await status()).body).toEqual({ poiStatus: 'CONNECTED', posStatus: 'CONNECTED' });
    expect((await status('none')).status).toBe(404);
  });

  it('says that the site is away, or does not answer', async () => {
    expect((await status()).body).toEqual({ poiStatus: 'UNKNOWN', posStatus: 'DISCONNECTED' });
    api.bus.play(api.site.id, () => null);
    expect((await status()).body).toEqual({ poiStatus: 'UNKNOWN', posStatus: 'UNKNOWN' });
  });
});

it('knows nothing of a payment that was not ordered', async () => {
  expect((await call('GET', `/kiosk/pos/status/${randomUUID()}`)).status).toBe(404);
});
