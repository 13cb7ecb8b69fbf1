import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { startTestRegistry, type TestRegistry } from '../../../test/registry.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { HttpRegistry } from '../../platform/vehicle-registry/http-registry.ts';
import { vehicleRefreshJob } from './ask-registry.ts';
import { lookUpVehicle, renewVehicle } from './vehicle-lookup.ts';

let peer: TestRegistry;
let api: TestApi;
beforeEach(async () => {
  peer = await startTestRegistry();
  api = await createTestApi({ vehicleRegistry: peer.registry });
});
afterEach(async () => {
  await api.close();
  await peer.stop();
});

const get = (plate: string) => api.call('GET', `/vehicle/${encodeURIComponent(plate)}`);
const refresh = async () =>
  await vehicleRefreshJob(api.context).work({ now: api.now(), signal: new AbortController().signal });
const item = async (plate: string) =>
  (await api.changes()).filter((one) => one.kind === 'vehicle' && one.id === plate).at(-1);
const messages = ({ body }: { body: Record<string, unknown> }) => body['messages'];

it('a vehicle is taken into custody once the register has said whose it is', async () => {
  const customer = { language: 'is', ssn: '1201603389' };
  const { id: customerId } = await api.made('/customers', { customer });
  const token = await api.account('customer', { customerId });
  const take = (plate: string) => api.call('POST', '/custodians', { token, body: { plate } });
  const owner = (persidno: string) => ({ owners: [{ current: true, persidno, fullname: 'x' }] });
  peer.has('TRX77', owner('5305750209'));
  peer.has('ABX12', owner('1201603389'));
  expect((await take('TRX77')).status).toBe(400);
  expect([(await take('ABX12')).status, (await take('NONE1')).status]).toEqual([303, 303]);
  await peer.stop();
  const refused = await take('MKJ45');
  expect(messages(refused)).toEqual(['plate: The register of vehicles does not answer now.']);
});

describe('a vehicle that is looked up', () => {
  it('is asked of the register once a day, by plate in any spelling, and known by its id from then on', async () => {
    peer.has('TRX77', { massladen: 18_000 });
    const found = await get('tr-x 77');
    expect([found.status, found.body]).toMatchObject([
      200,
      {
        regno: 'TRX77',
        make: 'SKODA',
        massladen: 18_000,
        category: 'heavy',
        source: peer.registry.source,
        syncedStatus: 'fresh',
        syncedOn: api.now(),
      },
    ]);
    api.wait(DAY_MS - 1);
    await get('TRX77');
    expect((await get(String(found.body['id']))).body['id']).toBe(found.body['id']);
    expect(peer.asked).toEqual(['/plate/TRX77']);
  });

  it('is given as it was when that is old, and asked for behind', async () => {
    peer.has('ABX12', { color: 'Red' });
    await get('ABX12');
    api.wait(DAY_MS);
    peer.has('ABX12', { color: 'Blue' });
    expect((await get('ABX12')).body).toMatchObject({ color: 'Red', syncedStatus: 'stale' });
    await vi.waitFor(async () => {
      expect((await get('ABX12')).body).toMatchObject({ color: 'Blue', syncedStatus: 'fresh' });
    });
    expect(peer.asked).toHaveLength(2);
  });

  it('is asked for once, however many ask at once', async () => {
    peer.has('ABX12');
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('ABX12')));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(peer.asked).toEqual(['/plate/ABX12']);
  });

  it('is asked for by its fixed id too, and found on the plate that it has now', async () => {
    peer.has('EINAR1', { permno: 'KZ345' });
    expect((await get('kz 345')).body).toMatchObject({ regno: 'EINAR1', permno: 'KZ345' });
    expect(peer.asked).toEqual(['/plate/KZ345', '/id/KZ345']);
    await get('KZ345');
    expect(peer.asked).toHaveLength(2);
  });

  it('and is nowhere is not asked for again for an hour', async () => {
    expect((await get('NONE1')).status).toBe(404);
    await get('NONE1');
    expect(peer.asked).toEqual(['/plate/NONE1', '/id/NONE1']);
    api.wait(HOUR_MS);
    peer.has('NONE1');
    expect((await get('NONE1')).status).toBe(200);
  });

  it('is not asked for by others than operators', async () => {
    peer.has('ABX12');
    const token = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/vehicle/ABX12', { token })).status).toBe(404);
    expect(peer.asked).toEqual([]);
  });

  it.each(['---', '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11'])('as %s is nowhere', async (text) => {
    expect((await get(text)).status).toBe(404);
    expect(peer.asked).toEqual([]);
  });
});

describe('a register that is down', () => {
  it('leaves what is known, as stale; of the rest it says so', async () => {
    peer.has('ABX12');
    await get('ABX12');
    peer.fails();
    api.wait(DAY_MS);
    expect((await get('ABX12')).body).toMatchObject({ make: 'SKODA', syncedStatus: 'stale' });
    const unknown = await get('MKJ45');
    expect([unknown.status, messages(unknown)]).toEqual([
      404,
      ['There is no such vehicle here, and the register of vehicles does not answer now.'],
    ]);
    await api.made('/custodians', {
      plate: 'MKJ45',
      customerId: (await api.made('/customers', { customer: { language: 'is' } })).id,
    });
    expect((await get('MKJ45')).body).toMatchObject({ make: null, syncedStatus: 'stale', syncedOn: null });
  });

  it('is left in peace after five failures: for 30 s, then longer each time, up to ten minutes', async () => {
    peer.fails();
    const asks = async () => {
      const before = peer.asked.length;
      await get('ABX12');
      return peer.asked.length > before;
    };
    for (let n = 0; n < 5; n++) expect(await asks()).toBe(true);
    const rests = [30, 60, 120, 240, 480, 600, 600];
    for (const seconds of rests) {
      api.wait(seconds * 1000 - 1);
      expect(await asks(), `after almost ${seconds} s`).toBe(false);
      api.wait(1);
      expect(await asks(), `after ${seconds} s`).toBe(true);
    }
    peer.answers(null);
    peer.has('ABX12');
    expect((await get('ABX12')).status).toBe(404);
    api.wait(10 * MINUTE_MS);
    expect((await get('ABX12')).status).toBe(200);
    peer.fails();
    for (let n = 0; n < 4; n++) await get(`NEW${n}`);
    expect(await asks()).toBe(false);
    expect((await get('NEW9')).status).toBe(404);
    expect(peer.asked.at(-1)).toBe('/plate/NEW9');
  });

  it('is tried by one at a time once it has rested', async () => {
    peer.fails();
    for (let n = 0; n < 5; n++) await get('ABX12');
    api.wait(30_000);
    const before = peer.asked.length;
    await Promise.all(Array.from({ length: 10 }, (_, n) => get(`NEW${n}`)));
    expect(peer.asked).toHaveLength(before + 1);
  });
});

describe('another process', () => {
  it('goes by what this one has found out', async () => {
    const another = { ...api.context, vehicleRegistry: new HttpRegistry(peer.addresses) };
    peer.has('ABX12');
    expect(await lookUpVehicle(another, 'ABX12')).toMatchObject({ found: 'vehicle' });
    expect(await lookUpVehicle(another, 'NONE1')).toEqual({ found: 'nothing' });
    const asked = peer.asked.length;
    await get('ABX12');
    await get('NONE1');
    expect(peer.asked).toHaveLength(asked);
    peer.fails();
    for (let n = 0; n < 5; n++) await lookUpVehicle(n % 2 === 0 ? another : api.context, `NEW${n}`);
    await get('NEW8');
    expect(await lookUpVehicle(another, 'NEW9')).toEqual({ found: 'no-answer' });
    expect(peer.asked).toHaveLength(asked + 5);
  });
});

describe('plates of visits in hand', () => {
  it('are looked up, and heavy ones sent to sites and applied to their visits', async () => {
    peer.has('TRX77', { massladen: 18_000 });
    peer.has('ABX12', { massladen: 3500 });
    const visits = [
      await api.visit({ plate: 'TRX77' }),
      await api.visit({ plate: 'ABX12' }),
      await api.visit({ plate: 'FOREIGN1' }),
      await api.visit({ plate: null, status: 'need-plate' }),
      await api.visit({ plate: 'GONE1', endedAt: api.now(), status: 'completed' }),
    ];
    expect(visits).toHaveLength(5);
    await refresh();
    expect([...peer.asked].sort()).toEqual(['/plate/ABX12', '/plate/FOREIGN1', '/plate/TRX77']);
    expect(await item('TRX77')).toMatchObject({ item: { category: 'heavy', custody: [] } });
    expect(await item('ABX12')).toBeUndefined();
    const heavy = (await api.call('GET', '/vehicles?collection=heavy')).body['data'];
    expect(heavy).toMatchObject([{ regno: 'TRX77' }]);
    await refresh();
    expect(peer.asked).toHaveLength(3);
    api.wait(HOUR_MS);
    await refresh();
    expect(peer.asked.at(-1)).toBe('/plate/FOREIGN1');
  });

  it('are not asked for while the register is down', async () => {
    peer.fails();
    for (let n = 0; n < 9; n++) await api.visit({ plate: `CAR${n}` });
    await refresh();
    expect(peer.asked).toHaveLength(1);
  });
});

describe('a plate that has gone to another vehicle', () => {
  it('takes no custody with it; the vehicle that had it is found on its new one', async () => {
    const { id: customerId } = await api.made('/customers', { customer: { language: 'is' } });
    peer.has('EINAR1', { permno: 'OLD01' });
    const before = (await get('EINAR1')).body;
    await api.made('/custodians', { plate: 'EINAR1', customerId });
    expect(await item('EINAR1')).toMatchObject({ op: 'put' });
    peer.has('KZ345', { permno: 'OLD01' });
    peer.has('EINAR1', { permno: 'NEW01' });
    await renew('EINAR1');
    expect((await get('EINAR1')).body).toMatchObject({ permno: 'NEW01' });
    expect(await item('EINAR1')).toMatchObject({ op: 'remove' });
    await refresh();
    expect((await get('KZ345')).body).toMatchObject({ id: before['id'], permno: 'OLD01' });
    expect(await item('KZ345')).toMatchObject({ op: 'put', item: { custody: [{ customerId }] } });
  });

  it('takes along the custody that was given by that plate before it was known whose it is', async () => {
    const { id: customerId } = await api.made('/customers', { customer: { language: 'is' } });
    peer.has('KZ345', { permno: 'OLD01' });
    const vehicle = (await get('KZ345')).body;
    const custody = await api.made('/custodians', { plate: 'EINAR1', customerId });
    peer.has('EINAR1', { permno: 'OLD01' });
    await renew('EINAR1');
    expect((await get('EINAR1')).body['id']).toBe(vehicle['id']);
    expect((await api.call('GET', `/custodians/${custody.id}`)).body['vehicleId']).toBe(vehicle['id']);
    expect(await item('EINAR1')).toMatchObject({ op: 'put', item: { custody: [{ customerId }] } });
  });

  async function renew(plate: string) {
    const renewed = await renewVehicle(api.db, api.context, plate, cloudActor('test', api.now()));
    expect(renewed).toMatchObject({ ok: true });
  }
});

describe('renewing', () => {
  const renew = (plate: string, context = api.context) =>
    renewVehicle(api.db, context, plate, cloudActor('test', api.now()));

  it('asks however lately the register has answered, and is audited', async () => {
    peer.has('ABX12', { color: 'Red' });
    await get('ABX12');
    peer.has('ABX12', { color: 'Blue' });
    expect(await renew('ab-x 12')).toMatchObject({ ok: true, vehicle: { color: 'Blue' } });
    expect((await api.audited()).find(({ action }) => action === 'vehicle.renew')).toMatchObject({
      before: { color: 'Red' },
      after: { color: 'Blue' },
    });
  });

  it('says why it cannot', async () => {
    expect(await renew('NONE1')).toMatchObject({
      mistakes: [{ code: 'not-in-registry' }],
    });
    peer.fails();
    expect(await renew('ABX12')).toMatchObject({
      mistakes: [{ code: 'registry-silent' }],
    });
    const without = { ...api.context, vehicleRegistry: null };
    expect(await renew('ABX12', without)).toMatchObject({
      mistakes: [{ code: 'no-registry' }],
    });
  });
});
