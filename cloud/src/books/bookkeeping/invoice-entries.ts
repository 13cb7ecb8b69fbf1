import type { BookRole } from '@hlid/protocol/base/book-roles';
import { spreadAmount } from '@hlid/protocol/records/invoice';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { type LineOfSite, linesOfSites } from '../../money/invoices/vat-of-sites.ts';
import { type AccountUse, type Entry, type Leg, mergedLegs, vatDetail } from './entry.ts';

/** What the rules read of an invoice or credit note. */
export type BookedInvoice = Pick<
  InvoiceRow,
  | 'id'
  | 'number'
  | 'series'
  | 'creditOf'
  | 'cause'
  | 'productId'
  | 'paymentType'
  | 'amountMinor'
  | 'currency'
  | 'tipMinor'
  | 'lines'
  | 'vat'
  | 'incomeParts'
  | 'paidWith'
  | 'paidAt'
  | 'paymentId'
  | 'issuedAt'
>;

/** An invoice with what it takes back: for a credit note its invoice, for what takes a note back the note, then the invoice. */
export type Chain = readonly [BookedInvoice, ...BookedInvoice[]];

/** An invoice with what it takes back, and what that takes back. */
export function chainOf(invoice: BookedInvoice, known: ReadonlyMap<string, BookedInvoice>): Chain {
  const credited = invoice.creditOf === null ? undefined : known.get(invoice.creditOf);
  if (credited === undefined) return [invoice];
  return [invoice, ...chainOf(credited, known)];
}

/** The gateway of an online payment; undefined: the payment is not known any more. */
export type GatewayOf = (paymentId: string) => string | undefined;

/** The day of a moment at a site. */
export type DayOf = (siteId: string | null, at: string) => string;

const RULE_ROLES: Record<LineOfSite['rule'], BookRole> = {
  visit: 'income',
  discount: 'income',
  'late-fee': 'fee-income',
  'service-fee': 'fee-income',
  'reminder-charge': 'fee-income',
  quota: 'prepaid-income',
};

const HAND = 'hand:';

/**
 * An invoice or credit note in the books: income and VAT against where the money came from, or who owes it. One entry for
 * each of its sites.
 */
export function entriesOfInvoice(chain: Chain, gatewayOf: GatewayOf, dayOf: DayOf): Entry[] {
  const [invoice, credited] = chain;
  const { issuedAt, tipMinor, productId } = invoice;
  if (issuedAt === null) return [];
  const against = againstUse(chain, gatewayOf);
  const bySite = new Map<string | null, LineOfSite[]>();
  for (const line of linesOfSites(invoice)) {
    bySite.set(line.siteId, [...(bySite.get(line.siteId) ?? []), line]);
  }
  const [tippedSite] = invoice.incomeParts;
  return [...bySite].flatMap(([siteId, lines]) => {
    const tipped = tipMinor !== 0 && (tippedSite?.siteId ?? null) === siteId ? tipMinor : 0;
    const grossMinor = grossOf(lines) + tipped;
    const legs: Leg[] = [
      { use: against, amountMinor: grossMinor, vat: null },
      ...lines.flatMap((line) => legsOfLine(line, productId)),
      { use: { role: 'tips', details: [] }, amountMinor: 0 - tipped, vat: null },
    ];
    return entryOf(invoice, {
      kind: credited === undefined ? 'invoice' : 'credit-note',
      day: dayOf(siteId, issuedAt),
      siteId,
      creditOf: credited === undefined ? null : documentNumber(credited),
      legs,
    });
  });
}

/** What had been taken off an invoice before it was paid. */
export interface BeforePayment {
  notes: readonly BookedInvoice[];
  /** What claims at banks had paid of it. */
  claimedMinor: number;
}

/** The payment of an invoice that was issued unpaid: of what was left of it. */
export function entriesOfPayment(
  invoice: BookedInvoice,
  { notes, claimedMinor }: BeforePayment,
  gatewayOf: GatewayOf,
  dayOf: DayOf,
): Entry[] {
  const { paidAt, paidWith } = invoice;
  // What a claim has paid is booked as the bank has it.
  if (paidAt === null || paidWith === 'claim' || !isReceivable(invoice)) return [];
  const before = notes.filter(({ issuedAt }) => issuedAt !== null && issuedAt < paidAt);
  const bySite = new Map<string | null, number>();
  for (const document of [invoice, ...before]) {
    for (const { siteId, netMinor, vatMinor } of linesOfSites(document)) {
      bySite.set(siteId, (bySite.get(siteId) ?? 0) + netMinor + vatMinor);
    }
  }
  const debit = paidUse(invoice, gatewayOf);
  const claimed = spreadAmount(
    claimedMinor,
    [...bySite.values()].map((minor) => Math.max(0, minor)),
  );
  return [...bySite].flatMap(([siteId, askedMinor], n) => {
    const amountMinor = askedMinor - (claimed[n] ?? 0);
    return entryOf(invoice, {
      kind: 'payment',
      day: dayOf(siteId, paidAt),
      siteId,
      creditOf: null,
      legs: [
        { use: debit, amountMinor, vat: null },
        { use: receivables(invoice), amountMinor: 0 - amountMinor, vat: null },
      ],
    });
  });
}

/** A document as bookkeeping names it. Letters come first: no program takes it for a day or a number. */
export function documentNumber({ series, number }: Pick<BookedInvoice, 'series' | 'number'>): string {
  return `R${series ?? 0}-${number ?? 0}`;
}

function entryOf(
  invoice: BookedInvoice,
  { legs, ...rest }: Pick<Entry, 'kind' | 'day' | 'siteId' | 'creditOf' | 'legs'>,
): Entry[] {
  const merged = mergedLegs(legs);
  if (merged.length === 0) return [];
  const { id, currency } = invoice;
  const number = documentNumber(invoice);
  return [{ ...rest, id, number, path: `money/invoices/${id}`, currency, legs: merged }];
}

function legsOfLine(
  { rule, category, rate, netMinor, vatMinor }: LineOfSite,
  productId: string | null,
): Leg[] {
  const vat = { category, rate };
  const detail = vatDetail(vat);
  const role = RULE_ROLES[rule];
  const details = productId === null || role === 'fee-income' ? [detail] : [`product:${productId}`, detail];
  return [
    { use: { role, details }, amountMinor: 0 - netMinor, vat },
    { use: { role: 'vat', details: [detail] }, amountMinor: 0 - vatMinor, vat },
  ];
}

function grossOf(lines: readonly LineOfSite[]): number {
  return lines.reduce((sum, { netMinor, vatMinor }) => sum + netMinor + vatMinor, 0);
}

function isReceivable({ paymentType }: Pick<BookedInvoice, 'paymentType'>): boolean {
  return paymentType === 'company-invoice' || paymentType === 'owner-invoice';
}

/** The account that the money of an invoice came from or goes back to, or of those who owe it. */
function againstUse(chain: Chain, gatewayOf: GatewayOf): AccountUse {
  const [invoice, ...credited] = chain;
  const root = credited.at(-1);
  if (root === undefined) return isReceivable(invoice) ? receivables(invoice) : moneyUse(invoice, gatewayOf);
  // What takes a credit note back undoes what that note did.
  const note = credited.length > 1 ? (credited[0] ?? invoice) : invoice;
  const isByHand = note.cause.startsWith(HAND);
  if (!isReceivable(root)) {
    const isCard = root.paymentType === 'kiosk' || root.paymentType === 'online';
    return isByHand && isCard ? { role: 'refunds', details: [root.paymentType] } : moneyUse(root, gatewayOf);
  }
  // A card that has paid it gets its money back; else the customer owes less.
  const { paidAt, paymentId } = root;
  const isOfCard = paymentId !== null && paidAt !== null && (note.issuedAt ?? '') >= paidAt;
  return isOfCard && !isByHand ? paidUse(root, gatewayOf) : receivables(root);
}

export function receivables({ paymentType }: BookedInvoice): AccountUse {
  return { role: 'receivables', details: [paymentType] };
}

function moneyUse({ id, paymentType }: BookedInvoice, gatewayOf: GatewayOf): AccountUse {
  if (paymentType === 'kiosk') return TERMINALS;
  if (paymentType === 'online') return clearingOf(gatewayOf(id));
  return { role: 'received', details: [paymentType] };
}

function paidUse({ paidWith, paymentId }: BookedInvoice, gatewayOf: GatewayOf): AccountUse {
  if (paymentId !== null) return clearingOf(gatewayOf(paymentId));
  return { role: 'received', details: [paidWith ?? 'unknown'] };
}

const TERMINALS: AccountUse = { role: 'card-clearing', details: ['terminals'] };

/** @param gatewayId null: card terminals; undefined: not known any more */
export function clearingOf(gatewayId: string | null | undefined): AccountUse {
  if (gatewayId === null) return TERMINALS;
  return { role: 'card-clearing', details: [gatewayId ?? 'online'] };
}
