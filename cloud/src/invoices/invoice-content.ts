import type { VatPart } from '@hlid/protocol/invoice';
import type { SiteSettings } from '@hlid/protocol/lane';
import type { OfficeLanguage } from '@hlid/protocol/language';
import type { Queries } from '../db/db.ts';
import { siteById } from '../sites/choose-site.ts';
import type { InvoiceRow } from './invoice-store.ts';
import { INVOICE_WORDS } from './invoice-words.ts';

export type Seller = NonNullable<SiteSettings['seller']>;

/** A line as its reader sees it. */
export interface ContentLine {
  what: string;
  visitId: string | null;
  amountMinor: number;
}

/** What an invoice asks for, the same by mail and as a document. */
export interface InvoiceContent {
  visits: ContentLine[];
  fees: ContentLine[];
  /** All discounts together, or nothing. */
  discount: ContentLine[];
  /** By rate; rates without VAT are left out. */
  vat: VatPart[];
}

export function invoiceContent(
  { lines, vat }: Pick<InvoiceRow, 'lines' | 'vat'>,
  language: OfficeLanguage,
): InvoiceContent {
  const words = INVOICE_WORDS[language];
  const discount = lines.reduce((sum, line) => sum + (line.rule === 'discount' ? line.amountMinor : 0), 0);
  return {
    visits: lines
      .filter(({ rule }) => rule === 'visit')
      .map(({ plate, visitId, amountMinor }) => ({
        ...{ what: `${words.visit} ${plate ?? '–'}`, visitId, amountMinor },
      })),
    fees: lines
      .filter(({ rule }) => rule === 'late-fee' || rule === 'service-fee')
      .map(({ plate, noticeAt, amountMinor }) => ({
        what: words.fee(plate ?? '–', noticeAt?.slice(0, 'YYYY-MM-DD'.length)),
        visitId: null,
        amountMinor,
      })),
    discount: discount === 0 ? [] : [{ what: words.discount, visitId: null, amountMinor: discount }],
    vat: vat.filter(({ vatMinor }) => vatMinor !== 0),
  };
}

/** Who sells at these sites, each once. */
export async function sellersOf(q: Queries, siteIds: Iterable<string>): Promise<Seller[]> {
  const sellers = new Map<string, Seller>();
  for (const siteId of new Set(siteIds)) {
    const seller = (await siteById(q, siteId))?.settings.seller;
    if (seller !== undefined) sellers.set(JSON.stringify(seller), seller);
  }
  return [...sellers.values()];
}
