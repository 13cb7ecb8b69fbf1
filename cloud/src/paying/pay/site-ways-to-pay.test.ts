import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import { TestingSchema } from '../../platform/card-gateways/testing/testing-gateway.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { heldSite } from '../../records/feed/held-site.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { waysToPayRun } from './site-ways-to-pay.ts';

let api: TestApi;
/** The answer of the card gateway to a check; null: all is well. */
let problem: string | null;
let gateways: CardGateways;
beforeEach(async () => {
  problem = null;
  gateways = createGateways();
  api = await createTestApi({ cardGateways: gateways });
});
afterEach(() => api.close());

function createGateways(): CardGateways {
  const named = [{ id: 'cards', config: TestingSchema.parse({ kind: 'testing' }) }];
  const made = new CardGateways(named, 'cards', {
    clock: { now: () => new Date() },
    log: pino({ level: 'silent' }),
    dataDir: '',
  });
  const gateway = made.get('cards');
  if (gateway === null) throw new Error('there is no gateway');
  gateway.diagnose = async () => ({ problem, lines: [] });
  return made;
}

const ways = async () => (await api.call('GET', `/sites/${api.site.id}/ways-to-pay`)).body;
const OWN_PAGE = 'https://hlid.example/pay/x';

async function settings(changed: object): Promise<void> {
  const { status } = await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: changed } });
  expect(status).toBe(303);
}

async function terminal(state: 'ok' | 'unreachable'): Promise<void> {
  const at = api.now();
  const device = { kind: 'terminal', deviceId: 'pos-1', state, detail: '', since: at } as const;
  await api.db.write((tx) =>
    ingestDevice(tx, { siteId: api.site.id, at }, { type: 'device.changed', ...device }),
  );
}

const DevicesSchema = z.array(
  z.looseObject({ kind: z.string(), state: z.string(), alarm: z.boolean(), detail: z.string() }),
);

/** The report about the site by the check of its ways to pay. */
async function checked(cardGateways = gateways) {
  const run = waysToPayRun({ ...api.context, cardGateways });
  if (await run.isDue?.(api.now())) await run.work({ now: api.now(), signal: new AbortController().signal });
  const { body } = await api.call('GET', `/sites/${api.site.id}/devices`);
  return DevicesSchema.parse(body['data']).find(({ kind }) => kind === 'payment');
}

it('a gateway that is off is an alarm where it is the only way to pay, until it works', async () => {
  await settings({ payOnline: OWN_PAGE });
  expect(await checked()).toBeUndefined();
  problem = 'the key is refused';
  expect(await checked()).toMatchObject({
    state: 'failing',
    alarm: true,
    detail: expect.stringContaining(problem),
  });
  expect(await ways()).toEqual({ kiosk: 'absent', online: 'down', invoices: false, problem: 'not-working' });
  problem = null;
  expect(await checked()).toMatchObject({ state: 'ok', alarm: false });
  expect(await ways()).toMatchObject({ online: 'works', problem: null });
});

it('a site with our page is told that its gateway is off, whatever else it has, until it works again', async () => {
  const held = async () => await api.db.read((q) => heldSite(q, api.site.id));
  problem = 'the key is refused';
  for (const more of [{ payOnline: OWN_PAGE }, { hasKiosk: true }, { invoicesOwners: true }]) {
    await settings(more);
    await checked();
    expect(await held()).toMatchObject({ onlinePayment: 'off', settings: { payOnline: OWN_PAGE } });
  }
  // Once, and also after a change of the site.
  const n = async () => (await api.db.read((q) => readHead(q, api.site.id))).n;
  const before = await n();
  await checked();
  expect(await n()).toBe(before);
  await settings({ helpPhone: '555 1234' });
  expect(await held()).toMatchObject({ onlinePayment: 'off', settings: { helpPhone: '555 1234' } });
  problem = null;
  await checked();
  expect(await held()).not.toHaveProperty('onlinePayment');
});

it('a site that has the page of another provider is not kept from it', async () => {
  problem = 'the key is refused';
  await settings({ payOnline: OWN_PAGE });
  await checked();
  await settings({ payOnline: 'https://pay.example/x' });
  await checked();
  expect(await api.db.read((q) => heldSite(q, api.site.id))).not.toHaveProperty('onlinePayment');
});

it('a payment page without a gateway is one too, and a dead terminal beside it is no other way', async () => {
  await settings({ payOnline: OWN_PAGE });
  await terminal('unreachable');
  const none = new CardGateways([], null, {
    clock: api.context.clock,
    log: api.context.log,
    dataDir: '',
  });
  expect(await checked(none)).toMatchObject({ state: 'failing' });
  await terminal('ok');
  expect(await checked(none)).toMatchObject({ state: 'ok' });
});

it.each([
  ['owners are sent invoices', { invoicesOwners: true }],
  ['there is a kiosk of somebody else', { hasKiosk: true }],
  ['drivers pay at another page', { payOnline: 'https://pay.example/x' }],
])('no alarm where %s', async (_, more) => {
  problem = 'it is off';
  await settings({ payOnline: OWN_PAGE, ...more });
  expect(await checked()).toBeUndefined();
});

it('a site with prices and without a way to pay is named, and one that asks for nothing is not', async () => {
  const none = await createTestApi();
  try {
    const of = async () => (await none.call('GET', `/sites/${none.site.id}/ways-to-pay`)).body;
    expect(await of()).toMatchObject({ problem: null });
    const product = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' };
    await none.made('/products', product);
    expect(await of()).toEqual({ kiosk: 'absent', online: 'absent', invoices: false, problem: 'none' });
  } finally {
    await none.close();
  }
});
