import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { applyBatch } from '../src/integration/ingest/apply-batch.ts';
import { updateInvoice } from '../src/money/invoices/change-invoices.ts';
import { addTerminalDay } from '../src/money/payments/ingest-payment.ts';
import { cloudActor } from '../src/people/audit/audit.ts';
import type { SiteThing } from '../src/people/auth/route-access.ts';
import { eq } from '../src/platform/db/sql.ts';
import { claimTable } from '../src/records/books/claim-table.ts';
import { collectionFileTable } from '../src/records/books/collection-table.ts';
import { reminderTable } from '../src/records/books/reminder-table.ts';
import { invoiceTable } from '../src/records/invoices/invoice-table.ts';
import { matchProposalTable, type ProposalRow } from '../src/records/matching/match-table.ts';
import { ingestCall } from '../src/sites/calls/calls.ts';
import { ingestDevice } from '../src/sites/devices/ingest-device.ts';
import type { Json, TestApi } from './api.ts';
import { sampleApproval } from './approvals.ts';
import { BANK_MAPPING, TEYA_MAPPING } from './books.ts';
import { reportPayment, samplePayment } from './payments.ts';
import { group } from './sample-documents.ts';
import { passageEvent, readEvent } from './sample-events.ts';
import { sampleQuotaProduct } from './sample-quota.ts';
import { allInvoices, settle } from './settlements.ts';
import { unmatchedExit } from './unmatched-exits.ts';

let plates = 0;
function nextPlate(): string {
  plates++;
  return `SIT${String(plates).padStart(4, '0')}`;
}

async function camera(api: TestApi, siteId: string): Promise<string> {
  const named = { name: 'In', location: 'entrance', remoteId: randomUUID() };
  return (await api.made('/cameras', { ...named, siteId })).id;
}

async function photo(api: TestApi, siteId: string): Promise<string> {
  // Too old to open a gate: it waits for a person.
  const body = group(nextPlate(), '2020-01-01T00:00:00.000Z');
  const path = `/photos/open-alpr?camera.id=${await camera(api, siteId)}`;
  return z.looseObject({ id: z.string() }).parse((await api.call('POST', path, { body })).body).id;
}

/** Each a second after the one before: the newest are found first. */
async function visit(api: TestApi, siteId: string): Promise<string> {
  const plate = nextPlate();
  const startedAt = utcTime(Date.parse('2026-11-21T08:00:00.000Z') + plates * 1000);
  return (await api.visit({ plate, startedAt }, { siteId })).id;
}

async function invoice(api: TestApi, siteId: string): Promise<string> {
  const visitId = await settle(api, { siteId });
  return (await allInvoices(api)).find((one) => one.visitId === visitId)?.id ?? '';
}

async function payment(api: TestApi, siteId: string): Promise<string> {
  const { id: visitId } = await api.visit({ plate: nextPlate() }, { siteId });
  const reported = samplePayment({ visitId, state: 'unknown', needsPerson: true });
  await reportPayment(api, reported, siteId);
  return reported.id;
}

/** Makes a passage at a site with an edge daemon. */
async function passage(api: TestApi, siteId: string): Promise<string> {
  const body = passageEvent({ plate: nextPlate() });
  const event = { seq: 1, at: utcTime(Date.parse(api.now()) + plates * 1000), body };
  await applyBatch(api.db, api.clock, { siteId, epoch: randomUUID(), events: [{ ok: true, event }] });
  return body.passageId;
}

/** @returns its id */
export type MakeThing = (api: TestApi, siteId: string) => Promise<string>;

async function call(api: TestApi, siteId: string): Promise<string> {
  const [callId, at] = [randomUUID(), api.now()];
  const wanted = { type: 'help.wanted', callId, terminalId: null, visitId: null, language: 'en' } as const;
  await api.db.write((tx) => ingestCall(tx, { siteId, at, arrivedAt: at }, wanted));
  return callId;
}

async function dispute(api: TestApi, siteId: string): Promise<string> {
  return (await api.made(`/visit/${await visit(api, siteId)}/dispute`, { text: 'not mine' })).id;
}

async function approval(api: TestApi, siteId: string): Promise<string> {
  return await sampleApproval(api, { siteId });
}

async function terminalDay(api: TestApi, siteId: string): Promise<string> {
  const [id, at] = [`${randomUUID()}-1`, api.now()];
  const sums = [{ type: 'visa' as const, count: 2, amountMinor: 1000 }];
  const day = { terminalId: 'kiosk-1', currency: 'ISK', cards: sums, booked: sums, agrees: true };
  await api.db.write(({ q }) => addTerminalDay(q, { id, siteId, at, ...day }));
  return id;
}

async function moneyAccount(api: TestApi, siteId: string, kind: 'settlement' | 'bank'): Promise<string> {
  return (await api.made('/money-accounts', { kind, siteId, reference: randomUUID(), name: 'Account' })).id;
}

/** An imported file of an account of that site: one sale, or one entry of a bank. */
async function moneyFile(api: TestApi, siteId: string, kind: 'settlement' | 'bank'): Promise<string> {
  const mapping = kind === 'settlement' ? TEYA_MAPPING : { ...BANK_MAPPING, ...PLAIN_BANK };
  const reference = randomUUID();
  const { id: account } = await api.made('/money-accounts', {
    kind,
    siteId,
    reference,
    name: 'CSV',
    mapping,
  });
  const body =
    kind === 'settlement'
      ? `date,payout_date,type,reference,gross,commission\n2026-11-18,2026-11-20,PURCHASE,${reference},500,4\n`
      : `date,amount,reference\n2026-11-20,${plates + 1000},${reference}\n`;
  const path = kind === 'settlement' ? '/settlement-files' : '/bank-statements';
  const answer = await api.call('POST', `${path}?name=file.csv&account=${account}`, {
    body,
    headers: { 'content-type': 'application/octet-stream' },
  });
  return z.looseObject({ id: z.string() }).parse(answer.body).id;
}

const PLAIN_BANK = {
  delimiter: ',',
  dateFormat: 'YYYY-MM-DD',
  columns: { date: 'date', amount: 'amount', reference: 'reference' },
} as const;

let closedDays = 0;

/** The close of a day of that site. Nothing was on that day. */
async function dayClose(api: TestApi, siteId: string): Promise<string> {
  const day = new Date(Date.parse('2026-11-20') - ++closedDays * DAY_MS).toISOString().slice(0, 10);
  return (await api.made('/day-closes', { siteId, day })).id;
}

/** A proposed pair of an open visit and a read at an exit. */
export async function matchProposal(
  api: TestApi,
  siteId: string,
  given: Partial<ProposalRow> = {},
): Promise<string> {
  const row: ProposalRow = {
    id: randomUUID(),
    siteId,
    visitId: await visit(api, siteId),
    exitReadId: await unmatchedExit(api, { plate: nextPlate(), at: api.now(), siteId }),
    state: 'open',
    probability: 0.9,
    weight: 0.9,
    secondVisitId: null,
    secondExitReadId: null,
    secondProbability: 0,
    isJudged: false,
    createdAt: api.now(),
    modifiedAt: api.now(),
    by: 'cloud:matching',
    undo: null,
    ...given,
  };
  await api.db.write(({ q }) => q.insert(matchProposalTable).values(row));
  return row.id;
}

/** A claim that no bank has yet, for an invoice of that site. */
export async function claim(api: TestApi, siteId: string, given?: string): Promise<string> {
  const invoiceId = given ?? (await invoice(api, siteId));
  const [id, at, plus] = [randomUUID(), api.now(), String(++plates).padStart(6, '0')];
  const terms = {
    amountMinor: 1240,
    finalDueOn: '2026-12-01',
    discount: null,
    defaultCharge: null,
    hasInterest: true,
    takesPartPayments: false,
  };
  const key = { claimantId: '5501012020', account: `013366${plus}`, dueOn: '2026-12-01' };
  const rest = { payorId: '5305750209', templateCode: 'HLI', billNumber: '1', currency: 'ISK', terms };
  const order = { state: 'new', order: 'create', step: 'waiting', dueAt: at } as const;
  const row = {
    id,
    bankId: 'bank',
    invoiceId,
    siteId,
    ...key,
    ...rest,
    ...order,
    createdAt: at,
    modifiedAt: at,
  };
  await api.db.write(({ q }) => q.insert(claimTable).values(row));
  return id;
}

/** A reminder that a person is to deliver, for an invoice of that site. */
export async function reminder(api: TestApi, siteId: string, given?: string): Promise<string> {
  const [id, invoiceId] = [randomUUID(), given ?? (await invoice(api, siteId))];
  const money = { openMinor: 1240, chargeMinor: 0, chargeNetMinor: 0, currency: 'ISK' };
  const row = { id, invoiceId, siteId, step: 'warning', ...money, createdAt: api.now() } as const;
  await api.db.write(({ q }) => q.insert(reminderTable).values(row));
  return id;
}

/** A file for a collector, of that site. Its invoices are gone. */
async function collectionFile(api: TestApi, siteId: string): Promise<string> {
  const [id, at] = [randomUUID(), api.now()];
  const made = { createdAt: at, createdBy: 'account:the-operator' };
  const row = { id, siteId, day: '2026-11-21', invoices: 0, totalMinor: 0, ...made };
  await api.db.write(({ q }) => q.insert(collectionFileTable).values(row));
  return id;
}

/** An invoice of that site that may be handed to a collector. @returns its id */
export async function collectable(api: TestApi, siteId: string): Promise<string> {
  const visitId = await settle(api, { siteId, paymentStatus: 'owner-invoice' });
  const t = invoiceTable;
  const owed = await api.db.read(
    async (q) => await q.select({ id: t.id }).from(t).where(eq(t.visitId, visitId)).get(),
  );
  if (owed === undefined) throw new Error('there is one');
  const payer = { ssn: '1201603389', name: 'Jón' };
  await updateInvoice(api.db, cloudActor('test', api.now()), owed.id, { payer });
  const id = await reminder(api, siteId, owed.id);
  const deliveredAt = utcTime(Date.parse(api.now()) - 12 * DAY_MS);
  await api.db.write(({ q }) => q.update(reminderTable).set({ deliveredAt }).where(eq(reminderTable.id, id)));
  return owed.id;
}

/** Makes a thing of a site. */
export const THINGS: Readonly<Record<SiteThing, MakeThing>> = {
  site: async (_api, siteId) => siteId,
  camera,
  zone: async (api, siteId) => (await api.made('/zones', { name: randomUUID(), settings: {}, siteId })).id,
  product: async (api, siteId) => await sampleQuotaProduct(api, { productCode: randomUUID(), siteId }),
  photo,
  picture: photo,
  visit,
  'whitelist-entry': async (api, siteId) =>
    (await api.made('/visit/whitelist', { plate: nextPlate(), reason: 'guest', siteId })).id,
  invoice,
  payment,
  call,
  dispute,
  approval,
  'money-account': (api, siteId) => moneyAccount(api, siteId, 'settlement'),
  'settlement-file': (api, siteId) => moneyFile(api, siteId, 'settlement'),
  'bank-statement': (api, siteId) => moneyFile(api, siteId, 'bank'),
  'day-close': dayClose,
  claim: (api, siteId) => claim(api, siteId),
  'match-proposal': (api, siteId) => matchProposal(api, siteId),
  reminder: (api, siteId) => reminder(api, siteId),
  'collection-file': collectionFile,
};

const DAYS = 'date.from=2026-11-20&date.to=2026-11-22';

/** Every list of things of sites: its address, and what stands in it. */
export const LISTS: Readonly<Record<string, { path: string; thing: SiteThing | MakeThing }>> = {
  'GET /sites': { path: '/sites', thing: 'site' },
  'GET /cameras': { path: '/cameras', thing: 'camera' },
  'GET /zones': { path: '/zones', thing: 'zone' },
  'GET /products': { path: '/products', thing: 'product' },
  'GET /photos': { path: '/photos', thing: 'photo' },
  'GET /review/next': { path: '/review/next?n=50', thing: 'photo' },
  'GET /visit/whitelist': { path: '/visit/whitelist', thing: 'whitelist-entry' },
  'GET /whitelist': { path: '/whitelist', thing: 'whitelist-entry' },
  'GET /search': { path: '/search?q=SIT', thing: 'visit' },
  'GET /visits': { path: '/visits?aggregate=day', thing: 'visit' },
  'GET /reports/visits': { path: `/reports/visits?${DAYS}`, thing: 'visit' },
  'GET /passages': { path: '/passages', thing: passage },
  'GET /payments': { path: '/payments', thing: 'payment' },
  'GET /payments/terminal-days': { path: '/payments/terminal-days', thing: terminalDay },
  'GET /invoices': { path: '/invoices', thing: 'invoice' },
  'GET /calls': { path: '/calls', thing: 'call' },
  'GET /disputes': { path: '/disputes', thing: 'dispute' },
  'GET /approvals': { path: '/approvals', thing: 'approval' },
  'GET /money-accounts': { path: '/money-accounts', thing: 'money-account' },
  'GET /settlement-files': { path: '/settlement-files', thing: 'settlement-file' },
  'GET /claims': { path: '/claims', thing: 'claim' },
  'GET /matching/proposals': { path: '/matching/proposals', thing: 'match-proposal' },
  'GET /reminders': { path: '/reminders', thing: 'reminder' },
  'GET /collection-files': { path: '/collection-files', thing: 'collection-file' },
  'GET /collectable-invoices': { path: '/collectable-invoices', thing: collectable },
  'GET /day-closes': { path: '/day-closes', thing: 'day-close' },
  'GET /bank-statements': {
    path: '/bank-statements',
    thing: 'bank-statement',
  },
};

/** A car that came by a permit. */
async function permitVisit(api: TestApi, siteId: string): Promise<string> {
  return (await api.visit({ plate: nextPlate(), permitId: randomUUID() }, { siteId })).id;
}

/** A device that began to fail. */
async function outage(api: TestApi, siteId: string): Promise<string> {
  const change = {
    kind: 'gate',
    deviceId: randomUUID(),
    state: 'failing',
    detail: '',
    since: api.now(),
  } as const;
  const place = { siteId, at: api.now() };
  await api.db.write((tx) => ingestDevice(tx, place, { type: 'device.changed', ...change }));
  return siteId;
}

/** A read of a car that passed. */
async function read(api: TestApi, siteId: string): Promise<string> {
  const body = readEvent({ id: randomUUID(), receivedAt: api.now(), capturedAt: api.now() });
  const event = { seq: 1, at: api.now(), body };
  await applyBatch(api.db, api.clock, { siteId, epoch: randomUUID(), events: [{ ok: true, event }] });
  return siteId;
}

/** An invoice that is owed. */
async function owedInvoice(api: TestApi, siteId: string): Promise<string> {
  await settle(api, { siteId, paymentStatus: 'owner-invoice' });
  const [invoice] = await allInvoices(api);
  if (invoice === undefined) throw new Error('there is one');
  const payer = { ssn: '1201603389', name: 'Jón' };
  await updateInvoice(api.db, cloudActor('test', api.now()), invoice.id, { payer });
  return siteId;
}

/** Files and sums: one more thing of a site they see makes a difference. */
export const SUMS: Readonly<
  Record<string, { path: string | ((siteId: string) => string); thing: SiteThing | MakeThing }>
> = {
  'GET /visits/download': { path: '/visits/download?format=csv', thing: 'visit' },
  'GET /visits/counts': { path: '/visits/counts', thing: 'visit' },
  'GET /review/summary': { path: '/review/summary', thing: 'photo' },
  'GET /reports/visits/stats': { path: `/reports/visits/stats?${DAYS}`, thing: 'visit' },
  'GET /reports/visits/download': { path: `/reports/visits/download?format=csv&${DAYS}`, thing: 'visit' },
  'GET /reports/traffic': { path: `/reports/traffic?${DAYS}`, thing: 'visit' },
  'GET /reports/traffic/download': { path: `/reports/traffic/download?format=csv&${DAYS}`, thing: 'visit' },
  'GET /visit/whitelist/export': { path: '/visit/whitelist/export', thing: 'whitelist-entry' },
  'GET /bookkeeping/:period': { path: '/bookkeeping/2026-11', thing: 'invoice' },
  'GET /reports/income': { path: `/reports/income?${DAYS}&by=site`, thing: 'invoice' },
  'GET /reports/income/download': { path: `/reports/income/download?format=csv&${DAYS}`, thing: 'invoice' },
  'GET /reports/receivables': { path: '/reports/receivables', thing: owedInvoice },
  'GET /reports/receivables/invoices': { path: '/reports/receivables/invoices', thing: owedInvoice },
  'GET /reports/receivables/download': {
    path: '/reports/receivables/download?format=csv',
    thing: owedInvoice,
  },
  'GET /reminders/download': { path: '/reminders/download?format=csv', thing: 'reminder' },
  'GET /reports/overview': { path: `/reports/overview?${DAYS}`, thing: 'visit' },
  'GET /reports/overview/download': {
    path: `/reports/overview/download?format=csv&${DAYS}`,
    thing: 'invoice',
  },
  'GET /reports/occupancy': { path: (siteId) => `/reports/occupancy?siteId=${siteId}`, thing: 'visit' },
  'GET /reports/occupancy/hours': {
    path: (siteId) => `/reports/occupancy/hours?siteId=${siteId}&${DAYS}`,
    thing: 'visit',
  },
  'GET /reports/occupancy/download': {
    path: (siteId) => `/reports/occupancy/download?format=csv&siteId=${siteId}&${DAYS}`,
    thing: 'visit',
  },
  'GET /reports/cameras': { path: `/reports/cameras?${DAYS}`, thing: read },
  'GET /reports/cameras/download': { path: `/reports/cameras/download?format=csv&${DAYS}`, thing: read },
  'GET /reports/devices': { path: `/reports/devices?${DAYS}`, thing: outage },
  'GET /reports/devices/download': { path: `/reports/devices/download?format=csv&${DAYS}`, thing: outage },
  'GET /reports/permits': { path: `/reports/permits?${DAYS}`, thing: permitVisit },
  'GET /reports/permits/download': {
    path: `/reports/permits/download?format=csv&${DAYS}`,
    thing: permitVisit,
  },
};

/** Ways to make something at a site, which is named in what is sent. */
export const MAKES: Readonly<Record<string, (siteId: string | null | undefined) => Json>> = {
  'POST /cameras': (siteId) => ({ name: 'In', location: 'entrance', remoteId: randomUUID(), siteId }),
  'POST /zones': (siteId) => ({ name: randomUUID(), settings: {}, siteId }),
  'POST /products': (siteId) => ({
    type: 'quota',
    price: 400,
    vehicleCategory: 'light',
    productCode: randomUUID(),
    name: { is: 'Klippikort' },
    siteId,
  }),
  'POST /visits': (siteId) => ({
    plate: nextPlate(),
    startedOn: '2026-11-21T11:00:00.000Z',
    reason: 'by hand',
    siteId,
  }),
  'POST /visit/whitelist': (siteId) => ({ plate: nextPlate(), reason: 'guest', siteId }),
  'POST /money-accounts': (siteId) => ({ kind: 'bank', reference: randomUUID(), name: 'Bank', siteId }),
  'POST /day-closes': (siteId) => ({ siteId, day: '2026-11-20' }),
  'POST /whitelist': (siteId) => ({ plate: nextPlate(), reason: 'guest', siteId }),
};
