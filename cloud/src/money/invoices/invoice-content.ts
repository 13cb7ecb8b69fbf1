import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { VatPart } from '@hlid/protocol/base/vat';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { noVatText } from '@hlid/protocol/words/vat-words';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import type { InvoiceRow } from './invoice-store.ts';
import { INVOICE_WORDS } from './invoice-words.ts';

/** A line as its reader sees it. */
export interface ContentLine {
  what: string;
  /** The invoice's own line of a visit; null: the line is of something else. */
  stay: InvoiceLine | null;
  amountMinor: number;
}

/** What an invoice asks for, the same by mail and as a document. */
export interface InvoiceContent {
  visits: ContentLine[];
  /** Prepaid days. */
  quotas: ContentLine[];
  fees: ContentLine[];
  /** All discounts together, or nothing. */
  discount: ContentLine[];
  /** The VAT by rate. */
  vat: VatPart[];
  /** What has no VAT, with the reason. */
  noVat: ContentLine[];
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
      .map((line) => ({
        // A part of all that a credit note takes back names no visit.
        what: line.visitId === null ? words.part : `${words.visit} ${line.plate ?? '–'}`,
        stay: line,
        amountMinor: line.amountMinor,
      })),
    quotas: lines
      .filter(({ rule }) => rule === 'quota')
      .map(({ name, units, amountMinor }) => ({
        what: words.quota({ name: name ?? '', units: Math.abs(units) }),
        stay: null,
        amountMinor,
      })),
    fees: lines
      .filter(({ rule }) => rule === 'late-fee' || rule === 'service-fee')
      .map(({ plate, noticeAt, amountMinor }) => ({
        what: words.fee({ plate: plate ?? '–', notice: noticeAt?.slice(0, 'YYYY-MM-DD'.length) ?? null }),
        stay: null,
        amountMinor,
      })),
    discount: discount === 0 ? [] : [{ what: words.discount, stay: null, amountMinor: discount }],
    vat: vat.filter(({ vatMinor }) => vatMinor !== 0),
    noVat: vat.flatMap((part) => {
      const what = noVatText(part, priceTexts(language));
      return what === null ? [] : [{ what, stay: null, amountMinor: part.netMinor }];
    }),
  };
}
