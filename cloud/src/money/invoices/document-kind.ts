export const DOCUMENT_KINDS = ['invoice', 'credit-note'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The kind of a document by its sign: what takes a credit note back is an invoice again. */
export function documentKind({ amountMinor }: { amountMinor: number }): DocumentKind {
  return amountMinor < 0 ? 'credit-note' : 'invoice';
}
