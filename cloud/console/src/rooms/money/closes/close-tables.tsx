import { Link } from '@tanstack/react-router';
import { useAddress } from '../../../shell/room-address.ts';
import { Money, moneyText } from '../../../ui/money.tsx';
import { CLOSE, type CloseRow, type WholeClose } from './close-calls.ts';

/** The sums of all sides beside each other. */
export function Columns({ columns }: Pick<WholeClose, 'columns'>) {
  if (columns.length === 0) return <p className="hint">{CLOSE.nothing}</p>;
  return (
    <section aria-label={CLOSE.columns}>
      <h2>{CLOSE.columns}</h2>
      <ul className="close-columns">
        {columns.map(({ side, currency, rows, amount }) => (
          <li key={`${side} ${currency}`} className="card">
            <span className="label">{CLOSE.sides[side]}</span>
            <strong>
              <Money amountMinor={amount} currency={currency} />
            </strong>
            <span className="hint">{CLOSE.rowCount({ count: rows })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** More are in the API. */
const SHOWN_ROWS = 6;

/** The rows of a difference, each as a link to what it is. */
export function RowLinks({ rows }: { rows: readonly CloseRow[] }) {
  return (
    <ul className="close-rows">
      {rows.slice(0, SHOWN_ROWS).map((row) => (
        <li key={`${row.thing} ${row.id} ${row.label}`}>
          <RowLink row={row} />
        </li>
      ))}
      {rows.length > SHOWN_ROWS && <li>{CLOSE.moreRows({ count: rows.length - SHOWN_ROWS })}</li>}
    </ul>
  );
}

function RowLink({ row }: { row: CloseRow }) {
  const addressOf = useAddress();
  const { thing, label, amount, currency } = row;
  const money = amount === 0 ? '' : ` ${moneyText({ amountMinor: amount, currency })}`;
  const text = `${CLOSE.things[thing]}${label === null ? '' : ` ${label}`}${money}`;
  const path = pathOf(row);
  return path === null ? text : <Link to={addressOf(path)}>{text}</Link>;
}

/** The page of a row; null: it has none. */
function pathOf({ thing, id }: CloseRow): string | null {
  const [first = ''] = id.split(' ');
  switch (thing) {
    case 'visit':
      return `visits/${id}`;
    case 'invoice':
      return `money/invoices/${id}`;
    case 'payment':
      return `money/payments/${id}`;
    case 'chargeback':
      return `money/payments/${first}`;
    case 'settlement-row':
      return `money/files/settlement/${first}`;
    case 'bank-entry':
      return `money/files/bank/${first}`;
    case 'refund':
    case 'terminal-day':
    case 'terminal':
    case 'batch':
    case 'claim':
    case 'file':
    case 'account':
      return null;
    default:
      return thing satisfies never;
  }
}
