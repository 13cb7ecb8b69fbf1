import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { issueToken } from '../src/people/auth/tokens.ts';
import {
  driverCardTable,
  driverChargeTable,
  driverVehicleTable,
} from '../src/records/drivers/driver-table.ts';
import type { Json, TestApi } from './api.ts';
import { frame } from './sample-documents.ts';
import { sampleQuotaProduct } from './sample-quota.ts';
import { allInvoices, settle } from './settlements.ts';

/** A row of a customer, in the path of a call, and what the call sends. */
export interface OwnedRow {
  path: string;
  body?: Json;
}

type MakeRow = (api: TestApi, customerId: string) => Promise<OwnedRow>;

/** Every plate is used once: with two rows of one plate, a driver could reach one by the other. */
let plates = 0;
function nextPlate(): string {
  plates++;
  return `TST${String(plates).padStart(4, '0')}`;
}

async function account(api: TestApi, customerId: string, more: Json = {}): Promise<string> {
  const body = { account: { role: 'partner', status: 'active', customerId }, ...more };
  return (await api.made('/accounts', body)).id;
}

async function visit(api: TestApi, customerId: string): Promise<string> {
  const plate = nextPlate();
  // Each after the one before: the newest are found first.
  const startedAt = utcTime(Date.parse('2026-11-21T08:00:00.000Z') + plates * 1000);
  const { id } = await api.visit({ plate, startedAt });
  await api.giveVisit(id, customerId);
  return id;
}

async function entry(api: TestApi, customerId: string): Promise<string> {
  const authorId = await account(api, customerId);
  return (await api.made('/visit/whitelist', { plate: nextPlate(), reason: 'guest', authorId })).id;
}

async function photo(api: TestApi, customerId: string): Promise<string> {
  const camera = await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: randomUUID() });
  const body = frame(nextPlate(), api.now());
  const { body: made } = await api.call('POST', `/photos/open-alpr?camera.id=${camera.id}`, { body });
  const { id, visitId } = z.looseObject({ id: z.string(), visitId: z.string() }).parse(made);
  await api.giveVisit(visitId, customerId);
  return id;
}

async function custody(api: TestApi, customerId: string): Promise<{ id: string; plate: string }> {
  const plate = nextPlate();
  const { id } = await api.made('/custodians', { plate, customerId });
  return { id, plate };
}

async function quota(api: TestApi, customer: string): Promise<string> {
  const product = await sampleQuotaProduct(api, { productCode: randomUUID() });
  return (await api.made('/quotas', { customer, product, quantity: 5, name: randomUUID() })).id;
}

async function invoice(api: TestApi, customerId: string): Promise<string> {
  const visitId = await settle(api, { customerId });
  const made = (await allInvoices(api)).find((one) => one.visitId === visitId);
  if (made === undefined) throw new Error('no invoice');
  return made.id;
}

async function dispute(api: TestApi, customerId: string): Promise<string> {
  return (await api.made(`/visit/${await visit(api, customerId)}/dispute`, { text: 'not mine' })).id;
}

/** A route with a path that ends after that row's id, with a body or without. */
function at(make: (api: TestApi, customerId: string) => Promise<string>, path: string, body?: Json): MakeRow {
  return async (api, customerId) => {
    const filled = path.replace(':id', await make(api, customerId));
    return body === undefined ? { path: filled } : { path: filled, body };
  };
}

const changePassword: MakeRow = async (api, customerId) => {
  const authentication = { email: `${randomUUID()}@example.is`, password: 'þrjár gular kýr' };
  const id = await account(api, customerId, { authentication });
  const { body } = await api.call('GET', `/accounts/${id}/logins`);
  const [login] = z.array(z.looseObject({ tokenId: z.string() })).parse(body['data']);
  const change = { tokenId: login?.tokenId ?? '', password: 'ein blá hæna' };
  return { path: `/accounts/${id}/change-password`, body: change };
};

const endToken: MakeRow = async (api, customerId) => {
  const accountId = await account(api, customerId);
  const holder = { accountId, deviceUuid: 'phone' };
  const life = { from: api.now(), until: null };
  const { id } = await api.db.write(async ({ q }) => await issueToken(q, holder, life));
  return { path: `/accounts/${accountId}/tokens/${id}` };
};

const EDIT = { reason: 'edited' };

/** How to make a row that a route is about: of every route that people of a customer may call for one row. */
export const OWNED_ROWS: Readonly<Record<string, MakeRow>> = {
  'GET /accounts/:id': at(account, '/accounts/:id'),
  'PUT /accounts/:id': at(account, '/accounts/:id', { name: 'x' }),
  'GET /accounts/:id/logins': at(account, '/accounts/:id/logins'),
  'POST /accounts/:id/change-password': changePassword,
  'GET /accounts/:id/tokens': at(account, '/accounts/:id/tokens'),
  'DELETE /accounts/:id/tokens/:tokenId': endToken,
  'GET /accounts/:id/passkeys': at(account, '/accounts/:id/passkeys'),
  'GET /accounts/:id/totp': at(account, '/accounts/:id/totp'),

  'GET /photo/:id': at(photo, '/photo/:id'),
  'GET /photo/:id/picture': at(photo, '/photo/:id/picture'),

  'GET /customer/:id': async (_api, id) => ({ path: `/customer/${id}` }),
  'PUT /customer/:id': async (_api, id) => ({ path: `/customer/${id}`, body: { phone: '555 1234' } }),
  'GET /custodians/:id': async (api, id) => ({ path: `/custodians/${(await custody(api, id)).id}` }),
  'DELETE /custodians/:id': async (api, id) => ({ path: `/custodians/${(await custody(api, id)).id}` }),
  'GET /vehicle/:plate': async (api, id) => ({ path: `/vehicle/${(await custody(api, id)).plate}` }),

  'GET /visit/whitelist/:id': at(entry, '/visit/whitelist/:id'),
  'PUT /visit/whitelist/:id': at(entry, '/visit/whitelist/:id', EDIT),
  'DELETE /visit/whitelist/:id': at(entry, '/visit/whitelist/:id'),
  'GET /whitelist/:id': at(entry, '/whitelist/:id'),
  'PUT /whitelist/:id': at(entry, '/whitelist/:id', EDIT),
  'DELETE /whitelist/:id': at(entry, '/whitelist/:id'),

  'GET /visit/:id': at(visit, '/visit/:id'),
  'GET /visit/:id/price': at(visit, '/visit/:id/price'),
  'POST /visit/:id/pay-link': at(visit, '/visit/:id/pay-link', {}),
  'POST /visit/:id/receipt': at(visit, '/visit/:id/receipt', { email: 'a@example.is', language: 'is' }),
  'POST /visit/:id/whitelist': at(visit, '/visit/:id/whitelist', EDIT),

  'POST /visit/:id/dispute': at(visit, '/visit/:id/dispute', { text: 'not mine' }),
  'POST /invoice/:id/dispute': at(invoice, '/invoice/:id/dispute', { text: 'paid already' }),
  'GET /dispute/:id': at(dispute, '/dispute/:id'),
  'POST /dispute/:id/messages': at(dispute, '/dispute/:id/messages', { text: 'not mine' }),
  'POST /dispute/:id/withdraw': at(dispute, '/dispute/:id/withdraw'),

  'GET /quotas/:id': at(quota, '/quotas/:id'),
  'GET /invoice/:id': at(invoice, '/invoice/:id'),
  'GET /invoice/:id/document': at(invoice, '/invoice/:id/document'),
  'POST /invoice/:id/pay-link': at(invoice, '/invoice/:id/pay-link', {}),
};

/** Routes of one row without an owner. */
export const UNOWNED_ROWS: readonly string[] = ['GET /zones/:id', 'GET /products/:id'];

/** Routes of rows of one account, which others of its customer do not see either: view-routes.test.ts shows it. */
export const ACCOUNTS_ROWS: readonly string[] = ['GET /views/:id', 'PUT /views/:id', 'DELETE /views/:id'];

const DAYS = 'date.from=2026-11-20T00:00:00.000Z&date.to=2026-11-22T00:00:00.000Z';

/** Every list that people of a customer may read: its address, and the route of one row of it. */
export const OWNED_LISTS: Readonly<Record<string, { path: string; row: keyof typeof OWNED_ROWS }>> = {
  'GET /accounts': { path: '/accounts?include=customer,logins', row: 'GET /accounts/:id' },
  'GET /customers': { path: '/customers', row: 'GET /customer/:id' },
  'GET /custodians': { path: '/custodians?include=vehicle,customer,account', row: 'GET /custodians/:id' },
  'GET /vehicles': { path: '/vehicles', row: 'GET /vehicle/:plate' },
  'GET /visit/whitelist': { path: '/visit/whitelist?status=all', row: 'GET /visit/whitelist/:id' },
  'GET /visit/whitelist/export': { path: '/visit/whitelist/export', row: 'GET /visit/whitelist/:id' },
  'GET /whitelist': { path: '/whitelist', row: 'GET /whitelist/:id' },
  'GET /search': { path: '/search?q=TST', row: 'GET /visit/:id' },
  'GET /visits': { path: '/visits', row: 'GET /visit/:id' },
  'GET /visits/download': { path: '/visits/download?format=csv', row: 'GET /visit/:id' },
  'GET /disputes': { path: '/disputes', row: 'GET /dispute/:id' },
  'GET /quotas': { path: '/quotas', row: 'GET /quotas/:id' },
  'GET /invoices': { path: '/invoices', row: 'GET /invoice/:id' },
  'GET /reports/visits': { path: `/reports/visits?${DAYS}`, row: 'GET /visit/:id' },
  'GET /reports/visits/download': {
    path: `/reports/visits/download?format=csv&${DAYS}`,
    row: 'GET /visit/:id',
  },
};

/** Addresses of counts alone, with the row of which one more makes a difference to those who see it. */
export const OWNED_COUNTS: Readonly<Record<string, { path: string; row: keyof typeof OWNED_ROWS }>> = {
  'GET /visits/counts': { path: '/visits/counts', row: 'GET /visit/:id' },
  'GET /reports/visits/stats': { path: `/reports/visits/stats?${DAYS}`, row: 'GET /visit/:id' },
};

/** Lists without an owner, and the stream without an end, for which live-events.test.ts shows the same. */
export const UNOWNED_LISTS: readonly string[] = [
  'GET /zones',
  'GET /products',
  'GET /ping/token',
  'GET /session',
  'GET /events',
  // Views belong to one account: view-routes.test.ts checks them.
  'GET /views',
];
/** The rows of one driver: everything that no other driver may see or change. */
export interface DriverRows {
  token: string;
  email: string;
  plate: string;
  chargeId: string;
  at: string;
}

export async function driverRows(api: TestApi): Promise<DriverRows> {
  const email = `${randomUUID()}@example.is`;
  const { id: driverId, token } = await api.driver(email);
  const plate = nextPlate();
  const { id: visitId } = await api.visit({ plate });
  const [at, chargeId] = [api.now(), randomUUID()];
  await api.db.write(async ({ q }) => {
    await q.insert(driverVehicleTable).values({ plate, driverId, proof: 'stay', visitId, provedAt: at });
    await q.insert(driverCardTable).values({
      driverId,
      gatewayId: 'testing2',
      token: randomUUID(),
      card: { type: 'visa', lastFour: '1111' },
      paymentId: randomUUID(),
      storedAt: at,
    });
    await q.insert(driverChargeTable).values({
      id: chargeId,
      driverId,
      visitId,
      state: 'paid',
      amountMinor: 500,
      currency: 'ISK',
      createdAt: at,
    });
  });
  return { token, email, plate, chargeId, at };
}

/** Calls of drivers that can name a row: how one would name another driver's. The other calls have an empty body. */
export const DRIVER_BODIES: Readonly<Record<string, (other: DriverRows) => Json>> = {
  'POST /pay/api/driver/vehicles/add': () => ({ payment: randomUUID() }),
  'POST /pay/api/driver/vehicles/remove': ({ plate }) => ({ plate }),
  'POST /pay/api/driver/card/store': () => ({ payment: randomUUID() }),
  'POST /pay/api/driver/charges': ({ at, chargeId }) => ({ before: { at, id: chargeId } }),
};
