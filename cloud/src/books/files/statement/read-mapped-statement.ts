import type { BankField } from '@hlid/protocol/base/books-files';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { refusedInput } from '../../../platform/refused.ts';
import { fineAmount, isWholeMinor, minorOfFine, minorText } from '../amount-text.ts';
import type { BankMapping } from '../column-mapping.ts';
import { type CsvRow, csvRows, wrongCell } from '../csv-rows.ts';
import { type BankEntry, MAX_FILE_MISTAKES, type ReadFile } from '../file-content.ts';
import { dayAndMoment } from '../moment-text.ts';
import { checkStatements } from './check-statements.ts';

/** An entry with the balance after it; null: the file has none. */
type Balanced = BankEntry & { currency: string; balanceMinor: number | null };

/** Reads a bank's CSV by a mapping of its columns: one statement, the oldest entry first or last. */
export function readMappedStatement(text: string, mapping: BankMapping): ReadFile {
  const { delimiter, skipLines, columns } = mapping;
  const csv = csvRows(text, { delimiter, skipLines, required: Object.values(columns) });
  if (!csv.ok) return csv;
  const read = csv.rows.map((row) => readRow(row, mapping));
  const mistakes = read.flatMap((one) => ('code' in one ? [one] : []));
  const entries = read.flatMap((one) => ('code' in one ? [] : [one]));
  const [first] = entries;
  if (mistakes.length > 0 || first === undefined) {
    return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  }
  const { currency } = first;
  const other = entries.find((entry) => entry.currency !== currency);
  if (other !== undefined) {
    const line = String(other.line);
    return refusedInput(mistake('file-currency', [], { line, currency: other.currency, expected: currency }));
  }
  const days = entries.map(({ bookedOn }) => bookedOn).sort();
  const [from = '', until = ''] = [days[0], days.at(-1)];
  const chain = inOrder(entries, currency);
  if (!chain.ok) return refusedInput(chain.mistake);
  const [oldest, newest] = [chain.entries[0], chain.entries.at(-1)];
  const opening = oldest?.balanceMinor == null ? null : oldest.balanceMinor - oldest.amountMinor;
  const statement = {
    account: null,
    reference: `${from}/${until}`,
    currency,
    from,
    until,
    openingMinor: opening,
    closingMinor: newest?.balanceMinor ?? null,
    entries: chain.entries.map(({ currency: _currency, balanceMinor: _balance, ...entry }) => entry),
  };
  return checkStatements('mapped', [statement], []);
}

/** The entries with the oldest first, by the balances; without balances they stay as they are. */
function inOrder(
  entries: readonly Balanced[],
  currency: string,
): { ok: true; entries: readonly Balanced[] } | { ok: false; mistake: Mistake } {
  if (entries.some(({ balanceMinor }) => balanceMinor === null)) return { ok: true, entries };
  const reversed = [...entries].reverse();
  const wrong = firstWrongBalance(entries, currency);
  if (wrong === null) return { ok: true, entries };
  if (firstWrongBalance(reversed, currency) === null) return { ok: true, entries: reversed };
  const isNewestFirst = (entries[0]?.bookedOn ?? '') > (entries.at(-1)?.bookedOn ?? '');
  return { ok: false, mistake: (isNewestFirst ? firstWrongBalance(reversed, currency) : null) ?? wrong };
}

function firstWrongBalance(entries: readonly Balanced[], currency: string): Mistake | null {
  for (const [n, entry] of entries.entries()) {
    const before = entries[n - 1]?.balanceMinor;
    if (before == null || entry.balanceMinor === null) continue;
    const sum = before + entry.amountMinor;
    if (sum === entry.balanceMinor) continue;
    return mistake('statement-balance', [], {
      line: String(entry.line),
      amount: minorText(entry.amountMinor, currency),
      sum: minorText(sum, currency),
      balance: minorText(entry.balanceMinor, currency),
    });
  }
  return null;
}

function readRow(row: CsvRow, mapping: BankMapping): Balanced | Mistake {
  const { columns, dateFormat, timeZone } = mapping;
  const of = (field: BankField) => {
    const column = columns[field];
    return column === undefined ? '' : row.cell(column);
  };
  const booked = dayAndMoment(of('date'), dateFormat, timeZone);
  if (booked === null) return wrongCell(row, columns.date ?? '', `date (${dateFormat})`);
  const value = of('valueDate') === '' ? null : dayAndMoment(of('valueDate'), dateFormat, timeZone);
  if (of('valueDate') !== '' && value === null) {
    return wrongCell(row, columns.valueDate ?? '', `date (${dateFormat})`);
  }
  const currency = (of('currency') || mapping.currency || '').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) return wrongCell(row, columns.currency ?? '', 'currency');
  const amountMinor = amountOf(row, mapping, currency);
  if (typeof amountMinor !== 'number') return amountMinor;
  const balanceMinor = of('balance') === '' ? null : minorIn(row, columns.balance ?? '', currency, mapping);
  if (balanceMinor !== null && typeof balanceMinor !== 'number') return balanceMinor;
  return {
    line: row.line,
    amountMinor,
    bookedOn: booked.day,
    valueOn: value?.day ?? null,
    isReversal: false,
    reference: of('reference') || null,
    endToEndId: of('endToEndId') || null,
    counterpart: of('counterpart') || null,
    text: of('text') || null,
    transactions: null,
    currency,
    balanceMinor,
  };
}

/** One column with signs, or one for what came in and one for what went out. */
function amountOf(row: CsvRow, mapping: BankMapping, currency: string): number | Mistake {
  const { amount, debit = '', credit = '' } = mapping.columns;
  if (amount !== undefined) return minorIn(row, amount, currency, mapping);
  const isDebit = row.cell(debit) !== '' && row.cell(credit) === '';
  const found = minorIn(row, isDebit ? debit : credit, currency, mapping);
  return isDebit && typeof found === 'number' ? 0 - Math.abs(found) : found;
}

function minorIn(row: CsvRow, column: string, currency: string, mapping: BankMapping): number | Mistake {
  const fine = fineAmount(row.cell(column), currency, mapping);
  return fine === null || !isWholeMinor(fine) ? wrongCell(row, column, 'amount') : minorOfFine(fine);
}
