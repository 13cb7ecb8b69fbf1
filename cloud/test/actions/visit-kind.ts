import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { PAYMENT_STATUSES, VISIT_STATUSES } from '@hlid/protocol/base/statuses';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { disputeTable } from '../../src/records/disputes/dispute-table.ts';
import { noticeTable, visitTable } from '../../src/records/visits/visit-table.ts';
import { VISIT_ACTIONS } from '../../src/stays/visits/visit-actions.ts';
import { OWN_CUSTOMER } from '../fuzz/people.ts';
import type { OnlineRig } from '../online-payments.ts';
import { settle } from '../settlements.ts';
import { actionKind } from './action-kind.ts';

const ENDED = '2026-11-21T10:00:00.000Z';
const REASON = 'As it was';

let plates = 0;
const nextPlate = () => `ACT${String(++plates).padStart(4, '0')}`;

const StateArbitrary = fc.record({
  hasPlate: fc.boolean(),
  hasEnded: fc.boolean(),
  isOwn: fc.boolean(),
  hasPaid: fc.boolean(),
  hasNotice: fc.boolean(),
  dispute: fc.constantFrom(null, null, 'open' as const, 'rejected' as const),
  disputes: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom(...VISIT_STATUSES),
  paymentStatus: fc.option(fc.constantFrom(...PAYMENT_STATUSES)),
  amountMinor: fc.option(fc.constantFrom(0, 500)),
  unitsMet: fc.constantFrom(0, 0, 0, 1),
  flags: fc.subarray(['lost-exit', 'uncertain-plate'] as const),
});
type State = typeof StateArbitrary extends fc.Arbitrary<infer S> ? S : never;

async function make({ api }: OnlineRig, state: State): Promise<string> {
  const { hasPlate, hasEnded, isOwn, hasPaid, hasNotice, dispute, status, paymentStatus, amountMinor } =
    state;
  const plate = hasPlate ? nextPlate() : null;
  const { id } = await api.visit({ plate });
  const siteId = api.site.id;
  const customerId = isOwn ? OWN_CUSTOMER : null;
  if (hasPaid) await settle(api, { id, customerId });
  const lines = [{ rule: 'unit' as const, units: 1, amountMinor: amountMinor ?? 0 }];
  const product = { id: 'light', version: 1 };
  const currency = amountMinor === null ? null : 'ISK';
  const price =
    amountMinor === null ? null : { amountMinor, currency: 'ISK', lines, product, pricedAt: ENDED };
  const hasOpenDispute = dispute === 'open';
  await api.db.write(async ({ q }) => {
    await q
      .update(visitTable)
      .set({
        customerId,
        status,
        paymentStatus,
        endedAt: hasEnded ? ENDED : null,
        amountMinor,
        currency,
        price,
        unitsMet: state.unitsMet,
        flags: hasOpenDispute ? [...state.flags, 'disputed'] : state.flags,
      })
      .where(eq(visitTable.id, id));
    if (hasNotice) await q.insert(noticeTable).values({ visitId: id, deliveredAt: ENDED });
    for (let n = 0; dispute !== null && n < state.disputes; n++) {
      await q.insert(disputeTable).values({
        id: randomUUID(),
        visitId: id,
        invoiceId: null,
        siteId,
        customerId,
        source: 'operator',
        channel: 'telephone',
        answerBy: ENDED,
        evidence: null,
        openedBy: 'account:the-operator',
        email: null,
        language: 'is',
        text: 'It was not there.',
        state: n === 0 ? dispute : 'rejected',
        openedAt: utcTime(Date.parse(ENDED) - n * MINUTE_MS),
        answer: null,
        answeredBy: null,
        answeredAt: null,
        given: null,
      });
    }
  });
  return id;
}

export const VISIT_KIND = actionKind({
  rules: VISIT_ACTIONS,
  states: StateArbitrary,
  make,
  pathOf: (id) => `/visit/${id}`,
  calls: {
    edit: () => ({ body: { plate: nextPlate(), reason: REASON } }),
    // The call settles in another way than the present one, which would change nothing.
    settle: (_, { paymentStatus }) => ({
      body: { paymentStatus: paymentStatus === 'whitelisted' ? 'kiosk' : 'whitelisted', reason: REASON },
    }),
    void: () => ({ body: { paymentStatus: 'void', reason: REASON } }),
    reopen: (_, { status, endedOn }) =>
      status === 'completed' || endedOn !== null
        ? { body: { status: 'new', endedOn: null, reason: REASON } }
        : null,
    review: () => ({ body: {} }),
    flag: () => ({ body: { flags: ['lost-exit'] } }),
    split: () => ({ body: { at: '2026-11-21T09:00:00.000Z', reason: REASON } }),
    async join(api) {
      const { id: visitId } = await api.visit({ plate: nextPlate(), startedAt: '2026-11-21T11:00:00.000Z' });
      return { body: { visitId, plate: nextPlate(), reason: REASON } };
    },
    permit: () => ({ body: { reason: REASON } }),
    notice: (api) => ({ body: { deliveredOn: api.now() } }),
    contest: () => ({ body: { text: 'It was not there.' } }),
    receipt: () => ({ body: { email: 'jon@example.is', language: 'is' } }),
    'pay-link': () => ({ body: { language: 'is' } }),
    'renew-vehicle': () => ({}),
  },
});
