import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { PaidWithSchema } from '@hlid/protocol/records/visit';
import { describe, expect, it } from 'vitest';
import { LIGHT, PRICED, useVisitEdits } from '../../../../test/visit-edits.ts';

const edits = useVisitEdits();
const { edit } = edits;

const TODAY = 'from=2026-11-21&to=2026-11-21'.replaceAll(/(from|to)=/g, 'date.$1=');

describe('money that a person has received', () => {
  it.each(PaidWithSchema.options)(
    'as %s is named so by invoice, timeline, report and file',
    async (paidWith) => {
      const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
      const settled = await edit(visit.id, { paymentStatus: 'kiosk', paidWith });
      expect(settled.body).toMatchObject({ paymentStatus: 'kiosk', due: { amount: 0 } });

      const { body: list } = await edits.api.call('GET', '/invoices');
      expect(list['data']).toMatchObject([{ paymentType: paidWith, status: 'paid', receipt: null }]);

      const { body: timeline } = await edits.api.call('GET', `/visit/${visit.id}/timeline`);
      expect(timeline['entries']).toContainEqual(
        expect.objectContaining({ kind: 'settlement', params: expect.objectContaining({ paidWith }) }),
      );

      const { body: report } = await edits.api.call('GET', `/reports/income?${TODAY}`);
      for (const { paymentType, amounts } of report['paymentTypeReport'] as {
        paymentType: string;
        amounts: { amount: number }[];
      }[]) {
        expect([paymentType, amounts[0]?.amount]).toEqual([paymentType, paymentType === paidWith ? 1000 : 0]);
      }
    },
  );

  it('is in another way where nobody says in which', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
    await edit(visit.id, { paymentStatus: 'kiosk' });
    const { body } = await edits.api.call('GET', '/invoices');
    expect(body['data']).toMatchObject([{ paymentType: 'other' }]);
  });

  it('stays out of what the site gets, which need not know', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
    await edit(visit.id, { paymentStatus: 'kiosk', paidWith: 'cash' });
    expect(JSON.stringify(await edits.api.changes())).not.toContain('paidWith');
  });

  it.each(['void', 'owner-invoice', undefined])(
    'has no way where %s settles the visit',
    async (paymentStatus) => {
      const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
      const answer = await edit(visit.id, { paymentStatus, paidWith: 'cash', reason: 'by mistake' });
      expect([answer.status, answer.body['messages']]).toEqual([
        400,
        ['paidWith: only with the payment status kiosk: how the money came in'],
      ]);
    },
  );

  it('is due again once its invoice is refunded while the car is inside', async () => {
    const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
    await edit(visit.id, { paymentStatus: 'kiosk', paidWith: 'cash' });
    const { body } = await edits.api.call('GET', '/invoices');
    const [invoice] = body['data'] as { id: string }[];
    await edits.api.call('POST', `/invoice/${invoice?.id}/refund`, { body: { reason: 'The wrong car' } });
    const after = await edits.api.call('GET', `/visit/${visit.id}`);
    expect(after.body).toMatchObject({ status: 'new', paymentStatus: null });
  });
});

describe('what gives money up', () => {
  /** Sessions of the operator: one that has just proved who they are, and one that did so long ago. */
  async function sessions() {
    const earlier = edits.api.now();
    edits.api.wait(6 * MINUTE_MS);
    const stale = await edits.api.session('the-operator', { steppedUpAt: earlier });
    const fresh = await edits.api.session('the-operator');
    return { stale: { headers: stale, token: null }, fresh: { headers: fresh, token: null } };
  }

  it.each(['void', 'whitelisted'])(
    'by %s asks for a fresh proof, and payments do not',
    async (paymentStatus) => {
      const { stale, fresh } = await sessions();
      const visit = await edits.api.visit({ status: 'need-payment', price: PRICED });
      const body = { paymentStatus, reason: 'Ambulance' };
      const path = `/visit/${visit.id}`;
      const refused = await edits.api.call('PUT', path, { ...stale, body });
      expect([refused.status, refused.body['codes']]).toMatchObject([403, [{ code: 'step-up-needed' }]]);
      expect((await edits.api.call('GET', path)).body).toMatchObject({ paymentStatus: null });
      expect((await edits.api.call('PUT', path, { ...fresh, body })).status).toBe(303);
      // The same once more changes nothing, and needs nothing.
      const again = { paymentStatus: undefined, plate: 'MKJ45' };
      expect((await edits.api.call('PUT', path, { ...stale, body: again })).status).toBe(303);
      const other = await edits.api.visit({ status: 'need-payment', price: PRICED });
      const paid = { paymentStatus: 'kiosk', paidWith: 'cash' };
      expect((await edits.api.call('PUT', `/visit/${other.id}`, { ...stale, body: paid })).status).toBe(303);
    },
  );

  it('a price asks for a fresh proof, of every site and of one', async () => {
    const { stale, fresh } = await sessions();
    for (const body of [LIGHT, { ...LIGHT, siteId: edits.api.site.id }]) {
      expect((await edits.api.call('POST', '/products', { ...stale, body })).status).toBe(403);
      const made = await edits.api.call('POST', '/products', { ...fresh, body });
      expect(made.status).toBe(303);
      const path = made.location ?? '';
      const price = { price: 700 };
      expect((await edits.api.call('PUT', path, { ...stale, body: price })).status).toBe(403);
      expect((await edits.api.call('DELETE', path, stale)).status).toBe(403);
      expect((await edits.api.call('PUT', path, { ...fresh, body: price })).status).toBe(303);
    }
  });
});
