import { readFileSync } from 'node:fs';
import type { BankMapping, SettlementMapping } from '../src/books/files/column-mapping.ts';

/** The bytes of a file of tests/fixtures/books. */
export function booksFile(name: string): Buffer {
  return readFileSync(new URL(`../../tests/fixtures/books/${name}`, import.meta.url));
}

/** The mapping of `rapyd-like.csv`. */
export const RAPYD_MAPPING: SettlementMapping = {
  kind: 'settlement',
  delimiter: ';',
  encoding: 'windows-1252',
  decimal: ',',
  thousands: '.',
  dateFormat: 'DD.MM.YYYY',
  timeZone: 'Atlantic/Reykjavik',
  skipLines: 1,
  currency: 'ISK',
  columns: {
    batch: 'Settlement no.',
    paidOn: 'Payment date',
    date: 'Date',
    kind: 'Type',
    terminal: 'Terminal',
    authorisation: 'Auth',
    lastFour: 'Card',
    gross: 'Amount',
    fee: 'Fee',
    net: 'Net',
  },
  kinds: { Sala: 'sale', Endurgreiðsla: 'refund', Þóknun: 'fee', Útborgun: 'payout' },
  signs: 'signed',
  fees: 'signed',
};

/** The mapping of `teya-like.csv`. */
export const TEYA_MAPPING: SettlementMapping = {
  kind: 'settlement',
  delimiter: ',',
  encoding: 'utf-8',
  decimal: '.',
  thousands: null,
  dateFormat: 'YYYY-MM-DD',
  timeZone: 'Atlantic/Reykjavik',
  skipLines: 0,
  currency: 'ISK',
  columns: {
    paidOn: 'payout_date',
    date: 'date',
    kind: 'type',
    reference: 'reference',
    gross: 'gross',
    fee: 'commission',
  },
  kinds: { PURCHASE: 'sale', REFUND: 'refund' },
  signs: 'by-kind',
  fees: 'costs',
};

/** The mapping of `bank.csv`. */
export const BANK_MAPPING: BankMapping = {
  kind: 'bank',
  delimiter: ';',
  encoding: 'windows-1252',
  decimal: ',',
  thousands: '.',
  dateFormat: 'DD.MM.YYYY',
  timeZone: 'Atlantic/Reykjavik',
  skipLines: 0,
  currency: 'ISK',
  columns: {
    date: 'Dags.',
    valueDate: 'Vaxtadags.',
    amount: 'Upphæð',
    balance: 'Staða',
    reference: 'Tilvísun',
    text: 'Skýring',
  },
};

/** A bank's CSV whose columns have the names of their fields. */
export const PLAIN_BANK_MAPPING: BankMapping = {
  ...BANK_MAPPING,
  delimiter: ',',
  encoding: 'utf-8',
  decimal: '.',
  thousands: null,
  dateFormat: 'YYYY-MM-DD',
  columns: { date: 'date', amount: 'amount', reference: 'reference', text: 'text' },
};
