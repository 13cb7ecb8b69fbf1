import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await api.made('/products', {
    type: 'default',
    price: 500,
    vehicleCategory: 'light',
    productCode: 'day',
    name: { is: 'Dagur' },
  });
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';
const GUEST = { plate: 'ABX12', reason: 'Guest' };
const at = (ms: number) => new Date(Date.parse(api.now()) + ms).toISOString();

const holder = (options: AccountOptions = {}, role: 'customer' | 'partner' | 'whitelist' = 'customer') =>
  api.account(role, { customerId: 'c1', options });
const give = (token: string, more: Json = {}, path = PATH) =>
  api.call('POST', path, { token, body: { ...GUEST, ...more } });
const edit = (token: string, id: string, body: Json) => api.call('PUT', `${PATH}/${id}`, { token, body });
const importCsv = (token: string, body: string, query = '') =>
  api.call('POST', `${PATH}/import${query}`, { token, body, headers: { 'content-type': 'text/csv' } });

async function due(visitId: string): Promise<number> {
  const { body } = await api.call('GET', `/visit/${visitId}/price`);
  return z.looseObject({ due: z.looseObject({ amount: z.int() }) }).parse(body).due.amount;
}

describe('a permit of an account that has no limits of its own', () => {
  it.each(['customer', 'partner', 'whitelist'] as const)(
    'of a %s is for a day, from now on',
    async (role) => {
      const token = await holder({}, role);
      const made = await give(token, { activeFrom: at(-24 * HOUR_MS) });
      expect(made.body).toMatchObject({ activeFrom: api.now(), expireOn: at(24 * HOUR_MS), siteId: null });
      const messages = [`expireOn: your account gives 1440 minutes, until ${at(24 * HOUR_MS)}`];
      for (const expireOn of [null, at(24 * HOUR_MS + 1)]) {
        const long = await give(token, { plate: 'MKJ45', expireOn });
        expect([long.status, long.body['messages']]).toEqual([400, messages]);
      }
      const later = { plate: 'MKJ45', activeFrom: at(HOUR_MS), expireOn: at(25 * HOUR_MS) };
      expect((await give(token, later)).status).toBe(303);
    },
  );

  it('is one of ten at once, whatever the way', async () => {
    const token = await holder();
    for (let n = 0; n < 8; n++) await api.made(PATH, { ...GUEST, plate: `AB${n}` }, { token });
    const file = 'plate,reason\nCD1,Guest\nCD2,Guest\nCD3,Guest\n';
    const full = 'Your account may have 10 permits at once, and has them.';
    const report = { added: 2, refused: [{ line: 4, messages: [full] }] };
    expect((await importCsv(token, file, '?dryRun=true')).body).toMatchObject(report);
    expect((await importCsv(token, file)).body).toMatchObject(report);
    for (const path of [PATH, '/whitelist']) {
      expect((await give(token, {}, path)).body['messages']).toEqual([full]);
    }
    const own = await api.visit({ plate: 'MKJ45' });
    await api.giveVisit(own.id, 'c1');
    const visit = await api.call('POST', `/visit/${own.id}/whitelist`, { token, body: { reason: 'Guest' } });
    expect(visit.body['messages']).toEqual([full]);
    // One ends, and another takes its place; the first cannot come back beside it.
    const [first] = (await api.call('GET', PATH, { token })).body['data'] as { id: string }[];
    const id = first?.id ?? '';
    expect((await api.call('DELETE', `${PATH}/${id}`, { token })).status).toBe(204);
    expect((await give(token)).status).toBe(303);
    expect((await edit(token, id, { status: 'active' })).body['messages']).toEqual([full]);
    api.wait(24 * HOUR_MS);
    expect((await give(token, { plate: 'NEW01' })).status).toBe(303);
  });

  it('covers nothing of what is past, whichever way it comes', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    await api.giveVisit(visit.id, 'c1');
    const over = await api.visit({ plate: 'ABX12', endedAt: '2026-11-21T09:00:00.000Z' });
    const token = await holder({ maxPermits: 100 });
    const other = await api.made(PATH, { ...GUEST, plate: 'OTHER1' }, { token });
    const stale = await api.made(PATH, { ...GUEST, status: 'paused', reason: 'paused' }, { token });
    const ways: Record<string, () => Promise<{ status: number }>> = {
      post: () => give(token, { activeFrom: '2026-11-01T00:00:00Z' }),
      deprecated: () => give(token, { activeFrom: '2026-11-01T00:00:00Z' }, '/whitelist'),
      import: () => importCsv(token, 'plate,reason,activeFrom\nABX12,File,2026-11-01T00:00:00Z\n'),
      'another plate': () => edit(token, other.id, { plate: 'ABX12' }),
      'an earlier beginning': () => edit(token, other.id, { activeFrom: null }),
      resumed: () => edit(token, stale.id, { status: 'active' }),
      'a visit': () => api.call('POST', `/visit/${visit.id}/whitelist`, { token, body: { reason: 'x' } }),
    };
    for (const [way, take] of Object.entries(ways)) {
      api.wait(1000);
      expect([200, 303, 422], way).toContain((await take()).status);
      expect([await due(visit.id), await due(over.id)], way).toEqual([500, 500]);
    }
    const whole = { type: 'visit', visitId: visit.id };
    const refused = ['type: only operators cover the whole of a visit'];
    expect((await give(token, whole)).body['messages']).toEqual(refused);
    const body = { reason: 'x', type: 'visit' };
    const byVisit = await api.call('POST', `/visit/${visit.id}/whitelist`, { token, body });
    expect(byVisit.body['messages']).toEqual(refused);
    // An operator may.
    await api.made(PATH, { ...GUEST, ...whole });
    expect(await due(visit.id)).toBe(0);
  });

  it('that has run out begins again when it is made longer', async () => {
    const token = await holder();
    const { id } = await api.made(PATH, { ...GUEST, expireOn: at(HOUR_MS) }, { token });
    api.wait(3 * HOUR_MS);
    const visit = await api.visit({ plate: 'ABX12', startedAt: at(-HOUR_MS) });
    const longer = await edit(token, id, { expireOn: at(HOUR_MS) });
    expect(longer.body).toMatchObject({ activeFrom: api.now() });
    expect(await due(visit.id)).toBe(500);
  });

  it('may be given again by the same file, and is there once', async () => {
    const token = await holder();
    const file = `plate,reason,expireOn\nABX12,Guest,${at(HOUR_MS)}\n`;
    expect((await importCsv(token, file)).body).toMatchObject({ added: 1, unchanged: 0 });
    api.wait(60_000);
    expect((await importCsv(token, file, '?dryRun=true')).body).toMatchObject({ added: 0, unchanged: 1 });
    expect((await importCsv(token, file)).body).toMatchObject({ added: 0, unchanged: 1 });
  });
});

describe('what an operator allows an account', () => {
  it('may be time that is past: the first minutes of the visit', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    const short = await holder({ 'free-parking-time': 60 });
    await give(short);
    expect(await due(visit.id)).toBe(500);
    await give(await api.account('partner', { customerId: 'c2', options: { 'free-parking-time': 300 } }));
    expect(await due(visit.id)).toBe(0);
  });

  it('may be visits that begin later, and no others', async () => {
    const options = { permitAfterArrival: false, 'free-parking-time': 300, maxPermits: 3 };
    const token = await holder(options);
    const inside = await api.visit({ plate: 'ABX12' });
    expect((await give(token)).body).toMatchObject({ arrivalsOnly: true, parkedMinutes: 0 });
    api.wait(HOUR_MS);
    expect(await due(inside.id)).toBe(500);
    const later = await api.visit({ plate: 'ABX12', startedAt: at(-60_000) });
    expect(await due(later.id)).toBe(0);
    const none = await holder({ permitAfterArrival: false });
    await api.giveVisit(inside.id, 'c1');
    const refused = await api.call('POST', `/visit/${inside.id}/whitelist`, {
      token: none,
      body: { reason: 'Guest' },
    });
    expect(refused.body['messages']).toEqual(['Your account covers no visit that has begun.']);
  });

  it('names the sites; where it is one, that is meant', async () => {
    const airport = await api.addSite('Airport');
    const one = await holder({ permitSites: [airport.id] });
    expect((await give(one)).body).toMatchObject({ siteId: airport.id });
    const messages = [`siteId: your account gives permits at ${airport.id}`];
    for (const siteId of [null, api.site.id]) {
      expect((await give(one, { plate: 'MKJ45', siteId })).body['messages']).toEqual(messages);
    }
    const file = `plate,reason,siteId\nMKJ45,Guest,${api.site.id}\nMKJ46,Guest,\n`;
    expect((await importCsv(one, file)).body).toMatchObject({
      added: 0,
      refused: [{ messages }, { messages }],
    });
    const { id } = await api.made(PATH, { ...GUEST, plate: 'MKJ47' }, { token: one });
    expect((await edit(one, id, { siteId: null })).body['messages']).toEqual(messages);
    const here = await api.visit({ plate: 'MKJ48' });
    await api.giveVisit(here.id, 'c1');
    const covered = await api.call('POST', `/visit/${here.id}/whitelist`, {
      token: one,
      body: { reason: 'Guest' },
    });
    expect(covered.body['messages']).toEqual(messages);
    expect((await give(await holder({ permitSites: [] }))).body['messages']).toEqual([
      'siteId: your account gives permits at no site',
    ]);
  });

  it('may be permits without end, or none', async () => {
    const staff = await holder({ permitWithoutEnd: true });
    expect((await give(staff, { expireOn: null })).body).toMatchObject({ expireOn: null });
    const none = await holder({ maxPermits: 0 });
    expect((await give(none)).status).toBe(400);
  });

  it('is not passed by what an operator gave in its name', async () => {
    const token = await api.account('customer', { customerId: 'c1', id: 'anna' });
    const { id } = await api.made(PATH, { ...GUEST, authorId: 'anna' });
    expect((await edit(token, id, { reason: 'Staff' })).body).toMatchObject({
      reason: 'Staff',
      expireOn: null,
    });
    expect((await edit(token, id, { expireOn: at(9000 * HOUR_MS) })).status).toBe(303);
    expect((await edit(token, id, { plate: 'MKJ45' })).status).toBe(400);
    await api.call('DELETE', `${PATH}/${id}`);
    expect((await edit(token, id, { status: 'active' })).status).toBe(400);
  });

  it('holds for a token of the role whitelist as well', async () => {
    const make = (body: Json) => api.call('POST', '/admin/create-role-bearer-token', { body });
    const options = { expireTime: 60, permitSites: [api.site.id] };
    const made = await make({ name: 'Hotel', role: 'whitelist', options });
    const token = String(made.body['access_token']);
    expect((await give(token)).body).toMatchObject({ siteId: api.site.id, expireOn: at(HOUR_MS) });
    expect((await make({ name: 'Kiosk', role: 'kiosk', options })).status).toBe(400);
    const nowhere = await make({ name: 'Hotel', role: 'whitelist', options: { permitSites: ['nowhere'] } });
    expect(nowhere.body['messages']).toEqual(['options.permitSites: there is no site nowhere']);
    const usual = await api.roleToken('whitelist');
    expect((await give(usual, { plate: 'MKJ45' })).body).toMatchObject({ expireOn: at(24 * HOUR_MS) });
  });
});
