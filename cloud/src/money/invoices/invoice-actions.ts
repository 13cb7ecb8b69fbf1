import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { mayBecome, mayBeMarked, type RemoteStatus } from '@hlid/protocol/records/invoice';
import { type ActionRules, ALWAYS, actionsSchema } from '../../people/auth/record-actions.ts';
import { type DisputesOfOne, refuseDispute } from '../../records/disputes/dispute-rule.ts';
import { type EInvoiceRow, isHandedOver } from '../../records/invoices/e-invoice-store.ts';
import type { InvoiceRow } from './invoice-store.ts';

export const INVOICE_ACTION_NAMES = [
  'edit',
  'set-payer',
  'mark-paid',
  'mark-accounting',
  'mark-publishing',
  'send',
  'receipt',
  'chargeback',
  'reverse',
  'credit',
  'contest',
  'refund',
  'pay-link',
  'payment',
] as const;
export type InvoiceAction = (typeof INVOICE_ACTION_NAMES)[number];

type Row = Pick<
  InvoiceRow,
  | 'status'
  | 'number'
  | 'issuedAt'
  | 'paymentType'
  | 'paymentId'
  | 'remoteStatus'
  | 'publishStatus'
  | 'creditOf'
  | 'amountMinor'
  | 'openRefundMinor'
>;

/** Why nothing is done with the card payment that has paid an invoice, or made it; null: it can be done. */
export interface PaymentRefusals {
  /** There is none. */
  see: Mistake | null;
  chargeback: Mistake | null;
  reverse: Mistake | null;
  /** `books`: no payment online is given back, and a refund changes only the books. */
  refund: Mistake | 'books' | null;
}

/** The facts that decide about the actions of an invoice. */
export interface InvoiceFacts extends Row {
  customerId: string | null;
  /** How far it is on its way to an access point; null: it is not sent electronically. */
  eInvoice: Pick<EInvoiceRow, 'state'> | null;
  disputes: DisputesOfOne;
  /** The caller sees its visit, and something was paid for that and not given back. */
  hasReceipt: boolean;
  payments: PaymentRefusals;
  /** A visit of it that no credit note has taken off. */
  hasVisitLeft: boolean;
  /** It is open, and one of its sites takes cards online. */
  canBePaid: boolean;
}

const CHANGE = 'PUT /invoice/:id';

/** The actions of an invoice, and when each is possible. The commands refuse by these rules. */
export const INVOICE_ACTIONS = {
  edit: { route: CHANGE, refuse: ALWAYS },
  'set-payer': {
    route: CHANGE,
    refuse: (invoice: WaitingRow) => (isWaiting(invoice) ? null : mistake('invoice-issued', 'payer')),
  },
  'mark-paid': {
    route: CHANGE,
    refuse: (invoice: WaitingRow) => {
      if (invoice.status === 'paid') return 'nothing-to-do' as const;
      return refusePaid(invoice) ?? refuseWaiting(invoice, 'status');
    },
  },
  'mark-accounting': {
    route: CHANGE,
    refuse: (invoice: WaitingRow & Pick<Row, 'remoteStatus'>) =>
      refuseMark(invoice.remoteStatus, 'failed', 'remoteStatus') ?? refuseWaiting(invoice, 'remoteStatus'),
  },
  'mark-publishing': {
    route: CHANGE,
    refuse: ({ publishStatus, eInvoice }: Pick<InvoiceFacts, 'publishStatus' | 'eInvoice'>) =>
      refusePublishing(publishStatus, 'failed') ?? refuseOtherChannel(eInvoice),
  },
  send: {
    route: 'POST /invoice/:id/send',
    refuse: ({ number, customerId, eInvoice }: Pick<InvoiceFacts, 'number' | 'customerId' | 'eInvoice'>) => {
      if (number === null) return mistake('invoice-not-issued');
      if (eInvoice === null) return customerId === null ? mistake('e-invoice-no-customer') : null;
      return eInvoice.state === 'refused' ? null : mistake('e-invoice-under-way');
    },
  },
  receipt: {
    route: 'POST /visit/:id/receipt',
    refuse: ({ hasReceipt }: Pick<InvoiceFacts, 'hasReceipt'>) =>
      hasReceipt ? null : mistake('nothing-paid'),
  },
  chargeback: {
    route: 'POST /payments/:id/chargeback',
    refuse: ({ payments }: Pick<InvoiceFacts, 'payments'>) => payments.chargeback,
  },
  reverse: {
    route: 'POST /payments/:id/reverse',
    refuse: ({ payments }: Pick<InvoiceFacts, 'payments'>) => payments.reverse,
  },
  credit: {
    route: 'POST /invoice/:id/credit',
    refuse: ({ hasVisitLeft, ...invoice }: CreditedRow & Pick<InvoiceFacts, 'hasVisitLeft'>) =>
      refuseCredit(invoice) ?? (hasVisitLeft ? null : mistake('line-credited', 'visitIds')),
  },
  contest: {
    route: 'POST /invoice/:id/dispute',
    refuse: ({ number, creditOf, disputes }: Pick<InvoiceFacts, 'number' | 'creditOf' | 'disputes'>) => {
      if (number === null) return mistake('invoice-not-issued');
      return creditOf === null ? refuseDispute(disputes) : mistake('credit-note-contested');
    },
  },
  refund: {
    route: 'POST /invoice/:id/refund',
    refuse: ({
      payments: { refund },
      ...invoice
    }: RefundedRow & { payments: Pick<PaymentRefusals, 'refund'> }) =>
      refund === 'books' ? refuseRefundInBooks(invoice) : refund,
  },
  'pay-link': {
    route: 'POST /invoice/:id/pay-link',
    refuse: ({ canBePaid }: Pick<InvoiceFacts, 'canBePaid'>) =>
      canBePaid ? null : mistake('invoice-not-payable'),
  },
  payment: {
    route: 'GET /payments/:id',
    refuse: ({ payments }: Pick<InvoiceFacts, 'payments'>) => payments.see,
  },
} satisfies ActionRules<InvoiceAction, InvoiceFacts>;

export const InvoiceActionsSchema = actionsSchema(INVOICE_ACTION_NAMES, INVOICE_ACTIONS);

type WaitingRow = Pick<Row, 'status' | 'number' | 'issuedAt' | 'paymentType'>;

/** Whether an invoice waits for its payer, and is issued then. */
export function isWaiting({ status, number, issuedAt, paymentType }: WaitingRow): boolean {
  return status === 'draft' && number === null && issuedAt === null && paymentType !== 'online';
}

export function refuseWaiting(invoice: WaitingRow, path: 'status' | 'remoteStatus'): Mistake | null {
  return isWaiting(invoice) ? mistake('payer-first', path) : null;
}

/** Refuses while a payment of unknown outcome belongs to the invoice: the provider alone knows its state. */
export function refusePaid({ status, number, paymentType }: WaitingRow): Mistake | null {
  const isUnknown = status === 'incomplete' || (paymentType === 'online' && number === null);
  return isUnknown || !mayBecome(status, 'paid')
    ? mistake('invoice-cannot-become', 'status', { from: status, to: 'paid' })
    : null;
}

export function refuseMark(
  from: RemoteStatus,
  to: RemoteStatus,
  path: 'remoteStatus' | 'publishStatus',
): Mistake | null {
  return mayBeMarked(from, to) ? null : mistake('mark-cannot-become', path, { from, to });
}

/** @param from null: no system publishes it */
export function refusePublishing(from: RemoteStatus | null, to: RemoteStatus): Mistake | null {
  return from === null ? mistake('not-to-publish', 'publishStatus') : refuseMark(from, to, 'publishStatus');
}

/** What an access point has, or may have, is published by no other system. */
export function refuseOtherChannel(eInvoice: InvoiceFacts['eInvoice']): Mistake | null {
  return eInvoice !== null && isHandedOver(eInvoice) ? mistake('e-invoice-under-way', 'publishStatus') : null;
}

type CreditedRow = Pick<Row, 'number' | 'creditOf' | 'paymentType' | 'status' | 'paymentId'>;

/** Why an invoice is not corrected by its visits. Money that was received by card is refunded instead. */
export function refuseCredit({
  number,
  creditOf,
  paymentType,
  status,
  paymentId,
}: CreditedRow): Mistake | null {
  const isInvoice = paymentType === 'company-invoice' || paymentType === 'owner-invoice';
  const isStanding = status === 'draft' || status === 'paid';
  const can = isInvoice && isStanding && paymentId === null && number !== null && creditOf === null;
  return can ? null : mistake('credit-invoices-only');
}

type RefundedRow = Pick<Row, 'status' | 'openRefundMinor' | 'amountMinor' | 'creditOf'>;

function refuseRefundInBooks({
  status,
  openRefundMinor,
  amountMinor,
  creditOf,
}: RefundedRow): Mistake | null {
  if (status === 'refunded') return mistake('invoice-refunded');
  // One rule with the card: what may have gone back counts as given.
  if (openRefundMinor > 0) return mistake('refund-unclear');
  if (amountMinor < 0 || creditOf !== null) return mistake('credit-note');
  return mayBecome(status, 'refunded') ? null : mistake('refund-paid-only', [], { status });
}
