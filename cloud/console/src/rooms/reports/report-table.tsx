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
            <th scope="col" className="number wide-only">
              {REPORT.change}
            </th>
            <th scope="col" className="number wide-only">
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
      <td className="number wide-only">{changeText(value, before)}</td>
      <td className="number wide-only">{countText(count)}</td>
    </tr>
  );
}

/** The change of a value; empty: there is nothing to compare it with. */
export function changeText(value: number, before: number | null): string {
  if (before === null || before <= 0) return '';
  const change = (value - before) / before;
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${percentText(Math.abs(change))}`;
}
