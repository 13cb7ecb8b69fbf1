/**
 * What an account of the bookkeeping is for. An office maps each to an account of its own chart; some have a detail, such
 * as the rate of VAT.
 */
export const BOOK_ROLES = [
  /** Stays, discounts taken off. */
  'income',
  'fee-income',
  /** Prepaid units. */
  'prepaid-income',
  'vat',
  /** Tips that were paid beside the price. */
  'tips',
  /** Card payments that the provider has not settled. */
  'card-clearing',
  /** What a person has received: cash, a transfer. */
  'received',
  'receivables',
  /** Credited by hand, while no money went back. */
  'refunds',
  /** Settled by the provider, and not at the bank yet. */
  'provider-balance',
  'provider-fees',
  'provider-adjustments',
  /** Taken off a claim at a bank, for a payment in time. */
  'claim-discount',
  /** Interest and costs that came with claims at banks. */
  'claim-extra',
  'bank',
  'rounding',
] as const;
export type BookRole = (typeof BOOK_ROLES)[number];
