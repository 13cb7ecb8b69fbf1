import type { Language } from '@hlid/protocol/base/language';

/** A line of a paper beside its amounts: a name and a value. */
export type Fact = readonly [name: string, value: string];

/** A fact that a paper has only where its value is known. */
export function maybeFact(name: string, value: string | null | undefined): Fact[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

/** A row of amounts. */
export interface PaperRow {
  what: string;
  notes: readonly string[];
  amount: string;
}

/** A receipt, an invoice or a credit note, in the words of its reader: the same as a page, and as a PDF file. */
export interface Paper {
  language: Language;
  /** The title of the window and of the file. */
  title: string;
  /** Over everything else: that the paper is of training, and no real document. Null: it is real. */
  mark: string | null;
  heading: string;
  /** A `data:` address: pictures are not loaded. Absent: ours. */
  logo: string | undefined;
  /** The address of the paper on the web: on paper it is a QR code. */
  address: string | null;
  standing: { text: string; mood: 'paid' | 'checking' | 'not-paid' | 'refunded' } | null;
  amount: string;
  facts: readonly Fact[];
  table: {
    caption: string;
    what: string;
    amount: string;
    rows: readonly PaperRow[];
    total: { what: string; amount: string };
    /** The amounts that the total includes, such as the VAT. */
    parts: readonly { what: string; amount: string }[];
  };
  /** The facts below the table, such as the seller. */
  below: readonly Fact[];
  howToPay: {
    heading: string;
    facts: readonly Fact[];
    /** The page where it is paid by card, also as a QR code, and what else can be done there. */
    page: { text: string; url: string; note: string } | null;
  } | null;
}
