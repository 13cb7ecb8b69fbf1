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

/** The content of an invoice, the same by mail and as a document. */
export interface InvoiceContent {
  visits: ContentLine[];
  /** Prepaid days. */
  quotas: ContentLine[];
  fees: ContentLine[];
  /** All discounts together, or nothing. */
  discount: ContentLine[];
  /** The VAT by rate. */
  vat: VatPart[];
  /** The amounts without VAT, with the reason. */
  noVat: ContentLine[];
}

export function invoiceContent(
  { lines, vat }: Pick<InvoiceRow, 'lines' | 'vat'>,
  language: OfficeLanguage,
): InvoiceContent {
  const discount = lines.reduce((sum, line) => sum + (line.rule === 'discount' ? line.amountMinor : 0), 0);
  const ofRules = (...rules: readonly InvoiceLine['rule'][]) =>
    lines
      .filter(({ rule }) => rules.includes(rule))
      .map((line) => ({
        what: lineText(line, language),
        stay: line.rule === 'visit' ? line : null,
        amountMinor: line.amountMinor,
      }));
  return {
    visits: ofRules('visit'),
    quotas: ofRules('quota'),
    fees: ofRules('late-fee', 'service-fee', 'reminder-charge'),
    discount:
      discount === 0 ? [] : [{ what: INVOICE_WORDS[language].discount, stay: null, amountMinor: discount }],
    vat: vat.filter(({ vatMinor }) => vatMinor !== 0),
    noVat: vat.flatMap((part) => {
      const what = noVatText(part, priceTexts(language));
      return what === null ? [] : [{ what, stay: null, amountMinor: part.netMinor }];
    }),
  };
}

/** The text of a line. */
export function lineText(
  { rule, visitId, plate, name, units, noticeAt }: InvoiceLine,
  language: OfficeLanguage,
): string {
  const words = INVOICE_WORDS[language];
  switch (rule) {
    case 'visit':
      // A part of all that a credit note takes back names no visit.
      return visitId === null ? words.part : `${words.visit} ${plate ?? '–'}`;
    case 'quota':
      return words.quota({ name: name ?? '', units: Math.abs(units) });
    case 'late-fee':
    case 'service-fee':
      return words.fee({ plate: plate ?? '–', notice: dayOf(noticeAt) });
    case 'reminder-charge':
      return words.reminderCharge({ number: name ?? '–', notice: dayOf(noticeAt) });
    case 'discount':
      return words.discount;
  }
}

function dayOf(at: string | undefined): string | null {
  return at?.slice(0, 'YYYY-MM-DD'.length) ?? null;
}
