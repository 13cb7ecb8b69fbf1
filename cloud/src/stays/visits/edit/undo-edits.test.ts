import { VisitEditItemSchema } from '@hlid/protocol/site-link/site-change';
import { expect, it } from 'vitest';
import { LIGHT, useVisitEdits } from '../../../../test/visit-edits.ts';

const edits = useVisitEdits();
const BEGUN = '2026-11-21T08:00:00.000Z';
const TEN = '2026-11-21T10:00:00.000Z';

/** The fields of a visit, as people see them, that an undone command leaves as they were. */
async function stateOf(id: string) {
  const { body } = await edits.api.call('GET', `/visit/${id}`);
  const { plate, status, paymentStatus, startedOn, endedOn, flags, due } = body;
  return { plate, status, paymentStatus, startedOn, endedOn, flags, due };
}

async function done(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await edits.api.call(method, path, body === undefined ? {} : { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400);
  return answer.body;
}

async function inside() {
  await edits.api.made('/products', LIGHT);
  return (await edits.api.visit({ plate: 'ABX12', startedAt: BEGUN, flags: ['lost-exit', 'near-exit'] })).id;
}

it('plate and start are put back', async () => {
  const id = await inside();
  const before = await stateOf(id);
  const reason = 'undone';
  await done('PUT', `/visit/${id}`, {
    plate: 'ABX13',
    startedOn: '2026-11-21T07:00:00.000Z',
    reason: 'Seen',
  });
  await done('PUT', `/visit/${id}`, { plate: 'ABX12', startedOn: BEGUN, reason });
  expect(await stateOf(id)).toEqual(before);
});

it.each([
  ['settled', { paymentStatus: 'whitelisted', status: 'completed', reason: 'x' }],
  ['voided', { paymentStatus: 'void', reason: 'x' }],
])('a visit that was %s is opened again', async (_name, edit) => {
  const id = await inside();
  const before = await stateOf(id);
  await done('PUT', `/visit/${id}`, edit);
  expect(await stateOf(id)).toMatchObject({ status: 'completed' });
  await done('PUT', `/visit/${id}`, { status: 'new', endedOn: null, reason: 'undone' });
  // Units that a settlement met stay met.
  expect(await stateOf(id)).toEqual({ ...before, due: expect.anything() });
});

it.each([
  ['by its permit, and goes on', 'whitelisted', { status: 'new', endedOn: null }],
  ['by its permit, and has left', 'whitelisted', { status: 'need-payment' }],
  ['by nobody, and goes on', 'void', { status: 'new', endedOn: null }],
] as const)('a visit that was settled %s is closed again', async (_name, paymentStatus, reopened) => {
  await edits.api.made('/products', LIGHT);
  const { id } = await edits.api.visit({
    plate: 'ABX12',
    startedAt: BEGUN,
    endedAt: TEN,
    status: 'completed',
    paymentStatus,
  });
  const before = await stateOf(id);
  await done('PUT', `/visit/${id}`, { ...reopened, reason: 'x' });
  expect(await stateOf(id)).toMatchObject({ status: reopened.status, paymentStatus: null });
  const { status, endedOn } = before;
  await done('PUT', `/visit/${id}`, { status, endedOn, paymentStatus, reason: 'undone' });
  const { due: _before, ...same } = before;
  const { due, ...after } = await stateOf(id);
  expect(after).toEqual(same);
  expect(due).toMatchObject({ amount: 0 });
});

it('a visit that was split is joined, and one that was joined is split', async () => {
  const id = await inside();
  const before = await stateOf(id);
  const { id: second } = await done('POST', `/visit/${id}/split`, { at: TEN, reason: 'Seen outside' });
  await done('POST', `/visit/${id}/join`, { visitId: second, reason: 'undone' });
  expect(await stateOf(id)).toEqual({ ...before, flags: ['near-exit'] });
});

it('flags that were reviewed are put back, here and at the site', async () => {
  const id = await inside();
  const before = await stateOf(id);
  await done('POST', `/visit/${id}/reviewed`, {});
  expect(await stateOf(id)).toMatchObject({ flags: [] });
  await done('POST', `/visit/${id}/flagged`, { flags: ['lost-exit', 'near-exit', 'near-exit'] });
  expect(await stateOf(id)).toEqual(before);
  const change = await edits.api.lastChange();
  const item = VisitEditItemSchema.parse(change?.op === 'put' && 'item' in change ? change.item : null);
  expect(item).toMatchObject({ visitId: id, flagged: ['lost-exit', 'near-exit'] });
  // The same once more leaves no trace.
  const steps = async () => (await edits.api.audited()).length;
  const count = await steps();
  await done('POST', `/visit/${id}/flagged`, { flags: ['lost-exit'] });
  expect(await steps()).toBe(count);
});

it('a permit for a visit is deleted', async () => {
  const id = await inside();
  const before = await stateOf(id);
  const permit = await done('POST', `/visit/${id}/whitelist`, { reason: 'Guest' });
  expect(await stateOf(id)).not.toEqual(before);
  await done('DELETE', `/visit/whitelist/${permit['id']}`);
  expect(await stateOf(id)).toEqual(before);
});
