import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { AmountMinorSchema, CurrencySchema } from '@hlid/protocol/base/money';
import { z } from '@hono/zod-openapi';
import { chargebacksOf } from '../../../money/payments/chargebacks.ts';
import { findPayment } from '../../../money/payments/find-payment.ts';
import type { PaymentRow } from '../../../money/payments/payment-store.ts';
import type { Queries, Tx } from '../../../platform/db/db.ts';
import { and, eq, sql } from '../../../platform/db/sql.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { refusedInput } from '../../../platform/refused.ts';
import { onlinePaymentTable as t } from '../../../records/online-payments/online-payment-table.ts';
import { CHARGEBACK_STATES } from '../../../records/payments/chargeback-table.ts';
import {
  type ChargebackChange,
  type ChargebackReport,
  judgeChargeback,
  recordChargebackIn,
} from './record-chargeback.ts';

/** A provider's report of a chargeback, in its file or by a notification. */
export const ProviderChargebackSchema = z.strictObject({
  payment: z.uuid().optional().describe('Ours, as the provider has it: its merchant reference.'),
  transactionId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The provider’s, where `payment` is not known.'),
  reference: TypedTextSchema.trim().min(1).max(100).describe('The provider’s, of the chargeback.'),
  amount: AmountMinorSchema.min(1).describe('The amount in the currency’s minor unit.'),
  currency: CurrencySchema,
  reasonCode: TypedTextSchema.trim().min(1).max(40).describe('The reason code of the card scheme.'),
  state: z.enum(CHARGEBACK_STATES).describe('`won`: the money is here again. `prevented`: it never left.'),
  deadline: z.iso.date().nullable().default(null).describe('The last day to send evidence.'),
  evidence: TypedTextSchema.trim().max(4000).nullable().default(null).describe('Null: what is known stays.'),
});
export type ProviderChargeback = z.infer<typeof ProviderChargebackSchema>;

export const CHARGEBACK_OUTCOMES = ['opened', 'changed', 'unchanged', 'refused'] as const;

/** What a report came to. */
export type ChargebackOutcome =
  | { outcome: 'opened' | 'changed' | 'unchanged'; paymentId: string }
  | { outcome: 'refused'; paymentId: string | null; mistakes: Mistake[] };

const NO_PAYMENT: ChargebackOutcome = {
  outcome: 'refused',
  paymentId: null,
  mistakes: [mistake('no-payment-of-gateway', 'payment')],
};

/**
 * Records what a provider reports. The same once more changes nothing, and neither does an older report that comes after
 * a newer one. What the provider leaves open stays as the operator wrote it.
 */
export async function takeChargeback(
  tx: Tx,
  actor: Actor,
  gatewayId: string,
  given: ProviderChargeback,
): Promise<ChargebackOutcome> {
  const payment = await findCharged(tx.q, gatewayId, given);
  if (payment === null) return NO_PAYMENT;
  const wrong = otherCurrency(payment, given);
  if (wrong !== null) return wrong;
  const done = await recordChargebackIn(tx, actor, payment, reportOf(given));
  return done.ok
    ? outcomeOf(payment.id, done.change)
    : { outcome: 'refused', paymentId: payment.id, mistakes: done.mistakes };
}

/** What reports would come to, one after the other; nothing is changed. */
export class ChargebackTrial {
  readonly #q: Queries;
  readonly #gatewayId: string;
  /** The earlier reports, by the payment and the reference. */
  readonly #reported = new Map<string, ChargebackReport>();

  constructor(q: Queries, gatewayId: string) {
    this.#q = q;
    this.#gatewayId = gatewayId;
  }

  async take(given: ProviderChargeback): Promise<ChargebackOutcome> {
    const payment = await findCharged(this.#q, this.#gatewayId, given);
    if (payment === null) return NO_PAYMENT;
    const wrong = otherCurrency(payment, given);
    if (wrong !== null) return wrong;
    const report = reportOf(given);
    const key = JSON.stringify([payment.id, report.reference]);
    const stored = await chargebacksOf(this.#q, [payment.id]);
    const known = this.#reported.get(key) ?? stored.find(({ reference }) => reference === report.reference);
    const judged = judgeChargeback(payment, known, report);
    if (!judged.ok) return { outcome: 'refused', paymentId: payment.id, mistakes: judged.mistakes };
    this.#reported.set(key, judged.after);
    return outcomeOf(payment.id, judged.change);
  }
}

function outcomeOf(paymentId: string, change: ChargebackChange): ChargebackOutcome {
  return { outcome: change === 'none' ? 'unchanged' : change, paymentId };
}

function otherCurrency({ id, currency }: PaymentRow, given: ProviderChargeback): ChargebackOutcome | null {
  if (given.currency === currency) return null;
  return {
    outcome: 'refused',
    paymentId: id,
    mistakes: [mistake('payment-currency', 'currency', { currency })],
  };
}

function reportOf({
  reference,
  amount: amountMinor,
  reasonCode,
  state,
  deadline,
  evidence,
}: ProviderChargeback): ChargebackReport {
  return { reference, amountMinor, reasonCode, state, deadline, evidence };
}

/** A payment that the gateway has booked, by our id or by the provider's. */
async function findCharged(
  q: Queries,
  gatewayId: string,
  { payment, transactionId }: ProviderChargeback,
): Promise<PaymentRow | null> {
  const isMeant =
    payment !== undefined
      ? eq(t.id, payment)
      : // As its index has it.
        eq(sql`(booking ->> '$.transactionId')`, transactionId ?? '');
  const [found] = await q
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.gatewayId, gatewayId), isMeant))
    .limit(1);
  return found === undefined ? null : await findPayment(q, found.id);
}

/** Whether a report names its payment. */
export function namesPayment({ payment, transactionId }: ProviderChargeback): boolean {
  return payment !== undefined || transactionId !== undefined;
}

export const NAMES_NO_PAYMENT = refusedInput(mistake('payment-or-transaction', 'payment'));
