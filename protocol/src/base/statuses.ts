/**
 * The states of the records that people read about, each in the order in which it is usually reached. They stand by
 * themselves, since the words of refusals name them and the records know the words.
 */

export const VISIT_STATUSES = ['new', 'need-payment', 'need-plate', 'completed'] as const;
export type VisitStatus = (typeof VISIT_STATUSES)[number];

/** How a visit was settled. */
export const PAYMENT_STATUSES = [
  'whitelisted',
  'kiosk',
  'company-invoice',
  'owner-invoice',
  'failed',
  'void',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_STATES = [
  'created',
  'sent',
  'approved',
  'declined',
  'cancelled',
  'unknown',
  'settled',
  'reversed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const INVOICE_STATUSES = ['paid', 'refunded', 'incomplete', 'failed', 'draft'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** How far the accounting system has an invoice: `draft` waits for it. */
export const REMOTE_STATUSES = ['draft', 'completed', 'failed'] as const;
export type RemoteStatus = (typeof REMOTE_STATUSES)[number];
