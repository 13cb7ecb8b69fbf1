import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { sampleCustomer, sampleQuotaProduct } from '../../../test/sample-quota.ts';
import {
  type OperatorRights,
  PERMISSIONS,
  type Permission,
  type TokenRole,
} from '../../platform/http/caller.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';
import { ROUTE_ACCESS } from './route-access.ts';

const RUNS = 60;
let api: TestApi;
let sites: string[];
let products: { id: string; siteId: string | null }[];

beforeAll(async () => {
  api = await createTestApi();
  sites = [api.site.id, (await api.addSite('Airport')).id, (await api.addSite('Harbour')).id];
  await sampleCustomer(api, 'c1');
  products = [];
  for (const siteId of [null, ...sites]) {
    const more = { productCode: randomUUID(), ...(siteId !== null && { siteId }) };
    products.push({ id: await sampleQuotaProduct(api, more), siteId });
  }
});
afterAll(() => api.close());

/**
 * The rights of a receiver by a gift, in the words of the specification: permissions and sites, and null for
 * every site.
 */
interface Reach {
  permissions: readonly Permission[] | null;
  sites: readonly string[] | null;
}
const has = ({ permissions, siteIds }: OperatorRights, { permissions: needed, sites: where }: Reach) => {
  const doesEverything = permissions === null;
  const mayDo = doesEverything || needed?.every((one) => permissions.includes(one));
  const maySites = siteIds === null || where?.every((one) => siteIds.includes(one));
  return mayDo && maySites;
};

interface Try {
  what: string;
  send: (headers: Record<string, string>) => Promise<{ status: number; body: Json }>;
  /** Null: nothing is given. */
  reach: Reach | null;
}

const places = () => fc.option(fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 1 }), { nil: null });
const sitesAt = (at: number[] | null) => (at === null ? null : at.map((place) => sites[place] ?? ''));
const permissionsArbitrary = fc.option(fc.subarray([...PERMISSIONS]), { nil: null });

const optionsArbitrary = fc
  .record({
    places: fc.option(fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 1 }), { nil: null }),
    maxPermits: fc.constantFrom(0, 1, 100_000),
    end: fc.constantFrom('day', 'year', 'never'),
  })
  .map(({ places, maxPermits, end }) => (): AccountOptions => {
    const permitSites = sitesAt(places);
    return {
      ...(permitSites !== null && { permitSites }),
      maxPermits,
      ...(end === 'year' && { expireTime: 525_600 }),
      ...(end === 'never' && { permitWithoutEnd: true }),
    };
  });
const reachOf = ({ maxPermits, permitSites }: AccountOptions): Reach | null =>
  maxPermits === 0 ? null : { permissions: ['visits'], sites: permitSites ?? null };

/** The reach of a new account: if no sites are given, it is at those of its maker. */
const reachOfAccount = (options: AccountOptions) =>
  reachOf({ ...options, permitSites: options.permitSites ?? [] });

const post = (path: string, body: Json) => (headers: Record<string, string>) =>
  api.call('POST', path, { token: null, headers, body });

const gifts: Record<string, fc.Arbitrary<() => Try>> = {
  account: fc
    .record({ role: fc.constantFrom('customer', 'partner', 'whitelist'), options: optionsArbitrary })
    .map(({ role, options }) => () => ({
      what: `an account of role ${role} with ${JSON.stringify(options())}`,
      send: post('/accounts', { account: { role, status: 'active', options: options() } }),
      reach: reachOfAccount(options()),
    })),
  'customer with an account': optionsArbitrary.map((options) => () => ({
    what: `a customer whose account has ${JSON.stringify(options())}`,
    send: post('/customers', {
      customer: { language: 'is' },
      account: { role: 'customer', status: 'active', options: options() },
    }),
    reach: reachOfAccount(options()),
  })),
  operator: fc
    .record({ permissions: permissionsArbitrary, places: places() })
    .map(({ permissions, places }) => () => ({
      what: `an operator ${JSON.stringify({ permissions, places })}`,
      send: post('/accounts', {
        account: { role: 'operator', status: 'active', permissions, siteIds: sitesAt(places) },
      }),
      reach: { permissions, sites: sitesAt(places) },
    })),
  terms: fc
    .record({
      billingMethod: fc.constantFrom('daily', 'monthly', 'whitelist', null),
      discount: fc.constantFrom(0, 100),
    })
    .map(({ billingMethod, discount }) => () => {
      const needed: Permission[] = billingMethod === 'whitelist' ? ['money', 'visits'] : ['money'];
      return {
        what: `terms ${billingMethod} ${discount} %`,
        send: post('/customers', { customer: { language: 'is', options: { billingMethod, discount } } }),
        reach: billingMethod === null && discount === 0 ? null : { permissions: needed, sites: null },
      };
    }),
  quota: fc.constantFrom(0, 1, 2, 3).map((place) => () => {
    const { id: product = '', siteId = null } = products[place] ?? {};
    return {
      what: `units at ${siteId}`,
      send: post('/quotas', { customer: 'c1', product, quantity: 100_000, name: randomUUID() }),
      reach: { permissions: ['money'] as const, sites: siteId === null ? null : [siteId] },
    };
  }),
  token: fc
    .record({
      role: fc.constantFrom<TokenRole>('webhook', 'kiosk', 'broker', 'whitelist'),
      options: optionsArbitrary,
    })
    .map(({ role, options }) => () => {
      const given = role === 'whitelist' ? { options: options() } : {};
      const needed: Record<string, readonly Permission[]> = {
        webhook: ['visits', 'money', 'devices', 'people'],
        kiosk: ['visits', 'money'],
        broker: ['devices'],
      };
      const reach =
        role === 'whitelist' ? reachOf(options()) : { permissions: needed[role] ?? [], sites: null };
      return {
        what: `a token ${role} ${JSON.stringify(given)}`,
        send: post('/admin/create-role-bearer-token', { name: 'x', role, ...given }),
        reach,
      };
    }),
  webhook: fc
    .record({
      types: fc.option(
        fc.uniqueArray(fc.constantFrom('visit.opened', 'invoice.issued', 'gate.moved'), { minLength: 1 }),
        {
          nil: null,
        },
      ),
    })
    .map(({ types }) => () => {
      const of: Record<string, Permission> = {
        'visit.opened': 'visits',
        'invoice.issued': 'money',
        'gate.moved': 'lanes',
      };
      const all: Permission[] = ['visits', 'money', 'people', 'lanes', 'devices'];
      const permissions = types === null ? all : types.map((type) => of[type] ?? 'people');
      return {
        what: `a webhook of ${types}`,
        send: post('/webhooks', { name: randomUUID(), url: 'https://1.1.1.1/', types }),
        reach: { permissions, sites: null },
      };
    }),
  permit: places().map((places) => () => {
    const siteId = sitesAt(places)?.[0] ?? null;
    const plate = `G${Math.random().toString(36).slice(2, 8)}`.toUpperCase();
    return {
      what: `a permit without end at ${siteId}`,
      send: post('/visit/whitelist', {
        plate,
        reason: 'guest',
        expireOn: null,
        ...(siteId !== null && { siteId }),
      }),
      reach: { permissions: ['visits'] as const, sites: siteId === null ? null : [siteId] },
    };
  }),
};

/** The rights that a route needs of every giver, whatever is given. */
const AT_ROUTE: Record<string, Reach> = {
  token: { permissions: ['people'], sites: null },
  webhook: { permissions: ['people'], sites: null },
  permit: { permissions: ['visits'], sites: [] },
};
const PEOPLE: Reach = { permissions: ['people'], sites: [] };

describe('no account gives what it does not have', () => {
  it.each(Object.keys(gifts))('%s: given exactly by those who have what it is worth', async (kind) => {
    const limited = fc.record({
      // The permission `people` is drawn more often: without it most routes are closed anyway.
      permissions: fc.oneof(
        permissionsArbitrary,
        permissionsArbitrary.map((all) => all && [...new Set([...all, 'people' as const])]),
      ),
      places: places(),
    });
    // Some need everything, which is hardly ever drawn by itself.
    const everything = fc.record({ permissions: fc.constant(null), places: fc.constant(null) });
    const giver = fc.oneof({ weight: 4, arbitrary: limited }, { weight: 1, arbitrary: everything });
    const gift = gifts[kind];
    if (gift === undefined) throw new RangeError(kind);
    const seen = { given: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(giver, gift, async ({ permissions, places }, make) => {
        const rights = { permissions, siteIds: sitesAt(places) };
        const id = randomUUID();
        await api.account('operator', { ...rights, id });
        const tried = make();
        const { status, body } = await tried.send(await api.session(id, { steppedUpAt: api.now() }));
        const mayCall = has(rights, AT_ROUTE[kind] ?? PEOPLE);
        const mayGive = mayCall && (tried.reach === null || has(rights, tried.reach));
        const was = status < 400 ? 'given' : 'refused';
        seen[was]++;
        expect([
          tried.what,
          JSON.stringify(rights),
          was,
          status >= 500,
          JSON.stringify(body).slice(0, status < 400 ? 0 : 300),
        ]).toEqual([
          tried.what,
          JSON.stringify(rights),
          mayGive ? 'given' : 'refused',
          false,
          expect.anything(),
        ]);
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.given, seen.refused), JSON.stringify(seen)).toBeGreaterThan(0);
  });

  it('an account that says nothing of permits gets no more of them than its maker has', async () => {
    const make = async (rights: Partial<OperatorRights>, role = 'customer') => {
      const id = randomUUID();
      await api.account('operator', { ...rights, id });
      const headers = await api.session(id, { steppedUpAt: api.now() });
      return (await post('/accounts', { account: { role, status: 'active' } })(headers)).body['options'];
    };
    const [site = ''] = sites;
    expect(await make({})).toEqual({});
    expect(await make({ permissions: ['people'] })).toEqual({ maxPermits: 0 });
    expect(await make({ permissions: ['people', 'visits'], siteIds: [site] })).toEqual({
      permitSites: [site],
    });
  });

  describe('an operator of one site, with people and visits,', () => {
    let headers: Record<string, string>;
    const put = (path: string, body: Json) => api.call('PUT', path, { token: null, headers, body });
    const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
    beforeAll(async () => {
      const [site = ''] = sites;
      await api.account('operator', { id: 'local', permissions: ['people', 'visits'], siteIds: [site] });
      headers = await api.session('local', { steppedUpAt: api.now() });
    });

    it('makes no account larger than it was, nor takes one over that can do more', async () => {
      const [site = '', other = ''] = sites;
      await api.account('partner', { id: 'ours', options: { permitSites: [site], maxPermits: 5 } });
      await api.account('partner', { id: 'theirs', options: { permitSites: [other] } });
      await api.account('partner', { id: 'everywhere' });
      expect(await statusOf(put('/accounts/ours', { name: 'Hótel' }))).toBe(303);
      expect(await statusOf(put('/accounts/ours', { options: { maxPermits: 3 } }))).toBe(303);
      expect(await statusOf(put('/accounts/ours', { options: { permitSites: [site, other] } }))).toBe(400);
      expect(await statusOf(put('/accounts/ours', { options: { permitSites: null } }))).toBe(400);
      const login = { email: 'me@example.is', password: 'þrjár gular kýr' };
      for (const id of ['theirs', 'everywhere']) {
        expect(await statusOf(put(`/accounts/${id}`, { status: 'active', name: 'x' })), id).toBe(403);
        expect(await statusOf(post(`/accounts/${id}/logins`, login)(headers)), id).toBe(403);
        const taken = post('/customers', { customer: { language: 'is' }, account: id })(headers);
        expect(await statusOf(taken), id).toBe(400);
      }
      expect(await statusOf(post('/accounts/ours/logins', login)(headers))).toBe(303);
    });

    it('comes by no terms and no units of a customer that has them', async () => {
      const customers = ['billed', 'prepaid', 'prepaid-here', 'plain'];
      for (const id of customers) await sampleCustomer(api, id);
      await api.call('PUT', '/customer/billed', { body: { options: { billingMethod: 'monthly' } } });
      for (const [customer, place] of [
        ['prepaid', 2],
        ['prepaid-here', 1],
      ] as const) {
        const body = { customer, product: products[place]?.id, quantity: 5, name: randomUUID() };
        await api.made('/quotas', body);
      }
      const login = { email: 'thief@example.is', password: 'þrjár gular kýr' };
      const outcomes = [];
      for (const customerId of customers) {
        const id = `of-${customerId}`;
        const options = { maxPermits: 0 };
        await api.account('customer', { id, customerId, options });
        const fields = { role: 'customer', status: 'active', customerId, options };
        outcomes.push([
          customerId,
          await statusOf(post('/accounts', { account: fields })(headers)),
          await statusOf(post(`/accounts/${id}/logins`, { ...login, email: `${id}@example.is` })(headers)),
          await statusOf(put(`/accounts/${id}`, { name: 'x' })),
          (await api.call('GET', `/accounts/${id}/tokens`, { token: null, headers })).status,
        ]);
      }
      expect(outcomes).toEqual([
        ['billed', 400, 403, 403, 403],
        ['prepaid', 400, 403, 403, 403],
        ['prepaid-here', 303, 303, 303, 200],
        ['plain', 303, 303, 303, 200],
      ]);
      // A partner of the same customer takes no vehicle into custody.
      const partner = { role: 'partner', status: 'active', customerId: 'billed', options: { maxPermits: 0 } };
      expect(await statusOf(post('/accounts', { account: partner })(headers))).toBe(303);
    });

    it('changes no terms, no units and no custody', async () => {
      const [, of] = products;
      const quota = await api.made('/quotas', {
        customer: 'c1',
        product: of?.id,
        quantity: 5,
        name: randomUUID(),
      });
      expect(await statusOf(put(`/quotas/${quota.id}`, { quantity: 500 }))).toBe(400);
      expect(await statusOf(post(`/quotas/${quota.id}/reset`, {})(headers))).toBe(400);
      expect(await statusOf(put('/customer/c1', { options: { billingMethod: 'monthly' } }))).toBe(400);
      expect(await statusOf(put('/customer/c1', { options: { discount: 100 } }))).toBe(400);
      expect(await statusOf(post('/custodians', { plate: 'ABX12', customerId: 'c1' })(headers))).toBe(403);
    });
  });
});

it.each(['POST /custodians', 'POST /vehicle/:plate/override'])('%s counts at every site', (route) => {
  expect(ROUTE_ACCESS[route]?.operators?.sites).toBe('all');
});
