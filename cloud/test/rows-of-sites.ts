import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SiteThing } from '../src/auth/route-access.ts';
import type { Json, TestApi } from './api.ts';
import { reportPayment, samplePayment } from './payments.ts';
import { frame } from './sample-documents.ts';
import { sampleQuotaProduct } from './sample-quota.ts';
import { allInvoices, settle } from './settlements.ts';

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
  const body = frame(nextPlate(), api.now());
  const path = `/photos/open-alpr?camera.id=${await camera(api, siteId)}`;
  return z.looseObject({ id: z.string() }).parse((await api.call('POST', path, { body })).body).id;
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

/** Makes a thing of a site. @returns its id */
export const THINGS: Readonly<Record<SiteThing, (api: TestApi, siteId: string) => Promise<string>>> = {
  site: async (_api, siteId) => siteId,
  camera,
  zone: async (api, siteId) => (await api.made('/zones', { name: randomUUID(), settings: {}, siteId })).id,
  product: async (api, siteId) => await sampleQuotaProduct(api, { productCode: randomUUID(), siteId }),
  photo,
  picture: photo,
  visit: async (api, siteId) => (await api.visit({ plate: nextPlate() }, { siteId })).id,
  'whitelist-entry': async (api, siteId) =>
    (await api.made('/visit/whitelist', { plate: nextPlate(), reason: 'guest', siteId })).id,
  invoice,
  payment,
};

const DAYS = 'date.from=2026-11-20&date.to=2026-11-22';

/** Every list of things of sites: its address, and what stands in it. */
export const LISTS: Readonly<Record<string, { path: string; thing: SiteThing; body?: Json }>> = {
  'GET /sites': { path: '/sites', thing: 'site' },
  'GET /cameras': { path: '/cameras', thing: 'camera' },
  'GET /zones': { path: '/zones', thing: 'zone' },
  'GET /products': { path: '/products', thing: 'product' },
  'GET /photos': { path: '/photos', thing: 'photo' },
  'GET /visit/whitelist': { path: '/visit/whitelist', thing: 'whitelist-entry' },
  'GET /whitelist': { path: '/whitelist', thing: 'whitelist-entry' },
  'GET /visits': { path: '/visits?aggregate=day', thing: 'visit' },
  'GET /reports/visits': { path: `/reports/visits?${DAYS}`, thing: 'visit' },
  'GET /payments': { path: '/payments', thing: 'payment' },
  'GET /invoices': { path: '/invoices', thing: 'invoice' },
};

/** Files and sums: one more thing of a site they see makes a difference. */
export const SUMS: Readonly<Record<string, { path: string; thing: SiteThing }>> = {
  'GET /visits/counts': { path: '/visits/counts', thing: 'visit' },
  'GET /reports/visits/stats': { path: `/reports/visits/stats?${DAYS}`, thing: 'visit' },
  'GET /reports/visits/download': { path: `/reports/visits/download?format=csv&${DAYS}`, thing: 'visit' },
  'GET /visit/whitelist/export': { path: '/visit/whitelist/export', thing: 'whitelist-entry' },
  'GET /reports/income': { path: `/reports/income?${DAYS}&by=site`, thing: 'invoice' },
};

/** Ways to make something at a site, which is named in what is sent. */
export const MAKES: Readonly<Record<string, (siteId: string | null | undefined) => Json>> = {
  'POST /cameras': (siteId) => ({ name: 'In', location: 'entrance', remoteId: randomUUID(), siteId }),
  'POST /zones': (siteId) => ({ name: randomUUID(), settings: {}, siteId }),
  'POST /products': (siteId) => ({
    ...{ type: 'quota', price: 400, vehicleCategory: 'light', productCode: randomUUID() },
    ...{ name: { is: 'Klippikort' }, siteId },
  }),
  'POST /visits': (siteId) => ({
    ...{ plate: nextPlate(), startedOn: '2026-11-21T11:00:00.000Z', reason: 'by hand' },
    siteId,
  }),
  'POST /visit/whitelist': (siteId) => ({ plate: nextPlate(), reason: 'guest', siteId }),
  'POST /whitelist': (siteId) => ({ plate: nextPlate(), reason: 'guest', siteId }),
};
