import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { type Country, HABITS } from './country.ts';
import { platesOfWorld, type World } from './fill-history.ts';
import { Random } from './random.ts';
import { SAMPLE_PRODUCT, SAMPLE_SETTINGS, sampleCustomer } from './sample-site.ts';

/** An operator at the API of a cloud: success, or an error. A text is sent as CSV. */
export type WorldApi = (method: string, path: string, body: object | string) => Promise<unknown>;

/** A site with what it connects by. */
interface WorldSite {
  id: string;
  epoch: string;
  secret: string;
}

const CARS_PER_CUSTOMER = 4;
/** Requests that are under way at once. */
const AT_ONCE = 8;
const LANES = [
  { name: 'Entrance', location: 'entrance', remoteId: 'cam-in-1' },
  { name: 'Entrance 2', location: 'entrance', remoteId: 'cam-in-2' },
  { name: 'Exit', location: 'exit', remoteId: 'cam-out-1' },
  { name: 'Exit 2', location: 'exit', remoteId: 'cam-out-2' },
];

export interface WorldOfSites extends World {
  sites: readonly WorldSite[];
}

/** Makes sites, cameras, zones, a product, customers with their cars and permits, by the cloud's own API. */
export async function makeWorld(
  api: WorldApi,
  dbPath: string,
  { plan, habits }: Country,
): Promise<WorldOfSites> {
  const made = async (path: string, body: object) => IdSchema.parse(await api('POST', path, body)).id;
  const random = new Random(plan.seed + 2);
  const product = await made('/products', SAMPLE_PRODUCT);
  // The companies have their cars from a day before the first car comes.
  const since = plan.until - (plan.days + 1) * DAY_MS;
  const customers = await inOrder(numbers(Math.ceil(plan.companyCars / CARS_PER_CUSTOMER)), (n) =>
    made('/customers', sampleCustomer(`Company ${n}`)),
  );
  const plates = platesOfWorld(plan);
  await inOrder([...plates.company.entries()], async ([car, plate]) => {
    const customerId = customers[car % customers.length];
    await api('POST', '/custodians', { plate, customerId, dateFrom: utcTime(since) });
  });
  const sites = await inOrder(numbers(plan.sites), async (n): Promise<WorldSite> => {
    const habit = habits[n] ?? '';
    const site = { name: `${habit} ${n}`, timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
    const created = NewSiteSchema.parse(await api('POST', '/sites', { ...site, settings: SAMPLE_SETTINGS }));
    const { id: siteId } = created;
    for (const lane of LANES) await made('/cameras', { ...lane, siteId });
    const capacity = Math.ceil(40 * (HABITS[habit]?.size ?? 1));
    await made('/zones', { name: 'Ground floor', settings: { capacity }, siteId });
    return { ...created, epoch: '' };
  });
  for (const site of sites) site.epoch = random.timedUuid(since);
  const lines = sites.flatMap(({ id }, n) =>
    (plates.permits[n] ?? []).map((plate) => `${plate},Staff,,${id}`),
  );
  await api('POST', '/visit/whitelist/import', ['plate,reason,expireOn,siteId', ...lines, ''].join('\r\n'));
  return { product, customers, sites, ...readWorld(dbPath) };
}

/** Reads the parts that the API answers nowhere in one piece. */
function readWorld(path: string): Pick<World, 'operator' | 'permits'> {
  const db = new Database(path, { readonly: true });
  try {
    const permits = db.prepare('SELECT plate, id FROM whitelist_entry').raw().all() as [string, string][];
    const operator = String(db.prepare("SELECT id FROM account WHERE role = 'operator'").pluck().get());
    return { operator, permits: new Map(permits) };
  } finally {
    db.close();
  }
}

const IdSchema = z.looseObject({ id: z.string() });
const NewSiteSchema = z.looseObject({ id: z.string(), secret: z.string() });

const numbers = (count: number) => Array.from({ length: count }, (_unused, n) => n);

/** Some at once; the results in the order of what they are made of. */
async function inOrder<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const results: Made[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(make))));
  }
  return results;
}
