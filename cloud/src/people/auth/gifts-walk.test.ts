import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isAboutDevices } from '@hlid/protocol/site-link/commands';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { deviceAnswers } from '../../../test/devices.ts';
import type { ApiDocument } from '../../../test/drive-everything.ts';
import { type DescribedCall, NEVER_SUCCEEDS } from '../../../test/fuzz/calls.ts';
import { type FuzzRow, OTHER_CUSTOMER, OWN_CUSTOMER } from '../../../test/fuzz/people.ts';
import { fromSchema, type Schema } from '../../../test/fuzz/schema-arbitrary.ts';
import { rowMakerOf, seedForFuzz } from '../../../test/fuzz/seed.ts';
import {
  aimed,
  type Draw,
  drawsOf,
  oneOf,
  permitFile,
  someOf,
  type Targets,
} from '../../../test/gifts/aim.ts';
import { type RowChange, WatchedTables } from '../../../test/gifts/watched-tables.ts';
import {
  GIVES_NOTHING,
  type Giver,
  hasValue,
  limitsOf,
  METERS,
  type Options,
  type World,
} from '../../../test/gifts/worth-of-rows.ts';
import { THINGS } from '../../../test/rows-of-sites.ts';
import { addCustomer } from '../../../test/settlements.ts';
import { terminalAnswers } from '../../../test/terminal.ts';
import { openApiDocument } from '../../integration/docs/openapi-document.ts';
import { ACCOUNT_ROLES, type OperatorRights, PERMISSIONS } from '../../platform/http/caller.ts';
import { FileRegistry } from '../../platform/vehicle-registry/file-registry.ts';
import { ROUTE_ACCESS, type SiteThing } from './route-access.ts';
import { issueToken } from './tokens.ts';

/*
 * No caller gives what they do not have, whichever way they try. Every call that changes something and that
 * people may make is made by givers of limited rights, with bodies by its schema that name the sites,
 * accounts, customers and products of others. The check of the outcome depends on no route: it reads the new
 * rows of every table.
 */

/** Calls of each operation. More of them, and others: `HLID_FUZZ_SEED=7 HLID_FUZZ_RUNS=500`. */
const RUNS = Number(process.env['HLID_FUZZ_RUNS'] ?? 16);
const SEED = Number(process.env['HLID_FUZZ_SEED'] ?? 20261128);
/** They end the session with which they are called. */
const ENDING = /(logout|DELETE \/session)$/;

const described = await createTestApi();
const document = JSON.parse(JSON.stringify(openApiDocument(described.app))) as ApiDocument;
await described.close();
const lookup = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};

interface WalkedCall extends DescribedCall {
  name: string;
  route: string;
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]): WalkedCall => {
    const method = verb.toUpperCase();
    const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    return { name: `${method} ${path}`, route, method, path, operation };
  }),
);
const PEOPLE: readonly string[] = [...ACCOUNT_ROLES, 'staff-manager', 'whitelist-token'];
/** The routes of people that may change something. */
const changing = Object.entries(ROUTE_ACCESS)
  .filter(([route, { who }]) => !route.startsWith('GET ') && who.some((one) => PEOPLE.includes(one)))
  .map(([route]) => route);
/** Sites that these have taken away serve no other call. */
const LAST = /^DELETE .*\/credentials|\/archive$/;
const calls = operations
  .filter(({ route }) => changing.includes(route))
  .sort((a, b) => Number(LAST.test(a.route)) - Number(LAST.test(b.route)));

const REGISTRY = fileURLToPath(new URL('../../../../tests/fixtures/vehicles/registry.json', import.meta.url));
const SitesSchema = z.array(z.object({ id: z.union([z.string(), z.number()]), name: z.string() }));

let api: TestApi;
let tables: WatchedTables;
let world: Omit<World, 'now'>;
let targets: Targets;
const measured = new Set<string>();

beforeAll(async () => {
  api = await createTestApi({ vehicleRegistry: new FileRegistry(REGISTRY) });
  const sites = [api.site.id, (await api.addSite('Walk 2')).id, (await api.addSite('Walk 3')).id];
  await seedForFuzz(api);
  const [ofTerminal, ofDevices] = [terminalAnswers(), deviceAnswers(api)];
  api.bus.play(api.site.id, (command) =>
    isAboutDevices(command) ? ofDevices(command) : ofTerminal(command),
  );
  const products: string[] = [];
  const cameras: string[] = [];
  for (const siteId of sites) {
    const body = { type: 'quota', price: 400, vehicleCategory: 'light', productCode: randomUUID(), siteId };
    products.push((await api.made('/products', body)).id);
    cameras.push(await THINGS.camera(api, siteId));
  }
  const billed = await addCustomer(api, { billingMethod: 'monthly' });
  const prepaid = await addCustomer(api, {});
  await api.made('/quotas', { customer: prepaid, product: products[1], quantity: 5, name: 'Prepaid' });
  const accounts = await Promise.all([
    api.made('/accounts', { account: { role: 'partner', status: 'active', options: { maxPermits: 0 } } }),
    api.made('/accounts', {
      account: { role: 'partner', status: 'active', options: { permitSites: [sites[1]] } },
    }),
    api.made('/accounts', { account: { role: 'customer', status: 'active', customerId: OWN_CUSTOMER } }),
    api.made('/accounts', {
      account: { role: 'customer', status: 'active', customerId: billed, options: { maxPermits: 0 } },
    }),
    api.made('/accounts', { account: { role: 'operator', status: 'active', permissions: ['visits'] } }),
  ]);
  targets = {
    sites,
    customers: [OWN_CUSTOMER, OTHER_CUSTOMER, billed, prepaid],
    accounts: accounts.map(({ id }) => id),
    products,
    cameras,
  };
  tables = new WatchedTables(api.dbPath, (table) => table in METERS);
  const database = new Database(api.dbPath);
  const named = SitesSchema.parse(database.prepare('SELECT id, name FROM site').all());
  database.close();
  const { body } = await api.call('GET', '/sites');
  const shown = z.array(z.looseObject({ id: z.string(), name: z.string() })).parse(body['data']);
  const ids = new Map(named.map(({ id, name }) => [id, shown.find((one) => one.name === name)?.id ?? null]));
  world = { tables, siteOf: (raw) => (raw == null ? null : (ids.get(raw) ?? `new site ${raw}`)) };
});
afterAll(async () => {
  tables.close();
  await api.close();
});

interface Comer {
  giver: Giver;
  headers: Record<string, string>;
}

function drawOptions(draw: Draw): Options {
  const permitSites = draw(3) === 0 ? {} : { permitSites: someOf(draw, targets.sites) };
  const end = oneOf(draw, [{}, { expireTime: 60 }, { expireTime: 525_600 }, { permitWithoutEnd: true }]);
  const parked = draw(2) === 0 ? {} : { 'free-parking-time': 60 };
  const arrivals = draw(2) === 0 ? {} : { permitAfterArrival: false };
  return { maxPermits: oneOf(draw, [0, 2, 1000]), ...permitSites, ...end, ...parked, ...arrivals };
}

/** A caller with few rights, who as a rule may call the route. */
async function comeTo({ route }: WalkedCall, draw: Draw): Promise<Comer> {
  const allowed = (ROUTE_ACCESS[route]?.who ?? []).filter((one) => PEOPLE.includes(one));
  const who = allowed.includes('operator') && draw(3) < 2 ? 'operator' : oneOf(draw, allowed);
  if (who === 'operator') return await operatorTo(route, draw);
  const options = drawOptions(draw);
  if (who === 'whitelist-token') {
    const life = { from: api.now(), until: null };
    const { id, token } = await api.db.write(({ q }) =>
      issueToken(q, { role: 'whitelist', name: 'walks', options }, life),
    );
    const nobody = { accountId: null, customerId: null, manages: null };
    const limits = { ...limitsOf(options), author: `token:${id}`, ...nobody };
    return { giver: { kind: 'author', ...limits }, headers: { authorization: `Bearer ${token}` } };
  }
  const manages = who === 'staff-manager' ? oneOf(draw, ['customer', 'partner'] as const) : null;
  const role = manages ?? (who === 'customer' || who === 'partner' ? who : 'whitelist');
  const [id, customerId] = [randomUUID(), OWN_CUSTOMER];
  const rights = manages === null ? options : { ...options, managesStaff: true };
  await api.account(role, { id, customerId, options: rights });
  const limits = { ...limitsOf(options), author: `account:${id}`, accountId: id, customerId, manages };
  return { giver: { kind: 'author', ...limits }, headers: await api.session(id) };
}

async function operatorTo(route: string, draw: Draw): Promise<Comer> {
  const { needed = 'any', sites } = ROUTE_ACCESS[route]?.operators ?? {};
  const asked = [needed === 'own' ? 'people' : needed].flat().filter((one) => one !== 'any');
  const isWhole = draw(5) === 0;
  const may = isWhole ? null : [...new Set([...asked, ...PERMISSIONS.filter(() => draw(3) === 0)])];
  const isEverywhere = isWhole || draw(sites === 'all' ? 2 : 5) === 0;
  const siteIds = isEverywhere ? null : someOf(draw, targets.sites);
  const rights: OperatorRights = { permissions: may, siteIds };
  const id = randomUUID();
  await api.account('operator', { ...rights, id });
  const headers = await api.session(id, { steppedUpAt: api.now() });
  return { giver: { kind: 'operator', accountId: id, permissions: may, sites: siteIds }, headers };
}

/** Things of a walk by the first part of the path that names one; of a route that has none, the maker of the fuzz test has it. */
async function placeOf({ route, path, method }: WalkedCall, draw: Draw, n: number): Promise<FuzzRow> {
  const row = (await rowMakerOf(method, path)?.(api, n)) ?? {};
  if (!path.includes('{id}') || draw(2) === 0) return row;
  const scope = ROUTE_ACCESS[route]?.operators?.sites;
  const id = await thingAt(scope, path, draw);
  return id === null ? row : { ...row, path: { ...row.path, id } };
}

async function thingAt(scope: string | undefined, path: string, draw: Draw): Promise<string | null> {
  if (scope !== undefined && isThing(scope)) return await THINGS[scope](api, oneOf(draw, targets.sites));
  if (path.startsWith('/accounts/')) return oneOf(draw, targets.accounts);
  if (path.startsWith('/customer/')) return oneOf(draw, targets.customers);
  if (!path.startsWith('/quotas/')) return null;
  const of = { customer: oneOf(draw, targets.customers), product: oneOf(draw, targets.products) };
  return (await api.made('/quotas', { ...of, quantity: 3, name: randomUUID() })).id;
}

function isThing(scope: string): scope is SiteThing {
  return scope in THINGS;
}

/** @param draw null: as it fits the row */
function bodyOf(drawn: unknown, row: FuzzRow, draw: Draw | null): Json | string | Uint8Array<ArrayBuffer> {
  if (row.body instanceof Uint8Array) return row.body;
  if (draw === null) return typeof row.body === 'string' ? row.body : { ...Object(drawn), ...row.body };
  if (typeof row.body === 'string')
    return row.body.startsWith('plate,') ? permitFile(draw, targets) : row.body;
  // The fields of the row fit one of the calls about it, as a rule.
  const fitting = draw(4) === 0 ? {} : row.body;
  const whole = typeof drawn === 'object' && drawn !== null ? { ...drawn, ...fitting } : { ...fitting };
  // JSON has no fields without a value.
  return JSON.parse(JSON.stringify(aimed(whole, draw, targets, row.body)));
}

interface Drawn {
  seed: number;
  body: unknown;
}

function drawnFor({ operation, route }: WalkedCall): fc.Arbitrary<Drawn> {
  const content = operation.requestBody?.content ?? {};
  const [schema = {}] = Object.values(content).map((one) => one.schema);
  const seed = fc.noBias(fc.integer({ min: 0, max: 2 ** 31 - 1 }));
  const isEmpty = route.startsWith('DELETE ') || operation.requestBody === undefined;
  return fc.record({ seed, body: isEmpty ? fc.constant(null) : fromSchema(schema, lookup) });
}

/**
 * They need a site that is connected and a picture of it, a payment that is settled just now, a site that has failed, or
 * a request that the caller has made.
 */
const RARELY = /\/(snapshot|reverse|retry|withdraw)$/;
/**
 * Rows that no call of people makes here: drivers make them, the holder of a login in their browser, or the
 * calls of NEVER_SUCCEEDS. If a call makes one all the same, it is measured.
 */
const ONLY_OTHERWISE = new Set([
  'api_key',
  'driver_card',
  'driver_vehicle',
  'edge_package',
  'online_refund',
  'opening',
  'passkey',
  'recovery',
  'recovery_code',
  'totp',
]);

/** The rights in new rows that the giver does not have. */
function excess(changes: readonly RowChange[], giver: Giver): string[] {
  const whole: World = { ...world, now: api.now() };
  return changes.flatMap((change) => {
    measured.add(change.table);
    const worth = METERS[change.table]?.(change, whole, giver) ?? [];
    const missing = worth.filter((one) => !hasValue(giver, one));
    return missing.map((one) => `${change.table} ${JSON.stringify(one)}: ${JSON.stringify(change.after)}`);
  });
}

describe('whoever gives, what comes to be is within what they have', () => {
  it('every call by which people change something is walked', () => {
    // A call that is not in the OpenAPI document cannot be made: then the walk would not see what it gives.
    expect(calls.map(({ route }) => route).sort()).toEqual(changing.toSorted());
  });

  it('of every table it is known what its rows are worth', () => {
    const unknown = tables.names.filter((name) => !(name in METERS) && !(name in GIVES_NOTHING));
    expect(unknown, 'say in worth-of-rows.ts what a row of it is worth').toEqual([]);
  });

  it.each(calls)(
    '$name',
    async (call) => {
      const statuses: number[] = [];
      let n = 0;

      let isOfOne = false;
      await fc.assert(
        fc.asyncProperty(drawnFor(call), async ({ seed, body }) => {
          const draw = drawsOf(seed);
          // The first time, and now and then, a caller with all rights makes the very call that its row is for: it
          // must succeed.
          const isPlain = draw(5) === 0 || n === 0;
          const row = await placeOf(call, isPlain ? () => 0 : draw, n);
          n++;
          isOfOne ||= row.headers !== undefined;
          const { giver, headers } = await comeTo(call, isPlain ? () => 0 : draw);
          tables.look();
          const sent = body === null ? {} : { body: bodyOf(body, row, isPlain ? null : draw) };
          const values: Record<string, string> = { ...row.path };
          const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(values[name] ?? 'nobody'),
          );
          const query = new URLSearchParams(row.query).toString();
          const [contentType = 'application/json'] = Object.keys(call.operation.requestBody?.content ?? {});
          const answer = await api.call(call.method, query === '' ? path : `${path}?${query}`, {
            token: null,
            headers: { 'content-type': contentType, ...headers },
            ...sent,
          });
          statuses.push(answer.status);
          const gave = excess(tables.look(), giver);
          const said = `${JSON.stringify(giver)} sent ${JSON.stringify(sent)} to ${path}: ${answer.status}`;
          expect(gave, said).toEqual([]);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
      // Without a success, only refusals would be tested.
      const successes = statuses.filter((status) => status < 400).length;
      if (!isOfOne && !RARELY.test(call.path) && !NEVER_SUCCEEDS.test(call.name) && !ENDING.test(call.name)) {
        expect(successes, `${call.name}: ${statuses}`).toBeGreaterThan(0);
      }
    },
    180_000,
  );

  it('what rows are worth was looked at in every table that people change', () => {
    const never = Object.keys(METERS).filter((table) => !measured.has(table));
    expect(never.filter((table) => !ONLY_OTHERWISE.has(table))).toEqual([]);
  });
});
