import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { refusedInput } from '../../../platform/refused.ts';
import { amountText, fineAmount, PLAIN_NUMBERS } from '../amount-text.ts';
import { type CsvRow, csvRows, keyOf, wrongCell } from '../csv-rows.ts';
import { MAX_FILE_MISTAKES, type ReadFile, type SettlementRowKind } from '../file-content.ts';
import { type DayAndMoment, dayAndMoment } from '../moment-text.ts';
import { assembleBatches, BatchesOfFile, type FineRow, setPayout } from './assemble-batches.ts';

/** The columns of Stripe's report `payout_reconciliation.itemized.5` that must be there. */
export const STRIPE_COLUMNS = [
  'automatic_payout_id',
  'balance_transaction_id',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
] as const;

const CATEGORIES: Readonly<Record<string, SettlementRowKind | 'payout'>> = {
  charge: 'sale',
  refund: 'refund',
  refund_failure: 'refund-reversed',
  dispute: 'chargeback',
  dispute_reversal: 'chargeback-reversed',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  payout: 'payout',
  payout_reversal: 'payout-failed',
  other_adjustment: 'adjustment',
  risk_reserved_funds: 'adjustment',
  topup: 'adjustment',
};

/**
 * Reads a payout reconciliation report of Stripe. It has no row for the payout itself: the payout is the sum of its rows.
 * What is in no payout yet comes again in a later report, and is left out.
 *
 * @param timeZone of the report, for times without `_utc`
 */
export function readStripe(text: string, timeZone: string): ReadFile {
  const csv = csvRows(text, { delimiter: ',', required: [...STRIPE_COLUMNS] });
  if (!csv.ok) return csv;
  const created = momentColumn(csv.columns, 'created');
  if (created === null) return refusedInput(mistake('file-columns', [], { columns: ['created'] }));
  const effective = momentColumn(csv.columns, 'automatic_payout_effective_at');
  const batches = new BatchesOfFile();
  const [mistakes, warnings]: [Mistake[], Mistake[]] = [[], []];
  const outside = new Map<string, number>();
  for (const row of csv.rows) {
    const read = readRow(row, created, timeZone);
    if ('code' in read) {
      mistakes.push(read);
      continue;
    }
    const payout = row.cell('automatic_payout_id');
    if (payout === '') {
      outside.set(read.currency, (outside.get(read.currency) ?? 0) + read.grossFine - read.feeFine);
      continue;
    }
    const paid = effective === null ? null : momentIn(row, effective, timeZone);
    if (paid !== null && 'code' in paid) {
      mistakes.push(paid);
      continue;
    }
    if (read.kind === 'adjustment' && CATEGORIES[row.cell('reporting_category')] === undefined) {
      const kind = row.cell('reporting_category');
      warnings.push(mistake('row-kind-unknown', [], { line: String(row.line), kind }));
    }
    warnings.push(...addRow(batches, payout, read, paid?.day ?? read.bookedOn));
  }
  if (mistakes.length > 0) return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  for (const [currency, sum] of outside) {
    warnings.push(mistake('batch-without-payout', [], { batch: '-', sum: amountText(sum, currency) }));
  }
  const all = batches.all();
  return all.length === 0 ? refusedInput(mistake('file-no-rows')) : assembleBatches('stripe', all, warnings);
}

type StripeRow = Omit<FineRow, 'kind'> & { kind: SettlementRowKind | 'payout' };

/** Puts a row into its batch. A payout that failed later is a batch of its own: what the bank gives back. */
function addRow(batches: BatchesOfFile, payout: string, row: StripeRow, paidOn: string): Mistake[] {
  const { line, currency, kind } = row;
  const batch = batches.of(null, payout, currency);
  if (kind === 'payout') {
    setPayout(batch, { line, fine: row.feeFine - row.grossFine }, paidOn);
    return [];
  }
  if (kind !== 'payout-failed') {
    batch.rows.push({ ...row, kind });
    batch.isPaid = true;
    batch.paidOn ??= paidOn;
    return [];
  }
  const failed = batches.of(null, `${payout}:failed`, currency);
  failed.rows.push({ ...row, kind, grossFine: 0 - row.grossFine, feeFine: 0 - row.feeFine, netFine: null });
  failed.isPaid = true;
  failed.hasFailed = true;
  failed.paidOn ??= row.bookedOn;
  batch.hasFailed = true;
  const back = amountText(row.grossFine - row.feeFine, currency);
  return [mistake('batch-failed', [], { line: String(line), batch: payout, payout: back })];
}

function readRow(row: CsvRow, created: string, timeZone: string): StripeRow | Mistake {
  const { cell, line } = row;
  const currency = cell('currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return wrongCell(row, 'currency', 'currency');
  const moment = momentIn(row, created, timeZone);
  if ('code' in moment) return moment;
  const [gross, fee, net] = ['gross', 'fee', 'net'].map((column) =>
    fineAmount(cell(column), currency, PLAIN_NUMBERS),
  );
  if (gross === null || gross === undefined) return wrongCell(row, 'gross', 'amount');
  if (fee === null || fee === undefined) return wrongCell(row, 'fee', 'amount');
  if (net === null || net === undefined) return wrongCell(row, 'net', 'amount');
  const kind = CATEGORIES[cell('reporting_category')] ?? 'adjustment';
  // What Stripe charges apart from a payment is an amount that goes out, without a fee.
  const isFee = kind === 'fee';
  return {
    line,
    kind,
    reference: cell('payment_intent_id') || cell('charge_id') || cell('source_id') || null,
    ownReference: cell('source_id') || cell('balance_transaction_id') || null,
    merchantReference: cell('payment_metadata[hlid_order]') || null,
    authorisation: null,
    terminal: null,
    lastFour: cell('card_last4') || null,
    method: cell('card_brand') || cell('payment_method_type') || null,
    at: moment.at,
    bookedOn: moment.day,
    currency,
    grossFine: isFee ? 0 : gross,
    feeFine: isFee ? fee - gross : fee,
    netFine: net,
  };
}

function momentColumn(columns: ReadonlySet<string>, name: string): string | null {
  return [`${name}_utc`, name].find((column) => columns.has(keyOf(column))) ?? null;
}

function momentIn(row: CsvRow, column: string, timeZone: string): DayAndMoment | Mistake {
  const zone = column.endsWith('_utc') ? 'UTC' : timeZone;
  return dayAndMoment(row.cell(column), 'YYYY-MM-DD', zone) ?? wrongCell(row, column, 'time');
}
