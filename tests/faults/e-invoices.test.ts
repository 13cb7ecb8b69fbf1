import { eInvoiceRun } from '@hlid/cloud/paying/e-invoice-sending/send-e-invoices';
import { InvoiceDocuments } from '@hlid/cloud/paying/invoice-document/invoice-documents';
import type { AccessPoint } from '@hlid/cloud/platform/access-points/access-point';
import { AccessPoints } from '@hlid/cloud/platform/access-points/access-points';
import { HttpAccessPoint } from '@hlid/cloud/platform/access-points/http-access-point';
import type { ScheduledRun } from '@hlid/cloud/platform/jobs/scheduled-runs';
import { createTestApi, type Json, type TestApi } from '@hlid/cloud/test/api';
import { addCustomer, allInvoices, settle } from '@hlid/cloud/test/settlements';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessPointService } from '../sim/access-point-service.ts';
import { CHARGE_FAULTS, providerFault } from '../sim/gateway-rigs.ts';

const SELLER = {
  name: 'Bílahúsið ehf.',
  ssn: '550101-2020',
  vatNumber: '12345',
  street: 'Þórsgata 1',
  postcode: '101',
  city: 'Reykjavík',
  bankAccount: '0133-26-001234',
};
const ADDRESS = { street: 'Hafnarstræti 5', postcode: '600', city: 'Akureyri', country: 'IS' };
const RECEIVER = '0196:5305750209';
const DAY_MS = 24 * HOUR_MS;

let api: TestApi;
/** The one customer of a test. */
let customer: string | undefined;
let service: AccessPointService;
beforeEach(async () => {
  service = new AccessPointService();
  service.registered.add(RECEIVER);
  await service.start();
  customer = undefined;
  api = await createTestApi();
  await sell(SELLER);
});
afterEach(async () => {
  await service.stop();
  await api.close();
  expect(service.complaints).toEqual([]);
});

async function sell(seller: Json): Promise<void> {
  const body = { settings: { seller } };
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body })).status).toBe(303);
}

/**
 * A process that sends.
 *
 * @param isConfigured whether it has an access point
 * @param around what its calls meet on this side
 */
function sender(isConfigured = true, around = (point: AccessPoint) => point): ScheduledRun {
  const { db, clock, context } = api;
  const options = { kind: 'http', url: service.origin, token: service.token, timeoutMs: 300 } as const;
  const points = new Map(isConfigured ? [['http', around(new HttpAccessPoint(options))]] : []);
  return eInvoiceRun({
    db,
    clock,
    log: pino({ level: 'silent' }),
    accessPoints: new AccessPoints(points, 'http'),
    documents: new InvoiceDocuments(context),
    stoppingMs: 50,
  });
}

const DEATHS = ['before submit', 'after submit', 'before status', 'after status'] as const;
type Death = (typeof DEATHS)[number];

/** Sends until the process dies: it never goes on, and stores nothing more. `after`: before it gets the answer. */
async function runUntil(death: Death): Promise<void> {
  let die: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const dying = async <T>(name: 'submit' | 'status', act: () => Promise<T>): Promise<T> => {
    if (death === `after ${name}`) await act();
    if (death.endsWith(name)) {
      die();
      return await new Promise<never>(() => undefined);
    }
    return await act();
  };
  const mortal = sender(true, (point) => ({
    submit: (document, signal) => dying('submit', () => point.submit(document, signal)),
    status: (key, signal) => dying('status', () => point.status(key, signal)),
  }));
  await Promise.race([run(mortal), died]);
}

const run = (one = sender(), signal = new AbortController().signal) => one.work({ now: api.now(), signal });

/** Lets time pass, and sends what is due, as often as the cloud would. */
async function runFor(hours: number, one = sender()): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    api.wait(HOUR_MS);
    await run(one);
  }
}

/** A customer who is sent electronic invoices, and one of them, by a billing run. @returns the invoice's id */
async function billed(fields: { address?: object; toNetwork?: boolean; amountMinor?: number } = {}) {
  const { address = ADDRESS, toNetwork = true, amountMinor = 1240 } = fields;
  const options = { billingMethod: 'daily', sendInvoicesToPublishingSystem: toNetwork, ...address } as const;
  customer ??= await addCustomer(api, options, { name: 'Æðey & synir ehf.', ssn: '5305750209' });
  const customerId = customer;
  await settle(api, { customerId, paymentStatus: 'company-invoice', amountMinor });
  api.wait(48 * HOUR_MS);
  expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  const invoice = (await allInvoices(api)).find((one) => one.customerId === customerId);
  return { id: invoice?.id ?? '', customerId };
}

async function shown(id: string): Promise<Json> {
  const { status, body } = await api.call('GET', `/invoice/${id}`);
  expect(status).toBe(200);
  return body;
}
const stateOf = async (id: string) => (await shown(id))['eInvoice'];
const again = (id: string) => api.call('POST', `/invoice/${id}/send`);

async function xmlOf(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${api.operator}`, accept: 'application/xml' };
  return await (await api.app.request(`/invoice/${id}/document`, { headers })).text();
}

describe('an invoice for the network', () => {
  it('is sent as its document is shown, and its state follows it to the receiver', async () => {
    const { id } = await billed();
    expect(await shown(id)).toMatchObject({ publishStatus: 'draft', eInvoice: { state: 'waiting' } });
    await run();
    const [document] = service.documents.values();
    expect(document?.xml).toBe(await xmlOf(id));
    const { reference } = document ?? {};
    expect(await stateOf(id)).toMatchObject({
      state: 'accepted',
      accessPoint: 'http',
      receiver: RECEIVER,
      reference,
    });
    service.deliver(document?.key ?? '');
    await runFor(1);
    expect(await shown(id)).toMatchObject({ publishStatus: 'completed', eInvoice: { state: 'delivered' } });
    await runFor(30);
    expect(service.calls).toEqual(['submit', 'status']);
  });

  it('is followed by its credit note, which a person made', async () => {
    const { id } = await billed();
    const visitIds = ((await shown(id))['lines'] as Json[]).map((line) => line['visitId']);
    const body = { visitIds, outcome: 'nothing', reason: 'Not his car' };
    expect((await api.call('POST', `/invoice/${id}/credit`, { body })).status).toBe(303);
    await run();
    const roots = [...service.documents.values()].map(({ xml }) => /<(Invoice|CreditNote) /.exec(xml)?.[1]);
    expect(roots.toSorted()).toEqual(['CreditNote', 'Invoice']);
  });

  it('stays here where the customer does not want that, until a person sends it', async () => {
    const { id } = await billed({ toNetwork: false });
    await run();
    expect(service.calls).toEqual([]);
    expect(await shown(id)).toMatchObject({ publishStatus: null, eInvoice: null });
    expect((await again(id)).status).toBe(303);
    await run();
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('waits, and says so, where there is no access point; nothing is marked as sent', async () => {
    const { id } = await billed();
    await runFor(3, sender(false));
    expect(await shown(id)).toMatchObject({
      publishStatus: 'draft',
      eInvoice: { state: 'waiting', reason: 'no-access-point' },
    });
    await runFor(1);
    expect(await stateOf(id)).toMatchObject({ state: 'accepted', reason: null });
  });

  it('is published by another system instead, before it is handed over, and not after', async () => {
    const { id } = await billed();
    const mark = (one: string) =>
      api.call('PUT', `/invoice/${one}`, { body: { publishStatus: 'completed' } });
    expect((await mark(id)).status).toBe(303);
    await run();
    expect(service.calls).toEqual([]);
    const { id: other } = await billed({ amountMinor: 500 });
    await run();
    expect((await mark(other)).status).toBe(400);
  });
});

describe('a refusal', () => {
  it('is shown with its reason, and a new attempt sends the same bytes under another key', async () => {
    service.registered.clear();
    const { id } = await billed();
    const bytes = await xmlOf(id);
    await run();
    expect(await shown(id)).toMatchObject({
      publishStatus: 'failed',
      eInvoice: {
        state: 'refused',
        reason: 'receiver-unknown',
        detail: `${RECEIVER} is not in the directory`,
      },
      actions: expect.arrayContaining(['send']),
    });
    await runFor(30);
    expect(service.calls).toEqual(['submit']);
    service.registered.add(RECEIVER);
    expect((await again(id)).status).toBe(303);
    expect((await again(id)).status).toBe(409);
    await run();
    expect(await stateOf(id)).toMatchObject({ state: 'accepted', reason: null, attempts: 2 });
    const [document] = service.documents.values();
    expect(document?.xml).toBe(bytes);
    expect((await again(id)).status).toBe(409);
  });

  it('of what the customer lacks names it, before anything is sent', async () => {
    const { id } = await billed({ address: { city: 'Akureyri' } });
    await run();
    expect(service.calls).toEqual([]);
    expect(await stateOf(id)).toMatchObject({
      state: 'refused',
      reason: 'lacks-data',
      detail: expect.stringContaining('customer.options.street'),
    });
  });

  it('by the receiver’s access point comes after it was accepted', async () => {
    const { id } = await billed();
    await run();
    const [document] = service.documents.values();
    service.reject(document?.key ?? '', 'document-invalid', 'BR-CO-15');
    await runFor(1);
    expect(await stateOf(id)).toMatchObject({ state: 'refused', detail: 'BR-CO-15' });
  });
});

describe('a document of unknown outcome', () => {
  it.each(CHARGE_FAULTS)('is asked about after $fault, and is with the access point once', async (one) => {
    const { id } = await billed();
    service.fail(['submit'], providerFault(one.fault));
    await run();
    expect(await stateOf(id)).toMatchObject({ state: 'unknown', reason: 'not-reached' });
    await runFor(3);
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
    expect(service.documents.size).toBe(1);
    // What the access point has is never submitted again.
    expect(service.calls.filter((call) => call === 'submit')).toHaveLength(one.books ? 1 : 2);
  });

  it('is asked about by another process, where the first has died with its call under way', async () => {
    const { id } = await billed();
    service.fail(['submit'], { kind: 'held' });
    // It never gets its answer, and stores nothing: its lease ends.
    const dies = new HttpAccessPoint({
      kind: 'http',
      url: service.origin,
      token: service.token,
      timeoutMs: 60_000,
    });
    const { db, clock, context } = api;
    const stopped = new AbortController();
    const first = eInvoiceRun({
      db,
      clock,
      log: pino({ level: 'silent' }),
      accessPoints: new AccessPoints(new Map([['http', dies]]), 'http'),
      documents: new InvoiceDocuments(context),
      stoppingMs: 60_000,
    }).work({ now: api.now(), signal: stopped.signal });
    await expect.poll(() => service.calls.length).toBe(1);
    expect(await stateOf(id)).toMatchObject({ state: 'sending' });
    api.wait(10 * MINUTE_MS);
    await run();
    // The access point has not seen it yet, so the second process submits it; then the first one's arrives.
    service.release();
    await first;
    await runFor(2);
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
    expect(service.documents.size).toBe(1);
  });

  it('is not sent by two processes at once', async () => {
    const { id } = await billed();
    await Promise.all([run(), run(), run()]);
    expect(service.calls).toEqual(['submit']);
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
  });
});

it('every invoice is with the access point once, whatever fails, whoever stops or dies', async () => {
  const faults = fc.array(
    fc.record({
      of: fc.constantFrom('submit' as const, 'status' as const),
      fault: fc.constantFrom(...CHARGE_FAULTS.map(({ fault }) => fault)),
      after: fc.nat(3),
    }),
    { maxLength: 6 },
  );
  const stops = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 });
  const deaths = fc.array(fc.constantFrom(...DEATHS), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(faults, stops, deaths, async (faults, stops, deaths) => {
      service.documents.clear();
      const { id } = await billed();
      const { id: other } = await billed({ amountMinor: 500 });
      for (const { of, fault, after } of faults) service.fail([of], providerFault(fault), after);
      for (const ms of stops) {
        await Promise.all([run(sender(), AbortSignal.timeout(ms)), run()]);
        api.wait(DAY_MS / 12);
      }
      for (const death of deaths) {
        await runUntil(death);
        api.wait(HOUR_MS);
      }
      // Faults that are left belong to calls that may not come.
      for (let hour = 0; hour < 40; hour++) {
        api.wait(HOUR_MS);
        await run();
        for (const { key } of service.documents.values()) service.deliver(key);
      }
      for (const one of [id, other]) expect(await stateOf(one)).toMatchObject({ state: 'delivered' });
      const numbers = [...service.documents.values()].map(({ xml }) => /<cbc:ID>(\d+)</.exec(xml)?.[1]);
      expect(new Set(numbers).size).toBe(2);
      expect(numbers).toHaveLength(2);
    }),
    { numRuns: Number(process.env['HLID_E_INVOICE_RUNS'] ?? 6) },
  );
});
