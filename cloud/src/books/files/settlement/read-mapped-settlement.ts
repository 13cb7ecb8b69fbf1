import type { SettlementField } from '@hlid/protocol/base/books-files';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { refusedInput } from '../../../platform/refused.ts';
import { fineAmount } from '../amount-text.ts';
import type { SettlementMapping } from '../column-mapping.ts';
import { type CsvRow, csvRows, wrongCell } from '../csv-rows.ts';
import { MAX_FILE_MISTAKES, type ReadFile, type SettlementRowKind } from '../file-content.ts';
import { dayAndMoment } from '../moment-text.ts';
import { assembleBatches, BatchesOfFile, type FineRow, setPayout } from './assemble-batches.ts';

/** These go out, and files that write no signs have them without a minus. */
const OUTGOING = new Set<SettlementRowKind | 'payout'>([
  'refund',
  'chargeback',
  'fee',
  'payout',
  'payout-failed',
]);

/** Reads a settlement file by a mapping of its columns. A batch without a row for its payout is paid as the sum. */
export function readMappedSettlement(text: string, mapping: SettlementMapping): ReadFile {
  const { delimiter, skipLines, columns, kinds } = mapping;
  const csv = csvRows(text, { delimiter, skipLines, required: Object.values(columns) });
  if (!csv.ok) return csv;
  const batches = new BatchesOfFile();
  const [mistakes, warnings]: [Mistake[], Mistake[]] = [[], []];
  for (const row of csv.rows) {
    const read = readRow(row, mapping);
    if ('code' in read) {
      mistakes.push(read);
      continue;
    }
    const { batch: reference, paidOn, ...fine } = read;
    const batch = batches.of(null, reference, fine.currency);
    if (fine.kind === 'payout') {
      setPayout(batch, { line: row.line, fine: fine.feeFine - fine.grossFine }, paidOn ?? fine.bookedOn);
      continue;
    }
    const said = columns.kind === undefined ? undefined : row.cell(columns.kind);
    if (said !== undefined && kinds[said] === undefined) {
      warnings.push(mistake('row-kind-unknown', [], { line: String(row.line), kind: said.slice(0, 40) }));
    }
    batch.rows.push({ ...fine, kind: fine.kind });
    // Where no payout has a row of its own, the day of the payout says that there is one.
    if (paidOn !== null) {
      batch.isPaid = true;
      batch.paidOn ??= paidOn;
    }
  }
  if (mistakes.length > 0) return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  return assembleBatches('mapped', batches.all(), warnings);
}

type MappedRow = Omit<FineRow, 'kind'> & {
  kind: SettlementRowKind | 'payout';
  batch: string;
  paidOn: string | null;
};

function readRow(row: CsvRow, mapping: SettlementMapping): MappedRow | Mistake {
  const { columns, dateFormat, timeZone } = mapping;
  const of = (field: SettlementField) => {
    const column = columns[field];
    return column === undefined ? '' : row.cell(column);
  };
  const moment = dayAndMoment(of('date'), dateFormat, timeZone);
  if (moment === null) return wrongCell(row, columns.date ?? '', `date (${dateFormat})`);
  const paid = of('paidOn') === '' ? null : dayAndMoment(of('paidOn'), dateFormat, timeZone);
  if (of('paidOn') !== '' && paid === null)
    return wrongCell(row, columns.paidOn ?? '', `date (${dateFormat})`);
  const currency = (of('currency') || mapping.currency || '').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return wrongCell(row, columns.currency ?? '', 'currency');
  const batch = of('batch') || paid?.day;
  if (batch === undefined) return wrongCell(row, columns.batch ?? columns.paidOn ?? '', 'batch');
  const kind = columns.kind === undefined ? kindBySign(row, mapping, currency) : mapping.kinds[of('kind')];
  const amounts = amountsOf(row, mapping, { currency, kind: kind ?? 'adjustment' });
  if ('code' in amounts) return amounts;
  return {
    line: row.line,
    kind: kind ?? 'adjustment',
    batch,
    paidOn: paid?.day ?? null,
    reference: of('reference') || null,
    ownReference: of('ownReference') || null,
    merchantReference: of('merchantReference') || null,
    authorisation: of('authorisation') || null,
    terminal: of('terminal') || null,
    lastFour: /(\d{4})\D*$/.exec(of('lastFour'))?.[1] ?? null,
    method: of('method') || null,
    at: moment.at,
    bookedOn: moment.day,
    currency,
    ...amounts,
  };
}

/** Without a column for it, what goes out is a refund. */
function kindBySign(row: CsvRow, mapping: SettlementMapping, currency: string): SettlementRowKind {
  const column = mapping.columns.gross ?? mapping.columns.net ?? '';
  const fine = fineAmount(row.cell(column), currency, mapping);
  return fine !== null && fine < 0 ? 'refund' : 'sale';
}

type Amounts = Pick<FineRow, 'grossFine' | 'feeFine' | 'netFine'>;

function amountsOf(
  row: CsvRow,
  mapping: SettlementMapping,
  { currency, kind }: { currency: string; kind: SettlementRowKind | 'payout' },
): Amounts | Mistake {
  const found: { gross: number | null; fee: number | null; net: number | null } = {
    gross: null,
    fee: null,
    net: null,
  };
  for (const field of ['gross', 'fee', 'net'] as const) {
    const column = mapping.columns[field];
    if (column === undefined || row.cell(column) === '') continue;
    found[field] = fineAmount(row.cell(column), currency, mapping);
    if (found[field] === null) return wrongCell(row, column, 'amount');
  }
  const { gross, fee, net } = found;
  if (gross === null && net === null && (kind !== 'fee' || fee === null)) {
    return wrongCell(row, mapping.columns.net ?? mapping.columns.gross ?? '', 'amount');
  }
  const isOut = mapping.signs === 'by-kind' && OUTGOING.has(kind);
  const signed = (amount: number | null) => (amount !== null && isOut && amount > 0 ? 0 - amount : amount);
  const cost = fee !== null && mapping.fees === 'signed' ? 0 - fee : fee;
  return combine({ gross: signed(gross), fee: cost, net: signed(net) }, kind);
}

/** What a file leaves out follows from the rest. */
function combine(
  { gross, fee, net }: { gross: number | null; fee: number | null; net: number | null },
  kind: SettlementRowKind | 'payout',
): Amounts {
  if (kind === 'fee') {
    const cost = fee !== null && fee !== 0 ? fee : 0 - (net ?? gross ?? 0);
    return { grossFine: 0, feeFine: cost, netFine: null };
  }
  if (gross === null) return { grossFine: (net ?? 0) + (fee ?? 0), feeFine: fee ?? 0, netFine: null };
  if (fee === null) return { grossFine: gross, feeFine: net === null ? 0 : gross - net, netFine: null };
  return { grossFine: gross, feeFine: fee, netFine: net };
}
