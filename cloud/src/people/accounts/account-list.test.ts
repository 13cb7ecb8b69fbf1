import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { account, idsIn, logIn, register } from '../../../test/accounts.ts';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { accountTable } from '../../records/accounts/account-table.ts';
import { custodianTable } from '../../records/vehicles/custodian-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const nameOf = (names: string[]) => names.map((name) => ({ name }));

describe('accounts are listed', () => {
  it('by every filter', async () => {
    const anna = await register(api, 'anna@example.is', {
      name: 'Þóra Jónsdóttir',
      comment: 'VIP at the door',
    });
    await register(api, 'bo@example.is', { role: 'partner', status: 'inactive', name: 'Bo' }, null);
    const queries = [
      'name=þór',
      'comment=vip',
      'email=ANNA@example.is',
      'status=active&role=customer',
      'role=customer',
      'ssn=1201603389&name=%C3%9E',
    ];
    queries.push(`customer=${(anna['customer'] as Json)['id']}`);
    for (const query of queries) expect(await idsIn(api, `/accounts?${query}`), query).toEqual([anna.id]);
    expect(await idsIn(api, '/accounts?name=onsx')).toEqual([]);
  });

  it('by the plate of a vehicle in their custody, or in their customer’s', async () => {
    const anna = await register(api, 'anna@example.is');
    const bo = await register(api, 'bo@example.is', {}, null);
    await register(api, 'cal@example.is');
    const dates = { createdAt: api.now(), modifiedAt: api.now() };
    await api.db.write(async ({ q }) => {
      await q.insert(vehicleTable).values({ id: 'v1', plate: 'ABX12', ...dates });
      const customerId = String((anna['customer'] as Json)['id']);
      const period = { dateFrom: '2026-11-01T00:00:00.000Z', dateTo: null };
      const custody = { id: 'k1', vehicleId: 'v1', customerId, accountId: bo.id, status: 'active' } as const;
      await q.insert(custodianTable).values({ ...custody, ...period, ...dates });
    });
    expect((await idsIn(api, '/accounts?plate=abx-12')).sort()).toEqual([anna.id, bo.id].sort());
    expect(await idsIn(api, '/accounts?plate=XXX99')).toEqual([]);
    await api.db.write(async ({ q }) => void (await q.update(custodianTable).set({ dateTo: api.now() })));
    expect(await idsIn(api, '/accounts?plate=ABX12')).toEqual([]);
  });

  it.each([
    ['created', ['Ö', 'b', 'A', 'operator']],
    ['name', ['A', 'b', 'operator', 'Ö']],
    ['status', ['operator', 'A', 'Ö', 'b']],
  ])('by %s, over pages in both directions', async (order, names) => {
    for (const [name, status] of [
      ['A', 'active'],
      ['b', 'inactive'],
      ['Ö', 'active'],
    ]) {
      api.wait(1000);
      await api.made('/accounts', { account: account({ name, status }) });
    }
    const whole = await api.call('GET', `/accounts?order=${order}`);
    expect(whole.body['data']).toMatchObject(nameOf(names));
    await api.db.write(async ({ q }) => {
      const [like] = await q.select().from(accountTable).where(eq(accountTable.id, 'the-operator'));
      if (like === undefined) throw new Error('no operator');
      const many = Array.from({ length: 120 }, (_, n) => {
        const key = String(n % 40).padStart(3, '0');
        return {
          ...like,
          id: `many-${n}`,
          name: key,
          nameKey: key,
          status: n % 3 === 0 ? ('inactive' as const) : ('active' as const),
          createdAt: `2026-11-20T00:00:${String(n % 60).padStart(2, '0')}.000Z`,
        };
      });
      await q.insert(accountTable).values(many);
    });
    const pages: string[][] = [];
    let next: unknown = null;
    let previous: unknown = null;
    do {
      const path = `/accounts?order=${order}${next === null ? '' : `&next=${String(next)}`}`;
      const { body } = await api.call('GET', path);
      pages.push(await idsIn(api, path));
      ({ next, previous } = body);
    } while (next !== null);
    expect(pages.map((page) => page.length)).toEqual([50, 50, 24]);
    expect(new Set(pages.flat()).size).toBe(124);
    expect(await idsIn(api, `/accounts?order=${order}&next=${String(previous)}`)).toEqual(pages[1]);
  });

  it('with kiosks by their tokens, for operators', async () => {
    await api.call('POST', '/admin/create-role-bearer-token', { body: { name: 'Harbour', role: 'kiosk' } });
    await api.roleToken('webhook');
    const listed = await api.call('GET', '/accounts?role=kiosk&name=harb');
    expect(listed.body['data']).toMatchObject([{ role: 'kiosk', name: 'Harbour', status: 'active' }]);
    expect(await idsIn(api, '/accounts?role=kiosk&name=x')).toEqual([]);
    const token = await api.account('customer', { customerId: 'c1' });
    expect(await idsIn(api, '/accounts?role=kiosk', token)).toEqual([]);
  });

  it('for others: those of their own customer, without comments and others’ logins', async () => {
    const anna = await register(api, 'anna@example.is', { comment: 'secret' });
    const customerId = (anna['customer'] as Json)['id'];
    const bo = await register(api, 'bo@example.is', { customerId, comment: 'secret' }, null);
    await register(api, 'cal@example.is');
    const token = await logIn(api, 'anna@example.is');
    expect((await idsIn(api, '/accounts', token)).sort()).toEqual([anna.id, bo.id].sort());
    const listed = await api.call('GET', '/accounts?include=logins&include=customer', { token });
    expect(JSON.stringify(listed.body)).not.toContain('secret');
    const rows = z
      .array(z.looseObject({ id: z.string(), logins: z.unknown().optional() }))
      .parse(listed.body['data']);
    expect(rows.filter(({ logins }) => logins !== undefined).map(({ id }) => id)).toEqual([anna.id]);
  });

  it('for those without a customer: themselves', async () => {
    const anna = await register(api, 'anna@example.is', {}, null);
    await register(api, 'bo@example.is', {}, null);
    const token = await logIn(api, 'anna@example.is');
    expect(await idsIn(api, '/accounts', token)).toEqual([anna.id]);
    expect((await api.call('GET', `/accounts/${anna.id}`, { token })).status).toBe(200);
    expect((await api.call('GET', '/accounts/the-operator', { token })).status).toBe(404);
  });

  it.each(['order=tall', 'include=cars', 'role=king', 'ssn=1', 'next=x', 'collection=x', 'tall=1'])(
    'not by %s',
    async (query) => {
      expect((await api.call('GET', `/accounts?${query}`)).status).toBe(400);
    },
  );
});
