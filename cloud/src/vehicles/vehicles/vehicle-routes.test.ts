import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { categoryOfPlate } from '../../records/vehicles/priced-vehicle.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const override = (plate: string, values: Json) =>
  api.call('POST', `/vehicle/${encodeURIComponent(plate)}/override`, { body: { values } });
const category = (plate: string) => api.db.read((q) => categoryOfPlate(q, plate));
const item = async (plate: string) =>
  (await api.changes()).filter((one) => one.kind === 'vehicle' && one.id === plate).at(-1);
const regnos = async (query: string, token = api.operator) => {
  const { body } = await api.call('GET', `/vehicles${query}`, { token });
  return (body['data'] as { regno: string | null }[]).map(({ regno }) => regno);
};

describe('an override', () => {
  it('wins, also where no register knows the vehicle', async () => {
    const set = await override('tr-x 77', { massladen: 7500, color: 'Red' });
    expect([set.status, set.location, set.body]).toEqual([
      303,
      '/vehicle/TRX77/override',
      {
        plate: 'TRX77',
        createdOn: api.now(),
        modifiedOn: api.now(),
        values: { massladen: { value: 7500, original: null }, color: { value: 'Red', original: null } },
        actions: ['correct'],
      },
    ]);
    expect((await api.call('GET', '/vehicle/TRX77/override')).body).toEqual(set.body);
    expect((await api.call('GET', '/vehicle/TRX77')).body).toMatchObject({
      regno: 'TRX77',
      massladen: 7500,
      color: 'Red',
      category: 'heavy',
      source: null,
      syncedStatus: 'stale',
      syncedOn: null,
    });
    expect(await category('TRX77')).toBe('heavy');
    expect((await api.audited()).find(({ action }) => action === 'vehicle.override')).toMatchObject({
      before: null,
      after: { massladen: 7500, color: 'Red' },
    });
  });

  it('of the category goes before the weight; visits in hand and sites hear of it', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    const onVisit = async () => {
      const [row] = await api.db.read((q) =>
        Promise.resolve(q.select().from(visitTable).where(eq(visitTable.id, visit.id))),
      );
      return row?.vehicleCategory;
    };
    await override('ABX12', { massladen: 2000, category: 'heavy' });
    expect(await item('ABX12')).toMatchObject({ op: 'put', item: { category: 'heavy' } });
    expect([await category('ABX12'), await onVisit()]).toEqual(['heavy', 'heavy']);
    await override('ABX12', { category: null });
    expect(await item('ABX12')).toEqual({ kind: 'vehicle', op: 'remove', id: 'ABX12' });
    expect([await category('ABX12'), await onVisit()]).toEqual(['light', 'light']);
  });

  it.each([
    [3500, 'light'],
    [3501, 'heavy'],
  ])('of %i kg makes it %s', async (massladen, expected) => {
    await override('ABX12', { massladen });
    expect(await category('ABX12')).toBe(expected);
  });

  it('comes off by null, field by field', async () => {
    await override('ABX12', { color: 'Red', seats: 5, owner: { name: 'Anna' } });
    const some = await override('ABX12', { color: null });
    expect(some.body['values']).toEqual({
      seats: { value: 5, original: null },
      owner: { value: expect.objectContaining({ name: 'Anna', ssn: null }), original: null },
    });
    const none = await override('ABX12', { seats: null, owner: null });
    expect(none.body).toMatchObject({ plate: 'ABX12', createdOn: null, modifiedOn: null });
    expect(none.body['values']).toEqual({});
    expect(await regnos('?overridden=true')).toEqual([]);
  });

  it('of a plate with Icelandic letters has an address that can be followed', async () => {
    const set = await override('þór 1', { color: 'Green' });
    expect(set.location).toBe(`/vehicle/${encodeURIComponent('ÞÓR1')}/override`);
    expect((await api.call('GET', set.location ?? '')).status).toBe(200);
  });

  it.each([
    ['nothing', {}, ['values:']],
    [
      'what is not so',
      {
        values: {
          seats: -1,
          massladen: 'much',
          category: 'huge',
          country: 'Iceland',
          registeredOn: 'soon',
          owner: { ssn: '12', x: 1 },
          regno: 'A1',
        },
        colour: 'red',
      },
      [
        'values.seats:',
        'values.massladen:',
        'values.category:',
        'values.country:',
        'values.registeredOn:',
        'values.owner.ssn:',
        'values.owner:',
        'values:',
        '',
      ],
    ],
  ])('of %s is refused', async (_what, body, places) => {
    const refused = await api.call('POST', '/vehicle/ABX12/override', { body });
    expect(refused.status).toBe(400);
    const messages = refused.body['messages'] as string[];
    expect(messages).toHaveLength(places.length);
    for (const place of places) expect(messages).toContainEqual(expect.stringContaining(place));
    expect((await api.call('GET', '/vehicle/ABX12')).status).toBe(404);
  });

  it('of what is no plate, or not there, is 404; and none is for others than operators', async () => {
    expect((await override('---', { seats: 1 })).status).toBe(404);
    expect((await override('0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', { seats: 1 })).status).toBe(404);
    expect((await api.call('GET', '/vehicle/NONE1/override')).status).toBe(404);
    const token = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/vehicle/NONE1/override', { token })).status).toBe(403);
  });
});

describe('vehicles', () => {
  it('are listed newest first, by plate, and by what is special about them', async () => {
    const { id: customerId } = await api.made('/customers', { customer: { language: 'is' } });
    await api.made('/custodians', { plate: 'ABX12', customerId });
    api.wait(1);
    await override('TRX77', { massladen: 7500 });
    api.wait(1);
    await api.made('/custodians', { plate: 'A8X12', customerId, dateFrom: '2027-01-01T00:00:00Z' });
    expect(await regnos('')).toEqual(['A8X12', 'TRX77', 'ABX12']);
    expect(await regnos('?collection=latest')).toHaveLength(3);
    expect(await regnos('?plate=ab-x12')).toEqual(['ABX12', 'A8X12']);
    expect(await regnos('?overridden=true')).toEqual(['TRX77']);
    expect(await regnos('?overridden=false')).toEqual(['A8X12', 'ABX12']);
    expect(await regnos('?collection=heavy')).toEqual(['TRX77']);
    expect(await regnos('?collection=custody')).toEqual(['ABX12']);
    for (const query of ['?collection=odd', '?overridden=yes', '?plate=-', '?next=x', '?colour=red']) {
      expect((await api.call('GET', `/vehicles${query}`)).status, query).toBe(400);
    }
  });

  it('are visible to their present custodian only', async () => {
    const { id: customerId } = await api.made('/customers', { customer: { language: 'is' } });
    const own = await api.made('/custodians', { plate: 'ABX12', customerId });
    await api.made('/custodians', { plate: 'MKJ45', customerId, dateFrom: '2027-01-01T00:00:00Z' });
    await override('TRX77', { massladen: 7500 });
    const token = await api.account('partner', { customerId });
    const status = async (plate: string) => (await api.call('GET', `/vehicle/${plate}`, { token })).status;
    expect(await regnos('', token)).toEqual(['ABX12']);
    expect([await status('ABX12'), await status(String(own['vehicleId']))]).toEqual([200, 200]);
    expect([await status('MKJ45'), await status('TRX77'), await status('NONE1')]).toEqual([404, 404, 404]);
    await api.call('DELETE', `/custodians/${own.id}`);
    expect([await regnos('', token), await status('ABX12')]).toEqual([[], 404]);
    expect(await regnos('', await api.account('partner'))).toEqual([]);
  });

  it('come in pages', async () => {
    for (let n = 0; n < 51; n++) await override(`CAR${n}`, { seats: 5 });
    const first = await api.call('GET', '/vehicles?overridden=true');
    const second = await api.call('GET', `/vehicles?overridden=true&next=${first.body['next']}`);
    expect([(first.body['data'] as Json[]).length, (second.body['data'] as Json[]).length]).toEqual([50, 1]);
  });
});
