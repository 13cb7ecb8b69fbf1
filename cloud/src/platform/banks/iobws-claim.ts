import { minorUnitDigits } from '@hlid/protocol/base/money';
import { z } from 'zod';
import type { ClaimAtBank, ClaimKey, ClaimPayment, ClaimTerms, DayAmount, NewClaim } from './bank.ts';

/** The objects of ÍST TS 315:2025, as the public IOBWS-Claims3.1.yaml describes them. Amounts are in the main unit. */

const amount = z.number().min(-1e12).max(1e12);
const day = z.iso.date();
const text = z.string().max(500);

const KeySchema = z.looseObject({
  claimantId: z.string().regex(/^\d{10}$/),
  account: z.string().regex(/^\d{12}$/),
  dueDate: day,
});

const STATUSES = { Unpaid: 'unpaid', Paid: 'paid', Cancelled: 'cancelled' } as const;
const COLLECTION = {
  PrimaryCollection: 'primary',
  WaitingForSecondary: 'waiting',
  SecondaryCollection: 'secondary',
  LegalCollection: 'legal',
} as const;

export const ClaimSchema = z.looseObject({
  claimKey: KeySchema,
  payorId: z.string(),
  claimStatus: z.enum(['Unpaid', 'Paid', 'Cancelled']),
  collectionState: z
    .enum(['PrimaryCollection', 'WaitingForSecondary', 'SecondaryCollection', 'LegalCollection'])
    .optional(),
  amount,
  totalAmountDue: amount.optional(),
  finalDueDate: day,
  isPartiallyPaid: z.boolean().optional(),
  currency: z.string().optional(),
  reference: text.nullish(),
});

const PaymentSchema = z.looseObject({
  bookingDate: day,
  valueDate: day.optional(),
  depositedAmount: amount,
  totalAmountPaid: amount,
  noticeChargeAmountPaid: amount.optional(),
  defaultChargeAmountPaid: amount.optional(),
  otherCostsAmountPaid: amount.optional(),
  otherDefaultCostsAmountPaid: amount.optional(),
  defaultInterestAmountPaid: amount.optional(),
  discountAmountGiven: amount.optional(),
});

/** The kinds of events that move money, and the way. `RefundPayment` is of claims that pay somebody: we make none. */
const PAID: Readonly<Record<string, ClaimPayment['kind']>> = {
  Payment: 'payment',
  PartialPayment: 'payment',
  ReversedPayment: 'reversal',
  ReversedPartialPayment: 'reversal',
};

export const HistorySchema = z
  .array(
    z.looseObject({
      transactionType: z.string(),
      transactionDate: z.string().max(40),
      payment: PaymentSchema.nullish(),
    }),
  )
  .max(1000);
export type ClaimEvent = z.infer<typeof HistorySchema>[number];

/** An answer to a change: one of both is there. */
export const ActionSchema = z.looseObject({
  success: z.looseObject({ claimKey: KeySchema }).nullish(),
  error: z.looseObject({ resultCode: z.string(), resultMessage: text.nullish() }).nullish(),
});

export function claimId({ claimantId, account, dueOn }: ClaimKey): string {
  return `${claimantId}${account}+${dueOn.replaceAll('-', '')}`;
}

export function isKey(key: ClaimKey, answered: z.infer<typeof KeySchema>): boolean {
  const { claimantId, account, dueDate } = answered;
  return claimantId === key.claimantId && account === key.account && dueDate === key.dueOn;
}

/** @returns null: an amount is finer than the currency */
export function claimFrom(key: ClaimKey, read: z.infer<typeof ClaimSchema>): ClaimAtBank | null {
  const currency = read.currency ?? 'ISK';
  const amountMinor = minorOf(read.amount, currency);
  const dueMinor = read.totalAmountDue === undefined ? null : minorOf(read.totalAmountDue, currency);
  if (amountMinor === null || (dueMinor === null && read.totalAmountDue !== undefined)) return null;
  return {
    key,
    payorId: read.payorId,
    reference: read.reference ?? null,
    status: STATUSES[read.claimStatus],
    collection: COLLECTION[read.collectionState ?? 'PrimaryCollection'],
    amountMinor,
    currency,
    finalDueOn: read.finalDueDate,
    isPartlyPaid: read.isPartiallyPaid ?? false,
    dueMinor,
  };
}

/** @returns null: they cannot be read */
export function paymentsFrom(events: readonly ClaimEvent[], currency: string): ClaimPayment[] | null {
  const payments: ClaimPayment[] = [];
  for (const { transactionType, transactionDate, payment } of events) {
    const kind = PAID[transactionType];
    if (kind === undefined) continue;
    const read = payment == null ? null : paymentFrom({ kind, at: transactionDate, payment, currency });
    if (read === null) return null;
    payments.push(read);
  }
  return payments;
}

function paymentFrom({
  kind,
  at,
  payment,
  currency,
}: {
  kind: ClaimPayment['kind'];
  at: string;
  payment: z.infer<typeof PaymentSchema>;
  currency: string;
}): ClaimPayment | null {
  // Some banks write what was taken back below zero.
  const minor = (value = 0) => minorOf(Math.abs(value), currency);
  const totalMinor = minor(payment.totalAmountPaid);
  const depositedMinor = minor(payment.depositedAmount);
  const interestMinor = minor(payment.defaultInterestAmountPaid);
  const discountMinor = minor(payment.discountAmountGiven);
  const costs = [
    payment.noticeChargeAmountPaid,
    payment.defaultChargeAmountPaid,
    payment.otherCostsAmountPaid,
    payment.otherDefaultCostsAmountPaid,
  ].map((cost) => minor(cost));
  if (totalMinor === null || depositedMinor === null || interestMinor === null || discountMinor === null) {
    return null;
  }
  let costsMinor = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    costsMinor += cost;
  }
  return {
    kind,
    at,
    bookedOn: payment.bookingDate,
    valueOn: payment.valueDate ?? payment.bookingDate,
    principalMinor: totalMinor - costsMinor - interestMinor + discountMinor,
    discountMinor,
    interestMinor,
    costsMinor,
    depositedMinor,
  };
}

function minorOf(value: number, currency: string): number | null {
  const scaled = value * 10 ** minorUnitDigits(currency);
  const minor = Math.round(scaled);
  return Math.abs(scaled - minor) < 1e-6 ? minor : null;
}

function mainOf(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** minorUnitDigits(currency);
}

/** The body of a new claim. */
export function createBody(claim: NewClaim): object {
  const { key, payorId, templateCode, reference, billNumber, text: additionalInformation } = claim;
  return {
    claimKey: { claimantId: key.claimantId, account: key.account, dueDate: key.dueOn },
    payorId,
    templateCode,
    claimType: 'NormalClaim',
    ...termsBody(claim),
    reference,
    billNumber,
    additionalInformation,
  };
}

/** The terms in a merge patch: null takes a field away. */
export function patchBody(terms: ClaimTerms): object {
  return { discount: null, defaultCharge: null, defaultInterest: null, ...termsBody(terms) };
}

function termsBody(terms: ClaimTerms): object {
  const { amountMinor, currency, finalDueOn, discount, takesPartPayments } = terms;
  const { defaultCharge, hasInterest, interestFrom } = terms;
  const first = ({ days, amountMinor: value }: DayAmount) => ({
    chargeType: 'Amount',
    day: days,
    value: mainOf(value, currency),
  });
  return {
    amount: mainOf(amountMinor, currency),
    currency,
    finalDueDate: finalDueOn,
    isPartialPaymentAllowed: takesPartPayments,
    ...(discount !== null && { discount: { referenceDate: 'DueDate', first: first(discount) } }),
    ...(defaultCharge !== null && {
      defaultCharge: { referenceDate: 'FinalDueDate', first: first(defaultCharge) },
    }),
    ...(hasInterest && {
      defaultInterest: {
        referenceDate: interestFrom === 'final-due' ? 'FinalDueDate' : 'DueDate',
        baseAmountType: 'Amount',
        baseTimeType: '360',
      },
    }),
  };
}
