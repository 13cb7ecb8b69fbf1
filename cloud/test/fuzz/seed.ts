import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { queueMail } from '../../src/people/mail/queue-mail.ts';
import { invoiceTable } from '../../src/records/invoices/invoice-table.ts';
import { ingestCall } from '../../src/sites/calls/calls.ts';
import type { Json, TestApi } from '../api.ts';
import { sampleApproval } from '../approvals.ts';
import { claim, collectable, matchProposal, reminder, THINGS } from '../rows-of-sites.ts';
import { sampleCustomer, sampleQuotaProduct } from '../sample-quota.ts';
import { addCustomer, settle } from '../settlements.ts';
import { addTerminal } from '../terminal.ts';
import { camera, cameraDocument, DEVICE_ROWS, photo, sitePicture } from './cameras.ts';
import { insideForKiosk, payment, posOrder } from './payments.ts';
import {
  account,
  customerOf,
  electronicIdPoll,
  electronicIdStart,
  kioskToken,
  login,
  loginMove,
  type MakeRow,
  newCustomer,
  OTHER_CUSTOMER,
  OWN_CUSTOMER,
  passwordChange,
  recovery,
  registration,
} from './people.ts';
import { nextPlate } from './plates.ts';
import { ROLLOUT_ROWS } from './rollouts.ts';
import { SESSION_ROWS } from './sessions.ts';

/** The rows before the first call, beside those that the calls are about. */
export async function seedForFuzz(api: TestApi): Promise<void> {
  await sampleCustomer(api, OWN_CUSTOMER);
  await sampleCustomer(api, OTHER_CUSTOMER);
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' });
  for (const make of Object.values(ROWS)) {
    for (let n = 0; n < 3; n++) await make(api, n);
  }
  await api.call('POST', '/billing/runs', { body: { until: api.now() } });
}

/** Makes a site other than the callers'. There are only a few: what all sites receive is written for each. */
async function site(api: TestApi): Promise<string> {
  const { body } = await api.call('GET', '/sites');
  const sites = z.array(z.looseObject({ id: z.string() })).parse(body['data']);
  const others = sites.filter(({ id }) => id !== api.site.id);
  const some = others.length < 3 ? await api.addSite('Airport') : others[others.length >> 1];
  return some?.id ?? '';
}

async function zone(api: TestApi): Promise<string> {
  const settings = { capacity: 5, lanes: [randomUUID()] };
  return (await api.made('/zones', { siteId: api.site.id, name: randomUUID(), settings })).id;
}

async function custody(api: TestApi, customerId: string) {
  const plate = nextPlate();
  const { id } = await api.made('/custodians', { plate, customerId });
  return { id, plate };
}

const newCustody: MakeRow = async (api, n) => {
  const { id: accountId } = await account(api, n);
  const people = n % 3 === 0 ? { accountId } : { customerId: customerOf(n) };
  return { body: { plate: nextPlate(), ...people } };
};

/** A plate that the register has, or one that has a custodian. */
async function vehiclePlate(api: TestApi, n: number): Promise<string> {
  return n % 3 === 0 ? 'ABX12' : (await custody(api, customerOf(n))).plate;
}

const vehicle: MakeRow = async (api, n) => {
  const plate = await vehiclePlate(api, n);
  await api.call('POST', `/vehicle/${plate}/override`, { body: { values: { massladen: 7500 } } });
  return { path: { plate } };
};

const entry: MakeRow = async (api, n) => {
  const { id: authorId } = await account(api, n);
  const kinds: Json[] = [
    { rules: [{ weekdays: [1, 2, 3], from: '08:00', to: '17:59' }] },
    { objectType: 'block' },
    { type: 'temporary', expireOn: '2026-12-01T00:00:00.000Z' },
    { collection: 'staff', status: 'paused' },
  ];
  const body = { plate: nextPlate(), reason: 'Guest', authorId };
  const made = await api.call('POST', '/visit/whitelist', { body: { ...body, ...kinds[n % kinds.length] } });
  const usual = made.status === 303 ? made : await api.call('POST', '/visit/whitelist', { body });
  return { path: { id: z.looseObject({ id: z.string() }).parse(usual.body).id } };
};

/** Makes a visit; `n` selects its kind: inside, left, with something due, without a plate, flagged. */
async function visit(api: TestApi, n: number): Promise<string> {
  const plate = nextPlate();
  const product = { id: 'P', version: 1 };
  const lines = [{ rule: 'unit' as const, units: 1, amountMinor: 500 }];
  const price = { amountMinor: 500, currency: 'ISK', lines, product, pricedAt: api.now() };
  const ended = { plate, endedAt: '2026-11-21T10:00:00.000Z' };
  const kinds: Parameters<TestApi['visit']>[0][] = [
    { plate },
    { ...ended, status: 'completed', paymentStatus: 'kiosk', price },
    { plate, status: 'need-payment', price },
    { plate: null, status: 'need-plate' },
    { ...ended, status: 'need-payment', flags: ['lost-exit'], price },
  ];
  const { id } = await api.visit(kinds[n % kinds.length]);
  await api.giveVisit(id, customerOf(n));
  return id;
}

async function paidVisit(api: TestApi, n: number): Promise<string> {
  const { id } = await api.visit({ plate: nextPlate(), status: 'completed', endedAt: api.now() });
  await api.giveVisit(id, customerOf(n));
  return await settle(api, { id });
}

const visitJoin: MakeRow = async (api) => {
  const plate = nextPlate();
  const lost = { plate, startedAt: '2026-11-21T07:00:00.000Z', endedAt: '2026-11-21T07:30:00.000Z' };
  const { id } = await api.visit({ ...lost, status: 'need-payment' });
  const { id: visitId } = await api.visit({ plate });
  return { path: { id }, body: { visitId, reason: 'It never left' } };
};

/** Makes a product. Only quotas may be many: of the products that price visits there is one per category. */
const product: MakeRow = async (api) => {
  const body = { type: 'quota', price: 500, vehicleCategory: 'heavy', productCode: randomUUID() };
  return { path: { id: (await api.made('/products', body)).id } };
};

/** Plans a version of a product. */
const plannedVersion: MakeRow = async (api, n) => {
  const { path } = await product(api, n);
  const body = { price: 600, validFrom: '2027-01-01' };
  await api.call('PUT', `/products/${path?.['id'] ?? ''}`, { body });
  return { path: { id: path?.['id'] ?? '', version: '2' } };
};

/** The product that prices visits of light vehicles. */
const newDryRun: MakeRow = async (api) => {
  const { body } = await api.call('GET', '/products');
  const products = z.array(z.looseObject({ id: z.string(), type: z.string() })).parse(body['data']);
  const productId = products.find(({ type }) => type === 'default')?.id ?? '';
  return { body: { productId, draft: { price: 700 } } };
};

/** Begins a dry run of the account with which the browser calls. It has one at a time: the one before is cancelled. */
const dryRun: MakeRow = async (api, n) => {
  const { body: list } = await api.call('GET', '/runs');
  const runs = z.array(z.looseObject({ id: z.string(), state: z.string() })).parse(list['data']);
  for (const { id, state } of runs) {
    if (state === 'waiting') await api.call('POST', `/runs/${id}/cancel`);
  }
  const { body } = await newDryRun(api, n);
  const { id } = await api.made('/products/dry-run', body);
  return { path: { id }, headers: await api.session('the-operator') };
};

const newQuota: MakeRow = async (api, n) => {
  const product = await sampleQuotaProduct(api, { productCode: randomUUID() });
  return { body: { customer: customerOf(n), product, quantity: 3, name: randomUUID() } };
};

async function quota(api: TestApi, n: number): Promise<string> {
  return (await api.made('/quotas', (await newQuota(api, n)).body)).id;
}

/**
 * Makes an invoice: paid, refunded, collected, to a vehicle's owner, or one that waits for a person to choose
 * the payer.
 */
async function invoice(api: TestApi, n: number): Promise<string> {
  const customerId = n % 5 === 4 ? await addCustomer(api) : null;
  const kinds = ['kiosk', 'owner-invoice', 'kiosk', 'owner-invoice', 'company-invoice'] as const;
  const paymentStatus = kinds[n % kinds.length] ?? 'kiosk';
  const plate = n % 5 === 1 ? 'ABX12' : nextPlate();
  const at = api.now();
  const id = await settle(api, { paymentStatus, plate, customerId, at: at.replace(/\d\dT/, '01T') });
  if (customerId !== null) await api.call('POST', '/billing/runs', { body: { until: at } });
  const rows = await api.db.read(
    async (q) =>
      await q
        .select({ id: invoiceTable.id })
        .from(invoiceTable)
        .where(customerId === null ? eq(invoiceTable.visitId, id) : eq(invoiceTable.customerId, customerId))
        .limit(1),
  );
  const made = z.looseObject({ id: z.string() }).parse(rows[0]);
  if (n % 5 === 2) await api.call('POST', `/invoice/${made.id}/refund`, { body: { reason: 'x' } });
  return made.id;
}

const mail: MakeRow = async (api, n) => {
  const kind = n % 3 === 2 ? 'recover-password' : 'receipt';
  const sent = {
    to: 'anna@example.is',
    language: 'is',
    subject: 'Kvittun',
    text: 'Takk fyrir',
    html: '<p>Takk</p>',
    kind,
  } as const;
  return { path: { id: await api.db.write((tx) => queueMail(tx, sent, api.now())) } };
};

const webhook: MakeRow = async (api) => {
  const made = await api.call('POST', '/webhooks', {
    body: { name: 'Books', url: 'https://books.example/' },
  });
  return { path: { id: z.looseObject({ id: z.string() }).parse(made.body).id }, body: { after: 0 } };
};

const csv: MakeRow = async (_api, n) => {
  const lines = [
    'plate,reason,weekdays,hours',
    `${nextPlate()},Staff,1-5,07:00-19:00`,
    ',Nobody,,',
    '=1+1,x,9,',
  ];
  return { body: lines.join(n % 2 === 0 ? '\r\n' : '\n') };
};

async function callForHelp(api: TestApi): Promise<string> {
  const callId = randomUUID();
  const at = api.now();
  const wanted = { type: 'help.wanted', callId, terminalId: 'pos-1', visitId: null, language: 'pl' } as const;
  await api.db.write((tx) => ingestCall(tx, { siteId: api.site.id, at, arrivedAt: at }, wanted));
  return callId;
}

/** Makes a saved view of the account with which the browser calls. */
async function savedView(api: TestApi) {
  const { id } = await api.made('/views', { name: 'Unpaid', url: '/console/all/visits' });
  return { path: { id }, headers: await api.session('the-operator') };
}

/** A maker of a row of which nothing but the id counts. */
function byId(make: (api: TestApi, n: number) => Promise<string>): MakeRow {
  return async (api, n) => ({ path: { id: await make(api, n) } });
}

/** How to make what a call is about, by its route or by how that begins; the longest counts. */
const ROWS: Readonly<Record<string, MakeRow>> = {
  'POST /auth/login': login,
  'POST /auth/login/stefna/authenticate': electronicIdStart,
  'POST /auth/login/stefna/status': electronicIdPoll,
  '* /recover': recovery,
  'POST /accounts': registration,
  'POST /staff': async () => ({
    body: { name: 'Anna', email: `${randomUUID()}@example.is`, language: 'is' },
  }),
  'POST /customers': newCustomer,
  'POST /accounts/recover-password': async (api, n) => ({ body: { email: (await account(api, n)).email } }),
  '* /accounts/{id}': byId(async (api, n) => (await account(api, n)).id),
  'PUT /accounts/{id}/logins': loginMove,
  'DELETE /accounts/{id}/logins': loginMove,
  'POST /accounts/{id}/change-password': passwordChange,
  'DELETE /accounts/{id}/tokens/{tokenId}': async (api, n) => {
    const { id, tokenId } = await account(api, n);
    return { path: { id, tokenId } };
  },
  'POST /admin/create-photo-token': async (api) => ({ body: { cameraId: await camera(api), name: 'In' } }),
  '* /admin/tokens/{id}': kioskToken,
  '* /sites/{id}': async (api) => ({ path: { id: await site(api), lane: 'in-1' } }),
  '* /sites/{id}/opening/{step}': async (api) => ({
    path: { id: await site(api), step: 'signs' },
    body: { answer: 'skipped' },
  }),
  ...DEVICE_ROWS,
  '* /cameras/{id}': byId(camera),
  'POST /cameras': async (api) => ({ body: { remoteId: randomUUID(), siteId: api.site.id } }),
  'POST /zones': async (api) => ({ body: { siteId: api.site.id, name: randomUUID() } }),
  '* /zones/{id}': byId(zone),
  '* /drivers/{id}': byId(async (api) => (await api.driver()).id),
  'POST /edge/enrol': async (api) => {
    const { body } = await api.call('POST', `/sites/${await site(api)}/enrolment`);
    return { body: { code: z.string().parse(body['code']) } };
  },
  'PUT /edge/pictures/{readId}/{kind}': sitePicture,
  'POST /edge/pay-link': async (api) => {
    const { id: visitId } = await api.visit({ plate: nextPlate() });
    return { body: { visitId, plateCharacters: 2 } };
  },
  '* /photo/{id}': photo,
  'POST /photos/{type}': cameraDocument,
  '* /customer/{id}': byId(async (api, n) => (n % 2 === 0 ? OWN_CUSTOMER : await sampleCustomer(api))),
  'POST /custodians': newCustody,
  '* /custodians/{id}': byId(async (api, n) => (await custody(api, customerOf(n))).id),
  '* /vehicle/{plate}': vehicle,
  'POST /visit/whitelist/import': csv,
  '* /visit/whitelist/{id}': entry,
  '* /whitelist/{id}': entry,
  '* /visit/{id}': byId(visit),
  'POST /visit/{id}/split': async (api) => {
    const { id } = await api.visit({ plate: nextPlate() });
    return {
      path: { id },
      body: { at: '2026-11-21T10:00:00.000Z', plate: nextPlate(), reason: 'Seen outside' },
    };
  },
  'POST /visit/{id}/join': visitJoin,
  'POST /visit/{id}/renewVehicle': async (api) => ({
    path: { id: (await api.visit({ plate: 'ABX12' })).id },
  }),
  'POST /visit/{id}/receipt': byId(paidVisit),
  'POST /visits': async (api) => ({ body: { plate: nextPlate(), siteId: api.site.id } }),
  '* /products/{id}': product,
  '* /products/{id}/versions/{version}': plannedVersion,
  'POST /products/dry-run': newDryRun,
  '* /runs/{id}': dryRun,
  'POST /quotas': newQuota,
  'POST /quotas/purchase': async (api, n) => {
    const product = await sampleQuotaProduct(api, { productCode: randomUUID() });
    return { body: { customer: customerOf(n), product, quantity: 3, siteId: api.site.id } };
  },
  '* /quotas/{id}': byId(quota),
  'POST /kiosk/register-payment': async (api) => ({ body: (await insideForKiosk(api)).body }),
  'POST /kiosk/pos/init': posOrder,
  '* /kiosk/pos/status/{id}': payment,
  '* /kiosk/pos/poi-status/{terminalId}': async (api) => {
    await addTerminal(api);
    return { path: { terminalId: 'kiosk-1' } };
  },
  '* /call/{id}': byId(callForHelp),
  '* /edge/calls/{id}': byId(callForHelp),
  '* /receipt/{key}': payment,
  '* /invoice/{id}': byId(invoice),
  'GET /payments/{id}': payment,
  'POST /payments/{id}/reverse': payment,
  'POST /payments/{id}/chargeback': payment,
  'POST /invoice/{id}/credit': byId(async (api) => await invoice(api, 0)),
  'POST /invoice/{id}/send': byId(async (api) => await invoice(api, 4)),
  'POST /invoice/{id}/refund': byId(async (api) => await invoice(api, 0)),
  'POST /disputes': async (api, n) => ({ body: { visitId: await visit(api, n), invoiceId: undefined } }),
  '* /dispute/{id}': byId(async (api, n) => {
    const contested = n % 2 === 0 ? `/visit/${await visit(api, n)}` : `/invoice/${await invoice(api, 0)}`;
    return (await api.made(`${contested}/dispute`, { text: 'not mine' })).id;
  }),
  'POST /approval/{id}/approve': async (api) => ({
    path: { id: await sampleApproval(api) },
    body: { amount: 0 },
  }),
  '* /approval/{id}': byId((api, n) =>
    sampleApproval(api, n % 2 === 0 ? {} : { requestedBy: 'account:the-operator' }),
  ),
  '* /money-accounts/{id}': byId((api) => THINGS['money-account'](api, api.site.id)),
  'PUT /bookkeeping-accounts': async () => ({ path: {} }),
  'GET /bookkeeping/{period}': async (_api, n) => ({
    path: { period: n % 2 === 0 ? '2026-11' : '2026-11-20' },
  }),
  '* /settlement-files/{id}': byId((api) => THINGS['settlement-file'](api, api.site.id)),
  '* /settlement-files/{id}/rows': byId((api) => THINGS['settlement-file'](api, api.site.id)),
  '* /bank-statements/{id}': byId((api) => THINGS['bank-statement'](api, api.site.id)),
  '* /claim/{id}': byId(async (api) => await claim(api, api.site.id, await invoice(api, 0))),
  '* /claim/{id}/cancel': byId(async (api) => await claim(api, api.site.id, await invoice(api, 0))),
  '* /claim/{id}/follow': byId(async (api) => await claim(api, api.site.id, await invoice(api, 0))),
  'POST /reminder/{id}/deliver': async (api) => ({
    path: { id: await reminder(api, api.site.id, await invoice(api, 0)) },
    body: { deliveredOn: api.now() },
  }),
  '* /reminder/{id}': byId(async (api) => await reminder(api, api.site.id, await invoice(api, 0))),
  '* /matching/proposals/{id}': byId((api) => THINGS['match-proposal'](api, api.site.id)),
  '* /matching/proposals/{id}/accept': byId((api) => THINGS['match-proposal'](api, api.site.id)),
  '* /matching/proposals/{id}/reject': byId((api) => THINGS['match-proposal'](api, api.site.id)),
  'POST /matching/proposals/{id}/undo': byId((api) => matchProposal(api, api.site.id, { state: 'rejected' })),
  '* /collection-files/{id}': byId((api) => THINGS['collection-file'](api, api.site.id)),
  '* /collection-files/{id}/download': byId((api) => THINGS['collection-file'](api, api.site.id)),
  'POST /collection-files': async (api) => ({
    path: {},
    body: { invoiceIds: [await collectable(api, api.site.id)] },
  }),
  'PUT /bank/{id}': async () => ({ path: { id: 'bank' } }),
  '* /day-closes/{id}': byId((api) => THINGS['day-close'](api, api.site.id)),
  '* /day-closes/{id}/decisions': byId((api) => THINGS['day-close'](api, api.site.id)),
  '* /day-closes/{id}/sign': byId((api) => THINGS['day-close'](api, api.site.id)),
  '* /bank-statements/{id}/entries': byId((api) => THINGS['bank-statement'](api, api.site.id)),
  '* /mail/{id}': mail,
  '* /views/{id}': savedView,
  '* /privacy/plates/{plate}': async (api) => {
    const { plate } = await api.visit({ plate: nextPlate(), status: 'completed', endedAt: api.now() });
    return { path: { plate: plate ?? '' } };
  },
  ...SESSION_ROWS,
  ...ROLLOUT_ROWS,
  '* /webhooks/{id}': webhook,
  '* /reports/overview': async () => ({
    query: { 'date.from': '2026-11-01', 'date.to': '2026-11-07' },
  }),
  '* /reports/permits': async () => ({
    query: { 'date.from': '2026-11-01', 'date.to': '2026-11-07' },
  }),
  '* /reports/devices': async () => ({
    query: { 'date.from': '2026-11-01', 'date.to': '2026-11-07' },
  }),
  '* /reports/cameras': async () => ({
    query: { 'date.from': '2026-11-01', 'date.to': '2026-11-07' },
  }),
  '* /reports/occupancy': async ({ site }) => ({
    query: { siteId: site.id, 'date.from': '2026-11-01', 'date.to': '2026-11-07' },
  }),
  'GET /reports/occupancy': async ({ site }) => ({
    query: { siteId: site.id, at: '2026-11-01T12:00:00.000Z' },
  }),
  '* /reports/traffic': async () => ({
    query: { 'date.from': '2026-11-01', 'date.to': '2026-12-01' },
  }),
  '* /reports/receivables': async () => ({ query: { asOf: '2026-11-21' } }),
  '* /reports': async (_api, n) => ({
    query:
      n % 3 === 0 ? {} : { 'date.from': '2026-11-01T00:00:00.000Z', 'date.to': '2026-12-01T00:00:00.000Z' },
  }),
};

/** How to make what calls of that route are about; null where they are about nothing in particular. */
export function rowMakerOf(method: string, path: string): MakeRow | null {
  const fits = (key: string) => {
    const [asked = '', start = ''] = key.split(' ');
    const exact = asked === method && start === path;
    return exact || (asked === '*' && (path === start || path.startsWith(`${start}/`)));
  };
  const [longest] = Object.keys(ROWS)
    .filter(fits)
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (ROWS[longest] ?? null);
}
