import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../../test/api.ts';
import { customerOfPlate } from '../../../records/vehicles/customer-of-plate.ts';

let api: TestApi;
let own: string;
let other: string;
let token: string;
beforeEach(async () => {
  api = await createTestApi();
  own = (await customer({ name: 'Own', ssn: '1201603389', options: { billingMethod: 'monthly' } })).id;
  other = (await customer({ name: 'Other' })).id;
  token = await api.account('customer', { customerId: own, id: 'own-account' });
});
afterEach(() => api.close());

const customer = (fields: object) => api.made('/customers', { customer: { language: 'is', ...fields } });
const give = (fields: Json) => api.made('/custodians', { plate: 'ab-x 12', customerId: own, ...fields });
const post = (body: Json, by?: string) => api.call('POST', '/custodians', { body, ...(by && { token: by }) });
const hours = (n: number) => utcTime(Date.parse(api.now()) + n * HOUR_MS);
const list = async (query: string, by?: string) => {
  const { body } = await api.call('GET', `/custodians${query}`, { ...(by && { token: by }) });
  return (body['data'] as Json[]).map(({ id }) => id);
};
const item = async (plate = 'ABX12') => {
  const changes = (await api.changes()).filter((one) => one.kind === 'vehicle' && one.id === plate);
  return changes.at(-1);
};
const holder = (plate: string, at: string) => api.db.read((q) => customerOfPlate(q, plate, at));

describe('a vehicle in custody', () => {
  it('is made from its plate; sites and audit log know', async () => {
    const made = await give({ dateTo: hours(24) });
    expect(made).toMatchObject({
      customerId: own,
      accountId: null,
      dateFrom: api.now(),
      dateTo: hours(24),
      status: 'active',
      createdOn: api.now(),
      modifiedOn: api.now(),
    });
    expect(await item()).toEqual({
      kind: 'vehicle',
      op: 'put',
      id: 'ABX12',
      item: {
        plate: 'ABX12',
        category: 'light',
        custody: [{ customerId: own, billing: 'monthly', from: api.now(), until: hours(24) }],
      },
    });
    const audited = (await api.audited()).find(({ action }) => action === 'custodian.create');
    expect(audited).toMatchObject({ subject: 'custodian', subjectId: made.id, before: null });
    expect((await api.call('GET', '/vehicle/ABX12')).body).toMatchObject({ id: made['vehicleId'] });
  });

  it('may be named by its id, and given to a person', async () => {
    const first = await give({});
    await api.call('DELETE', `/custodians/${first.id}`);
    const made = await api.made('/custodians', {
      vehicleId: first['vehicleId'],
      accountId: 'own-account',
      dateFrom: hours(1),
    });
    expect(made).toMatchObject({ vehicleId: first['vehicleId'], customerId: own, accountId: 'own-account' });
  });

  it('is its customer’s from the beginning to before the end', async () => {
    const from = api.now();
    await give({ dateTo: hours(2) });
    expect(await holder('ABX12', utcTime(Date.parse(from) - 1))).toBeNull();
    expect(await holder('ABX12', from)).toBe(own);
    expect(await holder('ABX12', utcTime(Date.parse(hours(2)) - 1))).toBe(own);
    expect(await holder('ABX12', hours(2))).toBeNull();
    expect(await holder('ABX13', from)).toBeNull();
  });

  it('is sent again to sites when the billing of its customer changes', async () => {
    await give({});
    await api.call('PUT', `/customer/${own}`, { body: { options: { billingMethod: null } } });
    expect(await item()).toMatchObject({ item: { custody: [{ billing: null }] } });
    const count = (await api.changes()).length;
    await api.call('PUT', `/customer/${own}`, { body: { phone: '5550100' } });
    expect(await api.changes()).toHaveLength(count);
  });

  it('is released: archived, ended, and taken from the sites', async () => {
    const { id } = await give({});
    api.wait(HOUR_MS);
    expect((await api.call('DELETE', `/custodians/${id}`)).status).toBe(204);
    const released = await api.call('GET', `/custodians/${id}`);
    expect(released.body).toMatchObject({ status: 'archived', dateTo: api.now(), modifiedOn: api.now() });
    expect(await item()).toEqual({ kind: 'vehicle', op: 'remove', id: 'ABX12' });
    expect((await api.audited())[0]).toMatchObject({ action: 'custodian.release' });
    api.wait(HOUR_MS);
    expect((await api.call('DELETE', `/custodians/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/custodians/${id}`)).body).toEqual(released.body);
  });

  it('that is released before its time was never anybody’s', async () => {
    const from = hours(5);
    const { id } = await give({ dateFrom: from });
    await api.call('DELETE', `/custodians/${id}`);
    expect(await holder('ABX12', from)).toBeNull();
    await give({ customerId: other });
  });
});

describe('two at a time', () => {
  it('are refused, with the id of the other', async () => {
    const { id } = await give({ dateTo: hours(10) });
    const again = await post({ plate: 'ABX12', customerId: other, dateFrom: hours(9) });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    await give({ customerId: other, dateFrom: hours(10) });
    expect(await item()).toMatchObject({ item: { custody: [{ customerId: own }, { customerId: other }] } });
    const between = await post({ plate: 'ABX12', customerId: own, dateFrom: hours(9), dateTo: hours(11) });
    expect(between.status).toBe(422);
  });

  it('are one after another where the one before is released', async () => {
    const { id } = await give({});
    api.wait(HOUR_MS);
    const next = await give({ customerId: other, autoRelease: true });
    expect((await api.call('GET', `/custodians/${id}`)).body).toMatchObject({
      status: 'archived',
      dateTo: next['dateFrom'],
    });
    const same = await post({ plate: 'ABX12', customerId: other, autoRelease: true });
    expect([same.status, same.body['id']]).toEqual([422, next.id]);
  });

  it('are one after the other on a day to come: until then it goes on', async () => {
    const { id } = await give({});
    await give({ customerId: other, dateFrom: hours(5), autoRelease: true });
    expect((await api.call('GET', `/custodians/${id}`)).body).toMatchObject({
      status: 'active',
      dateTo: hours(5),
    });
    expect([await holder('ABX12', hours(4)), await holder('ABX12', hours(5))]).toEqual([own, other]);
  });

  it('are visible to operators only', async () => {
    await give({ customerId: other });
    const taken = await post({ plate: 'ABX12' }, token);
    expect([taken.status, taken.body['messages']]).toEqual([
      400,
      ['plate: the vehicle is in somebody else’s custody then'],
    ]);
    const mine = await api.made('/custodians', { plate: 'MKJ45' }, { token });
    const again = await post({ plate: 'MKJ45' }, token);
    expect([again.status, again.body['id']]).toEqual([422, mine.id]);
  });

  it('never come about, however many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post({ plate: 'ABX12', customerId: n % 2 === 0 ? own : other })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(11).fill(422)]);
  });
});

describe('others than operators', () => {
  it('take vehicles into their own custody, from now on', async () => {
    const made = await api.made('/custodians', { plate: 'MKJ45' }, { token });
    expect(made).toMatchObject({ customerId: own, accountId: null });
    const refused = await post(
      { plate: 'ABX12', customerId: other, accountId: 'x', autoRelease: true, dateFrom: hours(-1) },
      token,
    );
    expect([refused.status, refused.body['messages']]).toEqual([
      400,
      [
        'customerId: only operators may set it',
        'accountId: only operators may set it',
        'autoRelease: only operators may set it',
        'dateFrom: only operators may set one that is past',
      ],
    ]);
    const loose = await api.account('customer');
    expect((await post({ plate: 'ABX12' }, loose)).body['messages']).toEqual([
      'Your account belongs to no customer.',
    ]);
  });

  it('see and release their own only', async () => {
    const [mine, theirs] = [await give({}), await give({ plate: 'MKJ45', customerId: other })];
    expect(await list('', token)).toEqual([mine.id]);
    expect(await list(`?customer=${other}`, token)).toEqual([]);
    expect(await list('', await api.account('partner'))).toEqual([]);
    expect((await api.call('GET', `/custodians/${mine.id}`, { token })).status).toBe(200);
    expect((await api.call('GET', `/custodians/${theirs.id}`, { token })).status).toBe(404);
    expect((await api.call('DELETE', `/custodians/${theirs.id}`, { token })).status).toBe(404);
    expect((await api.call('DELETE', `/custodians/${mine.id}`, { token })).status).toBe(204);
    const named = await post({ vehicleId: theirs['vehicleId'] }, token);
    expect([named.status, named.body['messages']]).toEqual([400, ['vehicleId: there is no such vehicle']]);
  });

  it('take no vehicle that is registered to another person; an operator gives it to them', async () => {
    const override = (values: Json) => api.call('POST', '/vehicle/ABX12/override', { body: { values } });
    await override({ owner: { ssn: '1201603379', name: 'Somebody' } });
    const messages = ['plate: the vehicle is registered to somebody else; an operator can give it to you'];
    const taken = await post({ plate: 'ABX12' }, token);
    expect([taken.status, taken.body['messages']]).toEqual([400, messages]);
    const given = await give({});
    api.wait(HOUR_MS);
    await api.call('DELETE', `/custodians/${given.id}`);
    expect((await post({ vehicleId: given['vehicleId'] }, token)).body['messages']).toEqual(messages);
    await override({ owner: null, operator: { ssn: null, name: 'A bank' } });
    expect((await post({ plate: 'ABX12' }, token)).status).toBe(400);
    await override({ owner: { ssn: '1201603379', name: 'A bank' }, operator: { ssn: '1201603389' } });
    expect((await post({ plate: 'ABX12' }, token)).status).toBe(303);
  });

  it('do not learn from a vehicle whose it is', async () => {
    await api.call('POST', '/vehicle/ABX12/override', {
      body: { values: { owner: { ssn: '1201603379', name: 'Somebody' }, operator: { ssn: '1201603389' } } },
    });
    const { id } = await api.made('/custodians', { plate: 'ABX12' }, { token });
    const path = `/custodians/${id}?include=vehicle`;
    const seen = { owner: null, operator: { ssn: '1201603389' } };
    expect((await api.call('GET', path, { token })).body['vehicle']).toMatchObject(seen);
    expect((await api.call('GET', '/vehicle/ABX12', { token })).body).toMatchObject(seen);
    expect((await api.call('GET', '/vehicles', { token })).body['data']).toMatchObject([seen]);
    expect((await api.call('GET', path)).body['vehicle']).toMatchObject({ owner: { name: 'Somebody' } });
  });
});

it.each([
  ['nothing', {}, ['customerId: say whose custody it is', 'plate: give the plate, or else the vehicleId']],
  [
    'nothing that is there',
    { vehicleId: 'x', customerId: 'x', accountId: 'x' },
    [
      'accountId: there is no such account',
      'customerId: there is no such customer',
      'vehicleId: there is no such vehicle',
    ],
  ],
  [
    'an end before the beginning',
    { plate: 'A1', accountId: 'own-account', dateTo: '2020-01-01T00:00:00Z' },
    ['dateTo: the end is after the beginning'],
  ],
  [
    'an account without a customer',
    { plate: 'A1', accountId: 'the-operator' },
    ['customerId: say whose custody it is'],
  ],
])('custody of %s is refused', async (_what, body, expected) => {
  const refused = await post(body);
  expect([refused.status, refused.body['messages']]).toEqual([400, expected]);
  expect((await api.call('GET', '/vehicles')).body['total']).toBe(0);
});

it('an account goes with its own customer only; unknown keys are refused', async () => {
  const both = await post({ plate: 'A1', accountId: 'own-account', customerId: other });
  expect(both.body['messages']).toEqual(['accountId: the account belongs to another customer, or to none']);
  expect((await post({ plate: 'A1', customerId: own, colour: 'red', dateFrom: 'soon' })).status).toBe(400);
});

it('custody is listed by all that it is about', async () => {
  const first = await give({ dateTo: hours(48) });
  api.wait(1);
  const second = await give({ plate: 'MKJ45', customerId: other });
  api.wait(1);
  const third = await give({ plate: 'ÞÓR1', accountId: 'own-account', dateFrom: hours(24 * 9) });
  expect(await list('')).toEqual([third.id, second.id, first.id]);
  expect(await list('?plate=ab-x12')).toEqual([first.id]);
  expect(await list(`?vehicle=${second['vehicleId']}`)).toEqual([second.id]);
  expect(await list(`?customer=${own}`)).toEqual([third.id, first.id]);
  expect(await list('?name=oT')).toEqual([second.id]);
  expect(await list('?ssn=120160-3389')).toEqual([third.id, first.id]);
  expect(await list('?account=own-account')).toEqual([third.id]);
  expect(await list('?date.to=2026-11-21')).toEqual([second.id, first.id]);
  expect(await list('?date.from=2026-11-24')).toEqual([third.id, second.id]);
  expect(await list(`?date.from=${hours(24)}&date.to=${hours(25)}`)).toEqual([second.id, first.id]);
  expect((await api.call('GET', '/custodians?date.from=soon')).status).toBe(400);
  expect((await api.call('GET', '/custodians?include=wheels')).status).toBe(400);
  const all = await api.call('GET', `/custodians/${third.id}?include=vehicle,customer,account`);
  expect(all.body).toMatchObject({
    vehicle: { regno: 'ÞÓR1' },
    customer: { id: own, name: 'Own' },
    account: { id: 'own-account' },
  });
  const bare = await api.call('GET', `/custodians?include=account&plate=MKJ45`);
  expect(bare.body['data']).toMatchObject([{ account: null }]);
  expect((await api.call('GET', '/custodians/none')).status).toBe(404);
  expect((await api.call('DELETE', '/custodians/none')).status).toBe(404);
});
