import { describe, expect, it } from 'vitest';
import { LIGHT, PRICED, useVisitEdits } from '../../../../test/visit-edits.ts';

const edits = useVisitEdits();
const { edit, settlementsOf } = edits;

describe('voiding and reopening', () => {
  it('voids what is due and ends the visit; reopened, it is due again', async () => {
    await edits.api.made('/products', LIGHT);
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED, unitsMet: 1 });
    const voided = await edit(visit.id, { paymentStatus: 'void', reason: 'Ambulance' });
    expect(voided.body).toMatchObject({
      status: 'completed',
      paymentStatus: 'void',
      endedOn: edits.api.now(),
      unitsMet: 1,
      price: { amount: 500 },
      due: { amount: 0 },
    });
    expect(await settlementsOf(visit.id)).toMatchObject([
      { paymentStatus: 'void', amountMinor: 1000, units: 0 },
    ]);
    expect(await edits.api.lastChange()).toMatchObject({
      kind: 'settlement',
      item: { paymentStatus: 'void' },
    });
    edits.api.wait(60_000);
    const reopened = await edit(visit.id, { status: 'new', reason: 'It was a taxi' });
    expect(reopened.body).toMatchObject({ status: 'new', endedOn: null });
    expect(reopened.body['history']).toMatchObject([
      { from: 'need-payment', to: 'completed', reason: 'Ambulance' },
      { from: 'completed', to: 'new', reason: 'It was a taxi (1 unit stays paid)' },
    ]);
    expect(await edits.api.lastChange()).toMatchObject({
      kind: 'visit-edit',
      item: { status: 'new', endedAt: null, reason: 'It was a taxi (1 unit stays paid)' },
    });
  });

  it('asking to pay prices what has no price yet', async () => {
    await edits.api.made('/products', LIGHT);
    const visit = await edits.api.visit();
    const answer = await edit(visit.id, { status: 'need-payment' });
    expect(answer.body).toMatchObject({ status: 'need-payment', price: { amount: 500 } });
    expect((await edits.api.call('GET', '/visits?collection=unpaid')).body['total']).toBe(1);
  });

  it.each([
    [{ paymentStatus: 'void' }, 'reason: voiding a visit needs a reason'],
    [{ status: 'need-plate' }, 'status: a visit that is need-payment cannot become need-plate'],
    [{ paymentStatus: 'failed' }, 'paymentStatus: only a payment fails, not a person'],
    [{ startedOn: '2026-11-21T09:00:00Z' }, 'reason: correcting the start of a visit needs a reason'],
    [{ id: 'another' }, 'id: it cannot be changed'],
    [{ plate: '' }, 'plate: a plate has a letter or a digit'],
    [{ status: 'lost' }, 'status: must be one of '],
  ])('%o is refused and leaves no trace', async (body, message) => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
    const was = (await edits.api.call('GET', `/visit/${visit.id}`)).body;
    const [changes, audited] = [await edits.api.changes(), await edits.api.audited()];
    const answer = await edit(visit.id, body);
    expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringContaining(message)]]);
    expect((await edits.api.call('GET', `/visit/${visit.id}`)).body).toEqual(was);
    expect(await edits.api.changes()).toEqual(changes);
    expect(await edits.api.audited()).toEqual(audited);
  });

  it('a price that is sent is passed over, since reading shows it and nobody sets it', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
    const was = (await edits.api.call('GET', `/visit/${visit.id}`)).body;
    const changes = await edits.api.changes();
    expect((await edit(visit.id, { price: 0 })).status).toBe(303);
    expect((await edits.api.call('GET', `/visit/${visit.id}`)).body).toEqual(was);
    expect(await edits.api.changes()).toEqual(changes);
  });

  it('a visit sent back as it was got, with one field changed, is taken', async () => {
    const visit = await edits.api.visit();
    const { startedAt: startedOn, id, status } = visit;
    const answer = await edit(id, { id, startedOn, status, plate: 'MKJ45', paymentStatus: null });
    expect([answer.status, answer.body['plate']]).toEqual([303, 'MKJ45']);
  });
});
