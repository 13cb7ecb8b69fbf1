import type {
  BankFact,
  BatchFact,
  ChargebackFact,
  ClaimFact,
  DayFacts,
  DayRow,
  DaySide,
  DayThing,
  FileFact,
  InvoiceFact,
  PaymentFact,
  ProviderFact,
  RefundFact,
  TerminalFact,
  VisitFact,
} from './day-facts.ts';
import { DAY_SIDES } from './day-facts.ts';

/**
 * The classes of what two sides do not agree about, in the order in which they are shown. `late`: it was expected, and its
 * day has passed.
 */
export const DIFFERENCE_CLASSES = [
  'visit-without-payment',
  'payment-without-visit',
  'terminal-only',
  'books-only',
  'amount-differs',
  'duplicate',
  'refund-one-sided',
  'fee-differs',
  'late',
  'chargeback',
  'payout-differs',
  'claim-extra',
  'claim-reversed',
  'bank-unknown',
  'currency-or-rounding',
  'file-missing-or-twice',
] as const;
export type DifferenceClass = (typeof DIFFERENCE_CLASSES)[number];

/** What two sides do not agree about, or not yet. */
export interface Finding {
  kind: DifferenceClass;
  /** Names it among all findings of its day, also when the day is compared again. */
  key: string;
  /** What is over, or lacks (negative), beside our books. */
  amountMinor: number;
  currency: string;
  rows: DayRow[];
}

/** One side has it, and the other is not due yet: from the day after `dueOn` on it is late. */
export interface Expected extends Finding {
  dueOn: string;
}

export interface ComparedDay {
  differences: Finding[];
  expected: Expected[];
  /** All rows of our own books and of what others reported, from which the columns add up. */
  rows: DayRow[];
}

/** A fee may differ from the contract by the rounding of a provider. */
const FEE_TOLERANCE_MINOR = 1;

type Found = Omit<Finding, 'key'> & { dueOn: string | null };

/**
 * Compares the sides of a day, pair by pair. Everything that is one-sided, different or late is one finding, and what agrees
 * is none. The order of the facts does not count.
 *
 * @param today the day on which it is compared
 */
export function compareDay(facts: DayFacts, today: string): ComparedDay {
  const found = [
    ...facts.visits.flatMap(visitFindings),
    ...facts.invoices.flatMap(invoiceFindings),
    ...facts.payments.flatMap(paymentFindings),
    ...facts.refunds.flatMap(refundFindings),
    ...facts.chargebacks.flatMap(chargebackFindings),
    ...facts.terminals.flatMap(terminalFindings),
    ...facts.strays.flatMap(strayFindings),
    ...facts.batches.flatMap(batchFindings),
    ...facts.bank.flatMap(bankFindings),
    ...facts.claims.flatMap(claimFindings),
    ...facts.files.map(fileFinding),
  ];
  const differences: Finding[] = [];
  const expected: Expected[] = [];
  for (const { dueOn, ...one } of found) {
    const finding: Finding = { ...one, key: `${one.kind} ${one.rows.map(keyOfRow).join(' ')}` };
    if (dueOn !== null && today <= dueOn) expected.push({ ...finding, dueOn });
    else differences.push(finding);
  }
  return { differences: differences.sort(inOrder), expected: expected.sort(inOrder), rows: rowsOf(facts) };
}

export function keyOfRow({ thing, id, label }: Pick<DayRow, 'thing' | 'id' | 'label'>): string {
  return thing === 'terminal-day' ? `${thing}:${id}:${label ?? ''}` : `${thing}:${id}`;
}

function inOrder(one: Finding, other: Finding): number {
  const rank = DIFFERENCE_CLASSES.indexOf(one.kind) - DIFFERENCE_CLASSES.indexOf(other.kind);
  return rank !== 0 ? rank : one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}

function finding(
  kind: DifferenceClass,
  amountMinor: number,
  rows: [DayRow, ...DayRow[]],
  dueOn: string | null = null,
): Found {
  return { kind, amountMinor, currency: rows[0].currency, rows, dueOn };
}

function visitFindings(visit: VisitFact): Found[] {
  const row = visitRow(visit);
  const { state, costMinor, leftMinor, documentsMinor } = visit;
  if (state === 'waived' || costMinor === 0) return [];
  if (state === 'unpaid') {
    return leftMinor > 0 ? [finding('visit-without-payment', 0 - leftMinor, [row])] : [];
  }
  if (documentsMinor === null) return [finding('visit-without-payment', 0 - costMinor, [row])];
  // Somebody who has paid for longer than the stay gets nothing back.
  const lacking = costMinor - leftMinor - documentsMinor;
  return lacking > 0 ? [finding('amount-differs', 0 - lacking, [row])] : [];
}

function invoiceFindings(invoice: InvoiceFact): Found[] {
  const row = invoiceRow(invoice);
  const { needsPayment, hasPayment, siteCurrency, currency, amountMinor } = invoice;
  const found: Found[] = [];
  if (needsPayment && !hasPayment) found.push(finding('visit-without-payment', 0 - amountMinor, [row]));
  if (siteCurrency !== null && siteCurrency !== currency) {
    found.push(finding('currency-or-rounding', amountMinor, [row]));
  }
  return found;
}

function paymentFindings(payment: PaymentFact): Found[] {
  const row = paymentRow(payment);
  const { state, amountMinor, hasSubject, invoicedMinor, isTwice, settledBy } = payment;
  if (state === 'unknown') {
    return [finding('terminal-only', amountMinor, [row], settledBy)];
  }
  const found: Found[] = [];
  if (isTwice) found.push(finding('duplicate', amountMinor, [row]));
  else if (!hasSubject || invoicedMinor === null) {
    found.push(finding('payment-without-visit', amountMinor, [row]));
  } else if (invoicedMinor !== amountMinor) {
    found.push(finding('amount-differs', amountMinor - invoicedMinor, [row]));
  }
  found.push(...movementFindings(payment, row, 'sale', 'late'));
  return [...found, ...sideFindings(payment.rows, row)];
}

function refundFindings(refund: RefundFact): Found[] {
  return movementFindings(refund, refundRow(refund), 'refund', 'refund-one-sided');
}

function chargebackFindings(chargeback: ChargebackFact): Found[] {
  const row = chargebackRow(chargeback);
  const { rows, settledBy } = chargeback;
  const theirs = rows.map(providerRow);
  // It is money that has gone, whoever knows of it: with its fee, and less what came back.
  const gone = theirs.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (theirs.length > 0) return [finding('chargeback', gone, [row, ...theirs])];
  const found = [finding('chargeback', row.amountMinor, [row])];
  return settledBy === null ? found : [...found, finding('late', row.amountMinor, [row], settledBy)];
}

/** A movement of ours beside the rows of its provider. */
function movementFindings(
  { amountMinor, currency, settledBy, rows }: PaymentFact | RefundFact,
  row: DayRow,
  kind: 'sale' | 'refund',
  late: DifferenceClass,
): Found[] {
  const theirs = rows.filter((one) => one.kind === kind);
  const counted = theirs.filter(({ match }) => match !== 'duplicate');
  const found: Found[] = theirs
    .filter(({ match }) => match === 'duplicate')
    .map((one) => finding('duplicate', one.grossMinor, [providerRow(one), row]));
  const [first] = counted;
  if (first === undefined) {
    return settledBy === null
      ? found
      : [...found, finding(late, kind === 'sale' ? 0 - amountMinor : amountMinor, [row], settledBy)];
  }
  if (first.currency !== currency) {
    return [...found, finding('currency-or-rounding', first.grossMinor, [row, providerRow(first)])];
  }
  const sum = counted.reduce((total, { grossMinor }) => total + Math.abs(grossMinor), 0);
  if (sum === amountMinor) return found;
  const differs = kind === 'sale' ? 'amount-differs' : 'refund-one-sided';
  const amount = kind === 'sale' ? sum - amountMinor : amountMinor - sum;
  return [...found, finding(differs, amount, [row, ...rowsOfProvider(counted)])];
}

/** What a provider has booked beside the sale itself. */
function sideFindings(rows: readonly ProviderFact[], row: DayRow): Found[] {
  const hasChargeback = rows.some(({ kind }) => kind === 'chargeback' || kind === 'chargeback-reversed');
  return [
    ...rows.flatMap((one) => {
      const its = providerRow(one);
      switch (one.kind) {
        case 'sale':
          return [];
        case 'refund':
        case 'refund-reversed':
          // Refunds of ours have the rows that are theirs.
          return [finding('refund-one-sided', one.grossMinor, [its, row])];
        case 'chargeback':
        case 'chargeback-reversed':
          return [finding('chargeback', one.grossMinor, [its, row])];
        case 'fee':
          return hasChargeback ? [finding('chargeback', 0 - one.feeMinor, [its, row])] : [];
        case 'payout-failed':
        case 'adjustment':
          return [finding('payout-differs', one.grossMinor, [its, row])];
        default:
          return one.kind satisfies never;
      }
    }),
    ...rows.flatMap(feeFindings(row)),
  ];
}

const feeFindings =
  (row: DayRow | null) =>
  (one: ProviderFact): Found[] => {
    const { contract, kind, grossMinor, feeMinor } = one;
    if (contract === null || kind !== 'sale') return [];
    const agreed = Math.round((grossMinor * contract.basisPoints) / BASIS) + contract.fixedMinor;
    if (Math.abs(feeMinor - agreed) <= FEE_TOLERANCE_MINOR) return [];
    const rows: [DayRow, ...DayRow[]] = row === null ? [providerRow(one)] : [providerRow(one), row];
    return [finding('fee-differs', agreed - feeMinor, rows)];
  };

const BASIS = 10_000;

function terminalFindings({ id, terminalId, currency, sums }: TerminalFact): Found[] {
  return sums.flatMap(({ brand, terminalMinor, terminalCount, booksMinor, booksCount }) => {
    const row: DayRow = {
      side: 'terminals',
      thing: 'terminal-day',
      id,
      label: brand,
      amountMinor: terminalMinor,
      currency,
      subject: terminalId,
    };
    if (terminalMinor > booksMinor) return [finding('terminal-only', terminalMinor - booksMinor, [row])];
    if (terminalMinor < booksMinor) return [finding('books-only', terminalMinor - booksMinor, [row])];
    const counts = terminalCount !== null && booksCount !== null && terminalCount !== booksCount;
    return counts ? [finding('amount-differs', 0, [row])] : [];
  });
}

function strayFindings(one: ProviderFact): Found[] {
  const row = providerRow(one);
  switch (one.kind) {
    case 'sale':
      return [finding('terminal-only', one.grossMinor, [row]), ...feeFindings(null)(one)];
    case 'refund':
    case 'refund-reversed':
      return [finding('refund-one-sided', one.grossMinor, [row])];
    case 'chargeback':
    case 'chargeback-reversed':
      return [finding('chargeback', one.grossMinor, [row])];
    case 'fee':
      // A fee of the month is none of a sale: only a contract says whether it is right.
      return one.contract === null ? [] : [finding('fee-differs', 0 - one.feeMinor, [row])];
    case 'payout-failed':
    case 'adjustment':
      return [finding('payout-differs', one.grossMinor, [row])];
    default:
      return one.kind satisfies never;
  }
}

function batchFindings(batch: BatchFact): Found[] {
  const row = batchRow(batch);
  const { state, payoutMinor, roundingMinor, atBankBy, entries } = batch;
  const found: Found[] = roundingMinor === 0 ? [] : [finding('currency-or-rounding', roundingMinor, [row])];
  if (state === 'open') return found;
  if (state === 'failed' || state === 'carried') {
    return [...found, finding('payout-differs', payoutMinor, [row, ...entries.map(bankRow(batch))])];
  }
  if (payoutMinor === 0) return found;
  if (entries.length === 0) {
    return atBankBy === null ? found : [...found, finding('late', 0 - payoutMinor, [row], atBankBy)];
  }
  const sum = entries.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (sum === payoutMinor) return found;
  return [...found, finding('payout-differs', sum - payoutMinor, [row, ...entries.map(bankRow(batch))])];
}

function bankFindings({ isClaim, isReversal, ...entry }: BankFact): Found[] {
  const row = bankRow(entry)(entry);
  if (isClaim) return [];
  if (entry.amountMinor > 0) return [finding('bank-unknown', entry.amountMinor, [row])];
  // What a business pays is no matter of its sales; a payout that the bank took back is.
  return isReversal ? [finding('payout-differs', entry.amountMinor, [row])] : [];
}

function claimFindings(claim: ClaimFact): Found[] {
  const row = claimRow(claim);
  const { isReversed, extraMinor, principalMinor, atBankBy } = claim;
  if (isReversed) return [finding('claim-reversed', 0 - principalMinor, [row])];
  return [
    ...(extraMinor === 0 ? [] : [finding('claim-extra', extraMinor, [row])]),
    ...(atBankBy === null ? [] : [finding('late', 0 - principalMinor - extraMinor, [row], atBankBy)]),
  ];
}

function fileFinding({ id, thing, name, dueOn, currency, problem }: FileFact): Found {
  const side: DaySide = thing === 'terminal' ? 'terminals' : 'bank';
  const row: DayRow = { side, thing, id, label: name, amountMinor: 0, currency, subject: id };
  return finding('file-missing-or-twice', 0, [row], problem === 'missing' ? dueOn : null);
}

function rowsOf(facts: DayFacts): DayRow[] {
  const movements = [...facts.payments, ...facts.refunds, ...facts.chargebacks];
  return [
    ...facts.visits.map(visitRow),
    ...facts.invoices.map(invoiceRow),
    ...facts.payments.filter(({ state }) => state === 'settled').map(paymentRow),
    ...facts.refunds.map(refundRow),
    ...facts.chargebacks.map(chargebackRow),
    ...facts.terminals.flatMap(({ id, terminalId, currency, sums }) =>
      sums.map(({ brand, terminalMinor }) =>
        rowOf('terminals', 'terminal-day', id, {
          label: brand,
          amountMinor: terminalMinor,
          currency,
          subject: terminalId,
        }),
      ),
    ),
    ...[...movements.flatMap(({ rows }) => rows), ...facts.strays].map(providerRow),
    ...facts.claims.map(claimRow),
    ...facts.batches.flatMap((batch) => batch.entries.map(bankRow(batch))),
    ...facts.bank.map((entry) => bankRow(entry)(entry)),
  ];
}

/** The sum of each side in each currency. */
export interface DayColumn {
  side: DaySide;
  currency: string;
  rows: number;
  amountMinor: number;
}

export function columnsOf(rows: readonly DayRow[]): DayColumn[] {
  const columns = new Map<string, DayColumn>();
  for (const { side, currency, amountMinor } of rows) {
    const column = columns.get(`${side} ${currency}`) ?? { side, currency, rows: 0, amountMinor: 0 };
    columns.set(`${side} ${currency}`, {
      ...column,
      rows: column.rows + 1,
      amountMinor: column.amountMinor + amountMinor,
    });
  }
  return [...columns.values()].sort(
    (one, other) =>
      DAY_SIDES.indexOf(one.side) - DAY_SIDES.indexOf(other.side) || (one.currency < other.currency ? -1 : 1),
  );
}

function rowOf(
  side: DaySide,
  thing: DayThing,
  id: string,
  { label = null, subject = id, ...rest }: Partial<DayRow> & Pick<DayRow, 'amountMinor' | 'currency'>,
): DayRow {
  return { side, thing, id, label, subject, amountMinor: rest.amountMinor, currency: rest.currency };
}

function visitRow({ id, currency, costMinor, state }: VisitFact): DayRow {
  return rowOf('visits', 'visit', id, { amountMinor: state === 'waived' ? 0 : costMinor, currency });
}

function invoiceRow({ id, number, amountMinor, currency, visitId }: InvoiceFact): DayRow {
  const label = number === null ? null : String(number);
  return rowOf('invoices', 'invoice', id, { label, amountMinor, currency, subject: visitId ?? id });
}

function paymentRow({ id, amountMinor, currency, visitId, invoiceId }: PaymentFact): DayRow {
  return rowOf('payments', 'payment', id, { amountMinor, currency, subject: visitId ?? invoiceId ?? id });
}

function refundRow({ id, amountMinor, currency, paymentId }: RefundFact): DayRow {
  return rowOf('payments', 'refund', id, { amountMinor: 0 - amountMinor, currency, subject: paymentId });
}

function chargebackRow({ id, amountMinor, currency, paymentId, reference }: ChargebackFact): DayRow {
  return rowOf('payments', 'chargeback', id, {
    label: reference,
    amountMinor: 0 - amountMinor,
    currency,
    subject: paymentId,
  });
}

function providerRow({ id, reference, grossMinor, feeMinor, currency, kind }: ProviderFact): DayRow {
  const amountMinor = kind === 'fee' ? 0 - feeMinor : grossMinor;
  return rowOf('providers', 'settlement-row', id, { label: reference, amountMinor, currency });
}

function rowsOfProvider(rows: readonly ProviderFact[]): DayRow[] {
  return rows.map(providerRow);
}

function batchRow({ id, reference, payoutMinor, currency }: BatchFact): DayRow {
  return rowOf('providers', 'batch', id, { label: reference, amountMinor: payoutMinor, currency });
}

const bankRow =
  ({ currency, reference }: { currency: string; reference: string | null }) =>
  ({ id, amountMinor }: { id: string; amountMinor: number }): DayRow =>
    rowOf('bank', 'bank-entry', id, { label: reference, amountMinor, currency });

function claimRow({ id, invoiceId, currency, principalMinor, extraMinor, isReversed }: ClaimFact): DayRow {
  const amountMinor = isReversed ? 0 - principalMinor : principalMinor + extraMinor;
  return rowOf('claims', 'claim', id, { amountMinor, currency, subject: invoiceId ?? id });
}
