import { TypedTextSchema } from '@hlid/protocol/card-number';
import { type Mistake, mistake } from '@hlid/protocol/mistake';
import { AmountMinorSchema, CurrencySchema } from '@hlid/protocol/money';
import { z } from '@hono/zod-openapi';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries, Tx } from '../../db/db.ts';
import type { Actor } from '../../http/caller.ts';
import { type ChargebackReport, judgeChargeback, recordChargebackIn } from '../../payments/chargeback.ts';
import { findPayment } from '../../payments/find-payment.ts';
import type { PaymentRow } from '../../payments/payment-store.ts';
import { refusedInput } from '../../refused.ts';
import { onlinePaymentTable as t } from '../online-payment-table.ts';

/** What a provider reports of a chargeback, in its file or by a notification. */
export const ProviderChargebackSchema = z.strictObject({
  payment: z.uuid().optional().describe('Ours, as the provider has it: its merchant reference.'),
  transactionId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The provider’s, where `payment` is not known.'),
  reference: TypedTextSchema.trim().min(1).max(100).describe('The provider’s, of the chargeback.'),
  amount: AmountMinorSchema.min(1).describe('In the currency’s minor unit.'),
  currency: CurrencySchema,
  reasonCode: TypedTextSchema.trim().min(1).max(40).describe('Of the card scheme.'),
  state: z.enum(['open', 'won', 'lost']).describe('`won`: the money stays here.'),
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
  const judged = judge(payment, given);
  if (judged.outcome === 'opened' || judged.outcome === 'changed') {
    const done = await recordChargebackIn(tx, actor, payment, reportOf(payment, given));
    if (!done.ok) return { outcome: 'refused', paymentId: payment.id, mistakes: done.mistakes };
  }
  return judged;
}

/** What reports would come to, one after the other; nothing is changed. */
export class ChargebackTrial {
  readonly #q: Queries;
  readonly #gatewayId: string;
  readonly #at: string;
  /** Payments with what reports before have changed of them. */
  readonly #changed = new Map<string, PaymentRow>();

  constructor(q: Queries, gatewayId: string, at: string) {
    this.#q = q;
    this.#gatewayId = gatewayId;
    this.#at = at;
  }

  async take(given: ProviderChargeback): Promise<ChargebackOutcome> {
    const stored = await findCharged(this.#q, this.#gatewayId, given);
    if (stored === null) return NO_PAYMENT;
    const payment = this.#changed.get(stored.id) ?? stored;
    const judged = judge(payment, given);
    if (judged.outcome === 'opened' || judged.outcome === 'changed') {
      const known = payment.chargeback ?? { creditId: '', openedAt: this.#at, decidedAt: null };
      const chargeback = { ...known, ...reportOf(payment, given) };
      this.#changed.set(stored.id, { ...payment, chargeback });
    }
    return judged;
  }
}

function judge(payment: PaymentRow, given: ProviderChargeback): ChargebackOutcome {
  const { id: paymentId, currency } = payment;
  if (given.currency !== currency) {
    return {
      outcome: 'refused',
      paymentId,
      mistakes: [mistake('payment-currency', 'currency', { currency })],
    };
  }
  const judged = judgeChargeback(payment, reportOf(payment, given));
  if (!judged.ok) return { outcome: 'refused', paymentId, mistakes: judged.mistakes };
  return { outcome: judged.change === 'none' ? 'unchanged' : judged.change, paymentId };
}

function reportOf({ chargeback: known }: PaymentRow, given: ProviderChargeback): ChargebackReport {
  const { payment: _payment, transactionId: _transaction, currency: _currency, ...report } = given;
  const { amount: amountMinor, ...rest } = report;
  const isSame = known?.reference === given.reference && known.amountMinor === amountMinor;
  if (!isSame) return { ...rest, amountMinor };
  // It was open before it was won or lost, in whatever order that is heard.
  if (known.state !== 'open' && given.state === 'open') return known;
  // It was lost before an appeal won it.
  if (known.state === 'won' && given.state === 'lost') return known;
  const { deadline, evidence } = known;
  return { ...rest, amountMinor, deadline: given.deadline ?? deadline, evidence: given.evidence ?? evidence };
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

/** Whether a report says of which payment it is. */
export function namesPayment({ payment, transactionId }: ProviderChargeback): boolean {
  return payment !== undefined || transactionId !== undefined;
}

export const NAMES_NO_PAYMENT = refusedInput(mistake('payment-or-transaction', 'payment'));
