import { NUMBER_MARKS } from '@hlid/protocol/base/language';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { LANGUAGE } from '../../words/words.ts';
import { REPORT } from './report-words.ts';
import { countText, percentText } from './span-text.ts';

/** A line of a report beside the same of the period before. */
export interface ReportRow {
  key: string;
  name: string;
  count: number;
  value: number;
  before: number | null;
}

interface Names {
  count: string;
  value: string;
}

/** Numbers with those of the period before, and how they changed. */
export function ReportTable({
  title,
  names,
  rows,
  total,
  format,
}: {
  title: string;
  names: Names;
  rows: readonly ReportRow[];
  total?: ReportRow;
  format: (value: number) => string;
}) {
  return (
    <div className="card report-table">
      <table className="plain-table">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="number">
              {names.value}
            </th>
            <th scope="col" className="number">
              {REPORT.before}
            </th>
            <th scope="col" className="number">
              {REPORT.change}
            </th>
            <th scope="col" className="number">
              {names.count}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.key} row={row} format={format} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Line row={total} format={format} />
          </tfoot>
        )}
      </table>
    </div>
  );
}

function Line({
  row: { name, count, value, before },
  format,
}: {
  row: ReportRow;
  format: (value: number) => string;
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{format(value)}</td>
      <td className="number">{before === null ? '' : format(before)}</td>
      <td className="number">{changeText(value, before)}</td>
      <td className="number">{countText(count)}</td>
    </tr>
  );
}

/** By how much a value changed; empty: there is nothing to compare it with. */
export function changeText(value: number, before: number | null): string {
  if (before === null || before <= 0) return '';
  const change = (value - before) / before;
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${percentText(Math.abs(change))}`;
}

/** Writes the file that spreadsheets of the language's country open: Icelandic ones have decimal commas. */
export function csvOf(names: Names, rows: readonly ReportRow[], currency: string): Blob {
  const { decimal } = NUMBER_MARKS[LANGUAGE];
  const separator = decimal === ',' ? ';' : ',';
  const digits = minorUnitDigits(currency);
  const amount = (value: number | null) =>
    value === null ? '' : (value / 10 ** digits).toFixed(digits).replace('.', decimal);
  const quoted = (text: string) => (/[";,\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [
    [REPORT.period, `${names.value} (${currency})`, REPORT.before, names.count],
    ...rows.map((row) => [row.name, amount(row.value), amount(row.before), String(row.count)]),
  ];
  const text = lines.map((line) => line.map(quoted).join(separator)).join('\r\n');
  // Excel reads UTF-8 only with its mark.
  return new Blob(['\ufeff', text, '\r\n'], { type: 'text/csv;charset=utf-8' });
}
