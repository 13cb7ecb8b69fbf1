import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { amountText, fineOfMinor, isWholeMinor, minorOfFine } from '../amount-text.ts';
import {
  type BatchState,
  type FileFormat,
  MAX_FILE_MISTAKES,
  type ReadFile,
  type SettlementBatch,
  type SettlementRow,
} from '../file-content.ts';

/** A row as the file has it: amounts in hundredths of the minor unit. */
export interface FineRow extends Omit<SettlementRow, 'grossMinor' | 'feeMinor'> {
  grossFine: number;
  feeFine: number;
  /** The net amount, if the file has one beside gross and fee; null: it has not. */
  netFine: number | null;
}

export interface FineBatch {
  account: string | null;
  reference: string;
  currency: string;
  rows: FineRow[];
  /** The payout as the file has it; null: the file has no row for it. */
  payout: { line: number; fine: number } | null;
  /** Whether the file says that the batch is paid out, with a row for the payout or without. */
  isPaid: boolean;
  hasFailed: boolean;
  paidOn: string | null;
  carriedInFine: number;
  carriedOutFine: number;
  /** What is wrong with its payout. */
  mistakes: Mistake[];
}

export function emptyBatch(place: Pick<FineBatch, 'account' | 'reference' | 'currency'>): FineBatch {
  return {
    ...place,
    rows: [],
    payout: null,
    isPaid: false,
    hasFailed: false,
    paidOn: null,
    carriedInFine: 0,
    carriedOutFine: 0,
    mistakes: [],
  };
}

/** The batches of a file, in the order in which they begin. */
export class BatchesOfFile {
  readonly #batches = new Map<string, FineBatch>();

  of(account: string | null, reference: string, currency: string): FineBatch {
    const key = JSON.stringify([account, reference, currency]);
    const known = this.#batches.get(key) ?? emptyBatch({ account, reference, currency });
    this.#batches.set(key, known);
    return known;
  }

  all(): FineBatch[] {
    return [...this.#batches.values()];
  }
}

/** Notes the payout of a batch; a second one is a mistake. */
export function setPayout(batch: FineBatch, payout: { line: number; fine: number }, paidOn: string): void {
  if (batch.payout !== null) {
    const { reference } = batch;
    batch.mistakes.push(mistake('batch-twice', [], { line: String(payout.line), batch: reference }));
    return;
  }
  batch.payout = payout;
  batch.isPaid = true;
  batch.paidOn = paidOn;
}

/**
 * Checks the sums of the batches and rounds them to minor units. A payout that is not the sum of its rows refuses the
 * file.
 */
export function assembleBatches(
  format: FileFormat,
  batches: readonly FineBatch[],
  warnings: readonly Mistake[],
): ReadFile {
  const finished = batches.map(finishBatch);
  const mistakes = finished.flatMap((one) => one.mistakes);
  if (mistakes.length > 0) {
    return { ok: false, reason: 'input', mistakes: mistakes.slice(0, MAX_FILE_MISTAKES) };
  }
  return {
    ok: true,
    content: {
      kind: 'settlement',
      format,
      warnings: [...warnings, ...finished.flatMap((one) => one.warnings)],
      batches: finished.map(({ batch }) => batch),
    },
  };
}

function finishBatch(fine: FineBatch): { batch: SettlementBatch; mistakes: Mistake[]; warnings: Mistake[] } {
  const { reference, currency, payout, carriedInFine, carriedOutFine } = fine;
  const text = (amount: number) => amountText(amount, currency);
  const mistakes = [...fine.mistakes, ...fine.rows.flatMap((row) => wrongSum(row) ?? [])];
  const sumFine = fine.rows.reduce((sum, row) => sum + row.grossFine - row.feeFine, 0);
  const payoutFine = sumFine + carriedInFine - carriedOutFine;
  if (payout !== null && payout.fine !== payoutFine) {
    mistakes.push(
      mistake('batch-sum', [], {
        line: String(payout.line),
        batch: reference,
        sum: text(payoutFine),
        payout: text(payout.fine),
      }),
    );
  }
  const rows = fine.rows.map(roundedRow);
  const sumMinor = rows.reduce((sum, row) => sum + row.grossMinor - row.feeMinor, 0);
  const batch: SettlementBatch = {
    account: fine.account,
    reference,
    currency,
    state: stateOf(fine),
    paidOn: fine.paidOn,
    payoutMinor: fine.isPaid ? minorOfFine(payoutFine) : 0,
    carriedInMinor: minorOfFine(carriedInFine),
    carriedOutMinor: minorOfFine(carriedOutFine),
    roundingMinor: minorOfFine(payoutFine - carriedInFine + carriedOutFine) - sumMinor,
    rows,
  };
  return { batch, mistakes, warnings: warningsOf(fine, batch, payoutFine) };
}

function warningsOf(fine: FineBatch, batch: SettlementBatch, payoutFine: number): Mistake[] {
  const { reference, currency, rows } = fine;
  const warnings: Mistake[] = [];
  const text = (amount: number) => amountText(amount, currency);
  if (batch.state === 'open') {
    warnings.push(mistake('batch-without-payout', [], { batch: reference, sum: text(payoutFine) }));
  }
  if (batch.state === 'carried') {
    warnings.push(mistake('batch-negative', [], { batch: reference, sum: text(0 - fine.carriedOutFine) }));
  }
  const isWhole = rows.every((row) => isWholeMinor(row.grossFine) && isWholeMinor(row.feeFine));
  if (!isWhole) {
    const rounding = text(fineOfMinor(batch.roundingMinor));
    warnings.push(mistake('row-rounded', [], { batch: reference, currency, rounding }));
  }
  return warnings;
}

function stateOf({ isPaid, hasFailed, carriedOutFine }: FineBatch): BatchState {
  if (hasFailed) return 'failed';
  if (isPaid) return 'paid';
  return carriedOutFine < 0 ? 'carried' : 'open';
}

function wrongSum({ line, currency, grossFine, feeFine, netFine }: FineRow): Mistake | null {
  if (netFine === null || grossFine - feeFine === netFine) return null;
  return mistake('row-sum', [], {
    line: String(line),
    gross: amountText(grossFine, currency),
    fee: amountText(feeFine, currency),
    net: amountText(netFine, currency),
  });
}

/** Gross and net are rounded, and the fee is what is between them: so the net amounts differ least from the payout. */
function roundedRow({ grossFine, feeFine, netFine: _net, ...row }: FineRow): SettlementRow {
  const grossMinor = minorOfFine(grossFine);
  return { ...row, grossMinor, feeMinor: grossMinor - minorOfFine(grossFine - feeFine) };
}
