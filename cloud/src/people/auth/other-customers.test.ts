import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import {
  ACCOUNTS_ROWS,
  DRIVER_BODIES,
  type DriverRows,
  driverRows,
  OWNED_COUNTS,
  OWNED_LISTS,
  OWNED_ROWS,
  type OwnedRow,
  UNOWNED_LISTS,
  UNOWNED_ROWS,
} from '../../../test/sample-owned-rows.ts';
import { sampleCustomer } from '../../../test/sample-quota.ts';
import { ACCOUNT_ROLES } from '../../platform/http/caller.ts';
import { ROUTE_ACCESS } from './route-access.ts';

const PEOPLE = ACCOUNT_ROLES.filter((role) => role !== 'operator');

let api: TestApi;
let ours: string;
let theirs: string;
const tokens = new Map<string, string>();
beforeAll(async () => {
  api = await createTestApi();
  [ours, theirs] = [await sampleCustomer(api), await sampleCustomer(api)];
  // The plates of visits and the units of quotas need a price.
  await api.made('/products', {
    type: 'default',
    price: 500,
    vehicleCategory: 'light',
    productCode: 'day',
    name: { is: 'Dagur' },
  });
  for (const role of PEOPLE) tokens.set(role, await api.account(role, { customerId: ours }));
});
afterAll(() => api.close());

function callAt(route: string, { path, body }: OwnedRow, token: string) {
  const [method = ''] = route.split(' ');
  return api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
}

/** The same call for a row that there is not. */
function absent(route: string, { path, body }: OwnedRow): OwnedRow {
  const [, pattern = ''] = route.split(' ');
  const parts = pattern.split('/');
  const filled = path
    .split('/')
    .map((part, place) => (parts[place]?.startsWith(':') ? 'nobody' : part))
    .join('/');
  return { path: filled, ...(body === undefined ? {} : { body }) };
}

it('every route of one row that people of a customer may call has its line', () => {
  const routes = Object.entries(ROUTE_ACCESS)
    .filter(([route, { who }]) => route.includes('/:') && PEOPLE.some((role) => who.includes(role)))
    // The lines of these are in factors.test.ts: they are for sessions only, and about the own login.
    .filter(([, { stepUp }]) => stepUp !== 'sessions')
    .map(([route]) => route);
  expect([...Object.keys(OWNED_ROWS), ...UNOWNED_ROWS, ...ACCOUNTS_ROWS].sort()).toEqual(routes.sort());
});

describe.each(Object.entries(OWNED_ROWS))('%s', (route, make) => {
  const allowed = PEOPLE.filter((role) => ROUTE_ACCESS[route]?.who.includes(role));

  it.each(allowed)(
    'is for a %s about rows of the own customer; another’s are as if they were not there',
    async (role) => {
      const token = tokens.get(role) ?? '';
      const other = await make(api, theirs);
      const [hidden, none] = [
        await callAt(route, other, token),
        await callAt(route, absent(route, other), token),
      ];
      expect(hidden.status).toBe(404);
      expect([none.status, none.body]).toEqual([hidden.status, hidden.body]);
      expect((await callAt(route, await make(api, ours), token)).status).not.toBe(404);
      // It was there all the time.
      expect((await callAt(route, other, api.operator)).status).not.toBe(404);
    },
  );
});

/** Everything at an address, whatever kind of document it is. */
async function textAt(path: string, token: string): Promise<string> {
  const response = await api.app.request(path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

/** A new row of a customer. @returns what gives it away: its id and its plate */
async function newRow(route: string, customerId: string): Promise<string[]> {
  api.wait(1);
  const made = await OWNED_ROWS[route]?.(api, customerId);
  if (made === undefined) throw new Error(`${route} has no line`);
  const { body } = await api.call('GET', made.path);
  return ['id', 'plate', 'regno'].map((name) => body[name]).filter((mark) => typeof mark === 'string');
}

it('every list that people of a customer may read has its line', () => {
  const routes = Object.entries(ROUTE_ACCESS)
    .filter(([route]) => route.startsWith('GET ') && !route.includes('/:'))
    .filter(([, { who }]) => PEOPLE.some((role) => who.includes(role)))
    .map(([route]) => route);
  const lines = [...Object.keys(OWNED_LISTS), ...Object.keys(OWNED_COUNTS), ...UNOWNED_LISTS];
  expect(lines.sort()).toEqual(routes.sort());
});

describe.each(Object.entries(OWNED_LISTS))('%s', (route, { path, row }) => {
  const allowed = PEOPLE.filter((role) => ROUTE_ACCESS[route]?.who.includes(role));

  it.each(allowed)('shows a %s rows of the own customer only', async (role) => {
    const token = tokens.get(role) ?? '';
    const [hidden, shown] = [await newRow(row, theirs), await newRow(row, ours)];
    const [seen, all] = [await textAt(path, token), await textAt(path, api.operator)];
    const isIn = (text: string) => (mark: string) => text.includes(mark);
    expect(hidden.filter(isIn(seen))).toEqual([]);
    expect(seen).not.toContain(theirs);
    expect(shown.some(isIn(seen))).toBe(true);
    // An operator sees them all, so that there was something to hide.
    expect([hidden.some(isIn(all)), shown.some(isIn(all))]).toEqual([true, true]);
  });
});

describe.each(Object.entries(OWNED_COUNTS))('%s', (route, { path, row }) => {
  const allowed = PEOPLE.filter((role) => ROUTE_ACCESS[route]?.who.includes(role));

  it.each(allowed)('counts for a %s rows of the own customer only', async (role) => {
    const token = tokens.get(role) ?? '';
    const before = await textAt(path, token);
    await newRow(row, theirs);
    expect(await textAt(path, token)).toBe(before);
    await newRow(row, ours);
    expect(await textAt(path, token)).not.toBe(before);
  });
});

describe.each(
  Object.entries(OWNED_ROWS).filter(([route]) => ROUTE_ACCESS[route]?.who.includes('whitelist-token')),
)('%s', (route, make) => {
  it('is for a whitelist token about what it made itself', async () => {
    const token = await api.roleToken('whitelist');
    expect((await callAt(route, await make(api, theirs), token)).status).toBe(404);
  });
});

describe('a driver', () => {
  const routes = Object.keys(ROUTE_ACCESS).filter((route) => ROUTE_ACCESS[route]?.who.includes('driver'));
  const ofDriver = async ({ token }: DriverRows) => [
    (await api.call('GET', DRIVER_PATHS.me, { token })).body,
    (await api.call('POST', DRIVER_PATHS.charges, { token, body: {} })).body,
  ];

  it.each(routes)('sees and changes nothing of another driver by %s', async (route) => {
    const [one, other] = [await driverRows(api), await driverRows(api)];
    const before = await ofDriver(other);
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'GET' ? {} : { body: DRIVER_BODIES[route]?.(other) ?? {} };
    const answer = await api.call(method, path, { token: one.token, ...body });
    const seen = JSON.stringify(answer.body);
    expect([other.email, other.plate, other.chargeId].filter((mark) => seen.includes(mark))).toEqual([]);
    expect(await ofDriver(other)).toEqual(before);
    expect(JSON.stringify(before)).toContain(other.chargeId);
  });
});
