/**
 * The states of records, lanes and gates that people read about, each in the order in which it is usually reached. They
 * stand by themselves, since the words of refusals name them and the records know the words. `status-words` has the
 * words for them.
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

export const LANE_STATES = ['now', 'waiting', 'idle'] as const;
export type LaneState = (typeof LANE_STATES)[number];

/** `none`: the lane has no gate, and cars drive through. */
export const GATE_STATES = [
  'closed',
  'opening',
  'open',
  'held-open',
  'kept-closed',
  'unknown',
  'none',
] as const;
export type GateState = (typeof GATE_STATES)[number];

/** The actor that decides about a gate: the lane, or a person who holds it open or keeps it closed. */
export const GATE_MODES = ['automatic', 'held-open', 'kept-closed'] as const;
export type GateMode = (typeof GATE_MODES)[number];

/** The outcome of a car at its gate; `let-through`: the gate was open, and had no command. */
export const PASSAGE_OUTCOMES = [
  'opened',
  'opening',
  'let-through',
  'opened-by-hand',
  'not-opened',
  'unconfirmed',
  'kept-closed',
] as const;
export type PassageOutcome = (typeof PASSAGE_OUTCOMES)[number];

/** The one wording of each state: for console, lanes page, papers, mails, files and refusals. */
export interface StatusWords {
  visit: Record<VisitStatus, string>;
  /** How a visit was settled. */
  settlement: Record<PaymentStatus, string>;
  payment: Record<PaymentState, string>;
  invoice: Record<InvoiceStatus, string>;
  /** How far the accounting system has an invoice. */
  accounting: Record<RemoteStatus, string>;
  lane: Record<LaneState, string>;
  gate: Record<GateState, string>;
  gateMode: Record<GateMode, string>;
  passage: Record<PassageOutcome, string>;
}
