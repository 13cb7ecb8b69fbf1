import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { PaymentStateSchema, ReceiptCardSchema } from '@hlid/protocol/records/payment';
import { z } from '@hono/zod-openapi';
import { needingApproval, needsApprovalSchema } from '../../people/approvals/needs-approval.ts';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { CHARGEBACK_STATES } from '../../records/payments/chargeback-table.ts';
import { type ChargebackRow, chargebacksOf } from './chargebacks.ts';
import { bookedMinor } from './find-payment.ts';
import {
  CHARGEBACK_ACTION_NAMES,
  CHARGEBACK_ACTIONS,
  ChargebackActionsSchema,
  PAYMENT_ACTION_NAMES,
  PAYMENT_ACTIONS,
  PaymentActionsSchema,
  type PaymentFacts,
} from './payment-actions.ts';
import type { PaymentRow } from './payment-store.ts';
import { bookedOnline, refundsOf as refundsOfPayment } from './refunds.ts';

/** A card payment; in lists, one that needs review. */
export const WaitingPaymentSchema = z
  .strictObject({
    id: z
      .string()
      .describe(
        'Of a visit, also the id of its invoice: `POST /payments/{id}/reverse` gives the money back, `POST ' +
          '/invoice/{id}/refund` only changes the books.',
      ),
    siteId: z.string(),
    visitId: z.string().nullable().describe('Null: it pays an invoice.'),
    invoiceId: z.string().nullable().describe('The invoice that it pays; null: it pays a visit.'),
    terminalId: z.string().nullable().describe('Null: paid online.'),
    state: PaymentStateSchema,
    problem: z
      .enum(['settled-twice', 'terminal', 'provider', 'chargeback'])
      .nullable()
      .describe(
        'Null: it needs nobody. `settled-twice`: its visit was settled or voided elsewhere, and the site did not know. ' +
          '`terminal`: its outcome is not known, or it could not be reversed; resolve it at the site. ' +
          '`provider`: the same for an online payment; `POST /payments/{id}/finding` resolves it, and one at a terminal ' +
          'whose site does not know it any more. ' +
          "`chargeback`: the card's bank has charged it back, or a part of it.",
      ),
    chargebacks: z
      .array(
        z.strictObject({
          reference: z.string(),
          amount: z.int(),
          reasonCode: z.string(),
          deadline: z.iso.date().nullable(),
          evidence: z.string().nullable(),
          state: z.enum(CHARGEBACK_STATES),
          openedOn: UtcTimeSchema,
          decidedOn: UtcTimeSchema.nullable(),
        }),
      )
      .describe('The oldest first. `open` and `lost`: the money is not here. `prevented`: it never left.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'A code. `reverse-unknown`: money may have gone back, and nobody knows; it counts as given. ' +
          '`reversal-lost`: the same, and its site does not know the payment any more. ' +
          '`finding-contradicted`: its site reports otherwise than a person found out. ' +
          '`refund-failed`: a refund came back from the card.',
      ),
    siteLostOn: UtcTimeSchema.nullable().describe(
      'Since when its site answers that it does not know the payment, such as after a restore; null: it has not said so.',
    ),
    finding: z
      .enum(['booked', 'not-booked', 'given-back'])
      .nullable()
      .describe(
        'What a person found out about a payment at a terminal whose site could not say; null: nobody has.',
      ),
    refunds: z
      .array(
        z.strictObject({
          id: z.string(),
          amount: z.int(),
          state: z
            .enum(['ordered', 'refunded', 'not-possible', 'unclear', 'failed'])
            .describe(
              '`ordered`: it may have been sent, and the provider is asked. `unclear`: it may have been ' +
                'given, and only a person can find that out. All but `not-possible` and `failed` count as given.',
            ),
          reason: z.string(),
          by: z.string(),
          createdOn: UtcTimeSchema,
          doneOn: UtcTimeSchema.nullable(),
        }),
      )
      .describe('The refunds of an online payment, the oldest first.'),
    price: z.strictObject({ amount: z.int(), currency: CurrencySchema }),
    tip: z.int().describe('Given beside the price at a terminal. A reversal gives both back.'),
    card: ReceiptCardSchema.nullable(),
    createdOn: UtcTimeSchema,
    changedOn: UtcTimeSchema,
  })
  .meta({
    id: 'WaitingPayment',
    example: {
      id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
      siteId: '5b0c',
      visitId: '7d1f',
      invoiceId: null,
      terminalId: 'kiosk-1',
      state: 'settled',
      problem: 'settled-twice',
      chargebacks: [],
      reason: null,
      siteLostOn: null,
      finding: null,
      refunds: [],
      price: { amount: 500, currency: 'ISK' },
      tip: 0,
      card: { type: 'visa', lastFour: '4242' },
      createdOn: '2026-11-21T11:00:00.000Z',
      changedOn: '2026-11-21T11:00:30.000Z',
    },
  });

const { chargebacks } = WaitingPaymentSchema.shape;

/** A card payment on its own, with what its reader can do with it. */
export const CardPaymentSchema = z
  .strictObject({
    ...WaitingPaymentSchema.shape,
    chargebacks: z.array(z.strictObject({ ...chargebacks.element.shape, actions: ChargebackActionsSchema })),
    actions: PaymentActionsSchema,
    needsApproval: needsApprovalSchema(['reverse']),
  })
  .meta({ id: 'CardPayment' });

type ShownPayment = z.infer<typeof WaitingPaymentSchema>;
export type ShownRefund = ShownPayment['refunds'][number];
/** The refunds of payments, by the payment; what is above this folder knows them. */
export type RefundsOf = (q: Queries, ids: readonly string[]) => Promise<ReadonlyMap<string, ShownRefund[]>>;

/** Payments with their refunds and chargebacks, in the same order. */
export async function shownPayments(
  q: Queries,
  refundsOf: RefundsOf,
  payments: readonly PaymentRow[],
): Promise<ShownPayment[]> {
  const ids = payments.map(({ id }) => id);
  const refunds = await refundsOf(q, ids);
  const chargebacks = await chargebacksOf(q, ids);
  return payments.map((payment) =>
    shown(
      payment,
      refunds.get(payment.id) ?? [],
      chargebacks.filter(({ paymentId }) => paymentId === payment.id),
    ),
  );
}

/** One of them, with what the caller can do with it. */
export async function shownPayment(
  q: Queries,
  refundsOf: RefundsOf,
  payment: PaymentRow,
  caller: Caller,
): Promise<z.infer<typeof CardPaymentSchema>> {
  const [only] = await shownPayments(q, refundsOf, [payment]);
  if (only === undefined) throw new Error('each payment is shown');
  const thing = { siteId: payment.siteId };
  const facts = await paymentFacts(q, payment);
  const actions = actionsFor(PAYMENT_ACTION_NAMES, PAYMENT_ACTIONS, caller, thing, facts);
  return {
    ...only,
    chargebacks: only.chargebacks.map((one) => ({
      ...one,
      actions: actionsFor(CHARGEBACK_ACTION_NAMES, CHARGEBACK_ACTIONS, caller, thing, one),
    })),
    actions,
    needsApproval: await needingApproval(q, [payment.siteId], actions, {
      reverse: { limit: 'refund', sum: async () => ({ ...payment, amountMinor: bookedMinor(payment) }) },
    }),
  };
}

/** Reads the facts that decide about the actions of a payment. */
export async function paymentFacts(q: Queries, payment: PaymentRow): Promise<PaymentFacts> {
  const { id, terminalId } = payment;
  const isOnline = terminalId === null;
  return {
    ...payment,
    chargebacks: await chargebacksOf(q, [id]),
    refunds: isOnline ? await refundsOfPayment(q, id) : [],
    bookedMinor: isOnline ? await bookedOnline(q, id) : null,
  };
}

function shown(
  payment: PaymentRow,
  refunds: readonly ShownRefund[],
  chargebacks: readonly ChargebackRow[],
): ShownPayment {
  const { id, siteId, visitId, invoiceId, terminalId, state, reason, amountMinor, currency, transaction } =
    payment;
  return {
    id,
    siteId,
    visitId,
    invoiceId,
    terminalId,
    state,
    reason,
    problem: problemOf(payment),
    siteLostOn: payment.siteLostAt,
    finding: payment.finding,
    chargebacks: chargebacks.map(shownChargeback),
    refunds: [...refunds],
    price: { amount: amountMinor, currency },
    tip: transaction?.tipMinor ?? 0,
    card: transaction?.card ?? null,
    createdOn: payment.createdAt,
    changedOn: payment.changedAt,
  };
}

function problemOf({
  settledTwice,
  needsPerson,
  chargedBack,
  terminalId,
}: PaymentRow): ShownPayment['problem'] {
  if (settledTwice) return 'settled-twice';
  if (!needsPerson) return chargedBack ? 'chargeback' : null;
  return terminalId === null ? 'provider' : 'terminal';
}

function shownChargeback({ paymentId: _payment, amountMinor, openedAt, decidedAt, ...same }: ChargebackRow) {
  return { ...same, amount: amountMinor, openedOn: openedAt, decidedOn: decidedAt };
}
