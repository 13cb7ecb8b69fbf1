import { HOUR_MS } from '@hlid/protocol/base/durations';
import { expect, it } from 'vitest';
import { LIGHT, useVisitEdits } from '../../../../test/visit-edits.ts';

const edits = useVisitEdits();
const { edit, settlementsOf, changesSince, feedLength } = edits;
const show = async (id: string) => (await edits.api.call('GET', `/visit/${id}`)).body;

it('a visit that owes is not completed without saying how that is settled', async () => {
  await edits.api.made('/products', { ...LIGHT, price: 5000 });
  const visit = await edits.api.visit();
  const refused = await edit(visit.id, { status: 'completed', reason: 'It has gone' });
  expect([refused.status, refused.body['messages']]).toEqual([
    400,
    [expect.stringMatching(/^status: .*5,000.* is due: say with paymentStatus how it is settled/)],
  ]);
  expect(await show(visit.id)).toMatchObject({ status: 'new', paymentStatus: null, endedOn: null });
  expect(await settlementsOf(visit.id)).toEqual([]);

  const settled = await edit(visit.id, {
    status: 'completed',
    paymentStatus: 'owner-invoice',
    reason: 'It has gone',
  });
  expect(settled.body).toMatchObject({ status: 'completed', paymentStatus: 'owner-invoice' });
});

it('neither is one that was paid, and owes again since', async () => {
  await edits.api.made('/products', LIGHT);
  const visit = await edits.api.visit();
  await edit(visit.id, { paymentStatus: 'kiosk' });
  edits.api.wait(25 * HOUR_MS);
  const refused = await edit(visit.id, { status: 'completed', reason: 'It has gone' });
  expect(refused.body['messages']).toEqual([expect.stringContaining('500')]);
  // It left before the second day began.
  const endedOn = '2026-11-21T13:00:00.000Z';
  const closed = await edit(visit.id, { status: 'completed', endedOn, reason: 'Seen leaving' });
  expect(closed.body).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', endedOn });
});

it('one that owes nothing is completed as it is', async () => {
  await edits.api.made('/products', LIGHT);
  const visit = await edits.api.visit({ startedAt: edits.api.now() });
  edits.api.wait(60_000);
  const closed = await edit(visit.id, { status: 'completed', reason: 'Turned round' });
  expect(closed.body).toMatchObject({ status: 'completed', paymentStatus: null });
});

it('a wrong start is corrected with a reason, and the visit priced again', async () => {
  await edits.api.made('/products', LIGHT);
  const visit = await edits.api.visit();
  await edit(visit.id, { status: 'need-payment' });
  const before = await feedLength();
  const startedOn = '2026-11-19T08:00:00.000Z';
  const answer = await edit(visit.id, { startedOn, reason: 'The camera was off' });
  expect(answer.body).toMatchObject({
    startedOn,
    status: 'need-payment',
    price: { amount: 1500 },
    history: [{}, { from: 'need-payment', to: 'need-payment', reason: 'The camera was off' }],
  });
  expect(await changesSince(before)).toMatchObject([
    { kind: 'visit-edit', item: { startedAt: startedOn, reason: 'The camera was off' } },
  ]);
  const audited = (await edits.api.audited()).find(({ reason }) => reason === 'The camera was off');
  expect(audited).toMatchObject({
    before: { startedAt: visit.startedAt },
    after: { startedAt: startedOn },
    reason: 'The camera was off',
  });

  // An event that the site sent before it received the edit does not undo it.
  await edits.api.visit({ ...visit, flags: ['uncertain-plate'] }, { feedAt: before });
  expect(await show(visit.id)).toMatchObject({ startedOn, price: { amount: 1500 } });
});

it('a start is not put back into another visit of the plate', async () => {
  const earlier = await edits.api.visit({
    startedAt: '2026-11-20T08:00:00.000Z',
    endedAt: '2026-11-20T10:00:00.000Z',
    status: 'completed',
  });
  const visit = await edits.api.visit();
  const refused = await edit(visit.id, { startedOn: '2026-11-20T09:00:00.000Z', reason: 'Earlier' });
  expect(refused.body['messages']).toEqual([`startedOn: the plate was in visit ${earlier.id} then`]);
  const taken = await edit(visit.id, { startedOn: '2026-11-20T11:00:00.000Z', reason: 'Earlier' });
  expect(taken.status).toBe(303);
});
