import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { isTimeZone } from '@hlid/protocol/base/site-time';
import { refusedInput } from '../../../platform/refused.ts';
import { amountText, fineAmount, PLAIN_NUMBERS } from '../amount-text.ts';
import { type CsvRow, csvRows, wrongCell } from '../csv-rows.ts';
import { MAX_FILE_MISTAKES, type ReadFile, type SettlementRowKind } from '../file-content.ts';
import { dayAndMoment } from '../moment-text.ts';
import { assembleBatches, BatchesOfFile, type FineRow, setPayout } from './assemble-batches.ts';

/** The columns of Adyen's settlement detail report that are read. It has more; they do not count. */
export const ADYEN_COLUMNS = {
  account: 'Merchant Account',
  reference: 'Psp Reference',
  merchantReference: 'Merchant Reference',
  method: 'Payment Method',
  created: 'Creation Date',
  timeZone: 'TimeZone',
  type: 'Type',
  ownReference: 'Modification Reference',
  grossCurrency: 'Gross Currency',
  grossDebit: 'Gross Debit (GC)',
  grossCredit: 'Gross Credit (GC)',
  netCurrency: 'Net Currency',
  netDebit: 'Net Debit (NC)',
  netCredit: 'Net Credit (NC)',
  commission: 'Commission (NC)',
  markup: 'Markup (NC)',
  schemeFees: 'Scheme Fees (NC)',
  interchange: 'Interchange (NC)',
  batch: 'Batch Number',
} as const;
const C = ADYEN_COLUMNS;

const FEES = [C.commission, C.markup, C.schemeFees, C.interchange] as const;

/** The types of rows; `payout` and `transfer` are no rows of their own here. */
const TYPES: Readonly<Record<string, SettlementRowKind | 'payout' | 'transfer'>> = {
  Settled: 'sale',
  Refunded: 'refund',
  RefundedReversed: 'refund-reversed',
  Chargeback: 'chargeback',
  SecondChargeback: 'chargeback',
  ChargebackReversed: 'chargeback-reversed',
  Fee: 'fee',
  InvoiceDeduction: 'fee',
  MiscCosts: 'fee',
  PaymentCost: 'fee',
  BankInstructionReturned: 'payout-failed',
  ReserveAdjustment: 'adjustment',
  DepositCorrection: 'adjustment',
  ManualCorrected: 'adjustment',
  MerchantPayout: 'payout',
  Balancetransfer: 'transfer',
};

/** The report abbreviates time zones; summer time is in the abbreviation. */
const OFFSETS: Readonly<Record<string, string>> = {
  GMT: '+00:00',
  UTC: '+00:00',
  WET: '+00:00',
  BST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
};

/** Reads a settlement detail report of Adyen. Amounts are decimal in ISK too. */
export function readAdyen(text: string): ReadFile {
  const csv = csvRows(text, { delimiter: ',', required: Object.values(C) });
  if (!csv.ok) return csv;
  const batches = new BatchesOfFile();
  const [mistakes, warnings]: [Mistake[], Mistake[]] = [[], []];
  for (const row of csv.rows) {
    const read = readRow(row);
    if (!('netSigned' in read)) {
      mistakes.push(read);
      continue;
    }
    const { account, batch: reference, type, netSigned, ...fine } = read;
    const batch = batches.of(account, reference, fine.currency);
    const kind = TYPES[type];
    if (kind === 'payout') {
      setPayout(batch, { line: row.line, fine: 0 - netSigned }, fine.bookedOn);
    } else if (kind === 'transfer') {
      // The balance of a negative batch is made up here, and taken from the next.
      if (netSigned > 0) batch.carriedOutFine -= netSigned;
      else batch.carriedInFine += netSigned;
    } else {
      if (kind === undefined) {
        warnings.push(mistake('row-kind-unknown', [], { line: String(row.line), kind: type }));
      }
      if (kind === 'payout-failed') warnings.push(failedPayout(row.line, read));
      batch.rows.push({ ...fine, kind: kind ?? 'adjustment' });
    }
  }
  if (mistakes.length > 0) return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  return assembleBatches('adyen', batches.all(), warnings);
}

type AdyenRow = Omit<FineRow, 'kind'> & {
  account: string;
  batch: string;
  type: string;
  /** Negative: a debit. */
  netSigned: number;
};

function readRow(row: CsvRow): AdyenRow | Mistake {
  const { cell, line } = row;
  const currency = cell(C.netCurrency) || cell(C.grossCurrency);
  if (!/^[A-Z]{3}$/.test(currency)) return wrongCell(row, C.netCurrency, 'currency');
  const created = createdOf(row);
  if ('code' in created) return created;
  if (cell(C.batch) === '') return wrongCell(row, C.batch, 'number');
  if (cell(C.account) === '') return wrongCell(row, C.account, 'account');
  const amounts = new Map<string, number>();
  for (const column of [C.netDebit, C.netCredit, C.grossDebit, C.grossCredit, ...FEES]) {
    const isGross = column === C.grossDebit || column === C.grossCredit;
    const fine = fineAmount(cell(column) || '0', isGross ? cell(C.grossCurrency) : currency, PLAIN_NUMBERS);
    if (fine === null) return wrongCell(row, column, 'amount');
    amounts.set(column, fine);
  }
  const of = (column: string) => amounts.get(column) ?? 0;
  const netSigned = of(C.netCredit) - of(C.netDebit);
  const charged = FEES.reduce((sum, column) => sum + of(column), 0);
  const isFee = TYPES[cell(C.type)] === 'fee';
  const feeFine = isFee ? 0 - netSigned : charged;
  const hasGross = cell(C.grossDebit) !== '' || cell(C.grossCredit) !== '';
  // In another currency, what was taken in the currency of the payout is in no column.
  const isSameCurrency = cell(C.grossCurrency) === currency;
  const isGiven = hasGross && isSameCurrency && !isFee;
  return {
    account: cell(C.account),
    batch: cell(C.batch),
    type: cell(C.type),
    netSigned,
    line,
    reference: cell(C.reference) || null,
    ownReference: cell(C.ownReference) || null,
    merchantReference: cell(C.merchantReference) || null,
    authorisation: null,
    terminal: null,
    lastFour: null,
    method: cell(C.method) || null,
    at: created.at,
    bookedOn: created.day,
    currency,
    grossFine: isGiven ? of(C.grossCredit) - of(C.grossDebit) : netSigned + feeFine,
    feeFine,
    netFine: isGiven ? netSigned : null,
  };
}

function createdOf(row: CsvRow) {
  const zone = row.cell(C.timeZone);
  const offset = OFFSETS[zone];
  if (offset === undefined && !isTimeZone(zone)) return wrongCell(row, C.timeZone, 'time zone');
  const text = `${row.cell(C.created)}${offset ?? ''}`;
  return dayAndMoment(text, 'YYYY-MM-DD', zone) ?? wrongCell(row, C.created, 'time');
}

function failedPayout(line: number, { batch, netSigned, currency }: AdyenRow): Mistake {
  return mistake('batch-failed', [], { line: String(line), batch, payout: amountText(netSigned, currency) });
}
