import { randomUUID } from 'node:crypto';
import { INVOICE_STATUSES, REMOTE_STATUSES } from '@hlid/protocol/base/statuses';
import { desc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { z } from 'zod';
import { invoiceById } from '../../src/money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS } from '../../src/money/invoices/invoice-actions.ts';
import {
  queueEInvoice,
  updateEInvoice,
  withdrawEInvoice,
} from '../../src/records/invoices/e-invoice-store.ts';
import { E_INVOICE_STATES } from '../../src/records/invoices/e-invoice-table.ts';
import { invoiceTable } from '../../src/records/invoices/invoice-table.ts';
import { visitTable } from '../../src/records/visits/visit-table.ts';
import type { Json, TestApi } from '../api.ts';
import { OWN_CUSTOMER } from '../fuzz/people.ts';
import type { OnlineRig } from '../online-payments.ts';
import { reportPayment, samplePayment } from '../payments.ts';
import { settle } from '../settlements.ts';
import { actionKind } from './action-kind.ts';

const REASON = 'As it was';
let plates = 0;
const nextPlate = () => `INV${String(++plates).padStart(4, '0')}`;

const StateArbitrary = fc.record({
  paymentType: fc.constantFrom('kiosk', 'owner-invoice'),
  byTerminal: fc.boolean(),
  terminal: fc.constantFrom('settled', 'settled', 'reversed', 'unknown'),
  isIssued: fc.constantFrom(true, true, true, false),
  isCreditNote: fc.constantFrom(false, false, false, true),
  status: fc.constantFrom(...INVOICE_STATUSES),
  remoteStatus: fc.constantFrom(...REMOTE_STATUSES),
  publishStatus: fc.option(fc.constantFrom(...REMOTE_STATUSES)),
  openRefundMinor: fc.constantFrom(0, 0, 0, 100),
  isOwn: fc.boolean(),
  hasOpenDispute: fc.constantFrom(false, false, true),
  eInvoice: fc.option(fc.constantFrom(...E_INVOICE_STATES)),
} as const);
type State = typeof StateArbitrary extends fc.Arbitrary<infer S> ? S : never;

/** A visit that has left, and its invoice; or the credit note of that. */
async function make({ api }: OnlineRig, state: State): Promise<string> {
  const { paymentType, byTerminal, isIssued, isCreditNote, isOwn } = state;
  const customerId = isOwn ? OWN_CUSTOMER : null;
  const plate = nextPlate();
  const { id: visitId } = await api.visit({ plate, endedAt: api.now(), status: 'completed' });
  await api.db.write(({ q }) => q.update(visitTable).set({ customerId }).where(eq(visitTable.id, visitId)));
  if (paymentType === 'kiosk' && byTerminal) {
    await reportPayment(api, samplePayment({ visitId }));
  } else {
    const at = api.now().replace(/\d\dT/, '01T');
    await settle(api, { id: visitId, plate, customerId, paymentStatus: paymentType, at });
  }
  const id = await newestInvoice(api, visitId);
  if (isCreditNote) await api.call('POST', `/invoice/${id}/refund`, { body: { reason: REASON } });
  const made = isCreditNote ? await newestInvoice(api, visitId) : id;
  await api.db.write(async ({ q }) => {
    const { status, remoteStatus, publishStatus, openRefundMinor } = state;
    await q
      .update(invoiceTable)
      .set({
        status,
        remoteStatus,
        publishStatus,
        openRefundMinor,
        customerId,
        ...(!isIssued && { number: null, issuedAt: null, sellerId: null }),
      })
      .where(eq(invoiceTable.id, made));
  });
  await api.db.write(async (tx) => {
    // What waits for its payer is not on its way.
    const isWaiting = (await invoiceById(tx.q, made))?.number === null;
    await withdrawEInvoice(tx.q, made);
    if (state.eInvoice === null || isWaiting) return;
    await queueEInvoice(tx, made, api.now());
    await updateEInvoice(tx.q, made, { state: state.eInvoice });
  });
  if (state.hasOpenDispute && isIssued) {
    await api.call('POST', `/invoice/${made}/dispute`, { body: { text: 'It was not there.' } });
  }
  return made;
}

async function newestInvoice(api: TestApi, visitId: string): Promise<string> {
  const rows = await api.db.read(
    async (q) =>
      await q
        .select({ id: invoiceTable.id })
        .from(invoiceTable)
        .where(eq(invoiceTable.visitId, visitId))
        .orderBy(desc(invoiceTable.createdAt), desc(invoiceTable.id))
        .limit(1),
  );
  return z.object({ id: z.string() }).parse(rows[0]).id;
}

const ShownSchema = z.looseObject({
  id: z.string(),
  visitId: z.string().nullable(),
  remoteStatus: z.string(),
  publishStatus: z.string().nullable(),
  settlement: z.looseObject({ paymentId: z.string().nullable() }).nullable(),
  lines: z.array(z.looseObject({ visitId: z.string().nullable() })),
});

/** Another mark than the one that it has, so that the call changes something. */
const otherMark = (mark: string | null) => (mark === 'failed' ? 'completed' : 'failed');
const paymentOf = (record: Json) => {
  const { id, settlement } = ShownSchema.parse(record);
  return settlement?.paymentId ?? id;
};

export const INVOICE_KIND = actionKind({
  rules: INVOICE_ACTIONS,
  states: StateArbitrary,
  make,
  pathOf: (id) => `/invoice/${id}`,
  calls: {
    edit: () => ({ body: { invoiceEmail: 'books@example.is' } }),
    'set-payer': () => ({ body: { payer: { ssn: null, name: 'Jón Jónsson' } } }),
    'mark-paid': () => ({ body: { status: 'paid' } }),
    'mark-accounting': (_, { remoteStatus }) => ({
      body: { remoteStatus: otherMark(z.string().parse(remoteStatus)) },
    }),
    'mark-publishing': (_, record) => ({
      body: { publishStatus: otherMark(ShownSchema.parse(record).publishStatus) },
    }),
    send: () => ({}),
    receipt: (_, { visitId }) => ({
      path: `/visit/${visitId ?? randomUUID()}/receipt`,
      body: { email: 'jon@example.is', language: 'is' },
    }),
    chargeback: (_, record) => ({
      path: `/payments/${paymentOf(record)}/chargeback`,
      body: { reference: randomUUID(), amount: 1, reasonCode: '10.4' },
    }),
    reverse: (_, record) => ({
      path: `/payments/${paymentOf(record)}/reverse`,
      body: { reason: REASON },
    }),
    credit(_, record) {
      const visitIds = ShownSchema.parse(record).lines.flatMap(({ visitId }) => visitId ?? []);
      return { body: { visitIds: visitIds.slice(0, 1), outcome: 'nothing', reason: REASON } };
    },
    contest: () => ({ body: { text: 'It was not there.' } }),
    refund: () => ({ body: { reason: REASON } }),
    'pay-link': () => ({ body: { language: 'is' } }),
    payment: (_, record) => ({ path: `/payments/${paymentOf(record)}` }),
  },
});
