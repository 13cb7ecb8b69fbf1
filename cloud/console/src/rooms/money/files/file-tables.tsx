import { Badge } from '@hlid/ui/badge';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../../shell/room-address.ts';
import type { TableColumn } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import '../../../ui/plain-table.css';
import { sentencesOf } from '../../../calls/refusal-words.ts';
import {
  type BankEntry,
  type Batch,
  FILE,
  type FileReport,
  type SettlementRow,
  type Statement,
} from './file-calls.ts';

type Match = keyof typeof FILE.matches;

const TONES: Record<Match, 'positive' | 'negative' | 'caution' | 'neutral'> = {
  matched: 'positive',
  'other-amount': 'negative',
  duplicate: 'negative',
  'not-booked': 'negative',
  ambiguous: 'caution',
  none: 'neutral',
};

function MatchBadge({ match }: { match: Match }) {
  return <Badge tone={TONES[match]}>{FILE.matches[match]}</Badge>;
}

export const ROW_COLUMNS: readonly TableColumn<SettlementRow>[] = [
  { id: 'line', title: FILE.line, isNumber: true, cell: ({ line }) => line },
  { id: 'day', title: FILE.day, cell: ({ bookedOn }) => bookedOn },
  { id: 'what', title: FILE.what, cell: ({ kind }) => FILE.rowKinds[kind] },
  {
    id: 'gross',
    title: FILE.gross,
    isNumber: true,
    cell: ({ gross, currency }) => <Money amountMinor={gross} currency={currency} />,
  },
  {
    id: 'fee',
    title: FILE.fees,
    isNumber: true,
    cell: ({ fee, currency }) => <Money amountMinor={fee} currency={currency} />,
  },
  {
    id: 'reference',
    title: FILE.reference,
    isWide: true,
    cell: ({ reference, ownReference, authorisation }) => reference ?? ownReference ?? authorisation ?? '',
  },
  { id: 'match', title: FILE.match, cell: (row) => <PaymentOfRow {...row} /> },
];

function PaymentOfRow({ paymentId, match }: Pick<SettlementRow, 'paymentId' | 'match'>) {
  const addressOf = useAddress();
  const badge = <MatchBadge match={match} />;
  return paymentId === null ? badge : <Link to={addressOf(`money/payments/${paymentId}`)}>{badge}</Link>;
}

export const ENTRY_COLUMNS: readonly TableColumn<BankEntry>[] = [
  { id: 'day', title: FILE.day, cell: ({ bookedOn }) => bookedOn },
  {
    id: 'amount',
    title: FILE.payout,
    isNumber: true,
    cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
  },
  {
    id: 'what',
    title: FILE.what,
    isWide: true,
    cell: ({ text, counterpart, reference }) => [counterpart, text ?? reference].filter(Boolean).join(': '),
  },
  { id: 'match', title: FILE.match, cell: ({ match }) => <MatchBadge match={match} /> },
];

export function Batches({ batches }: { batches: readonly Batch[] }) {
  return (
    <div className="table-frame">
      <table className="plain-table">
        <caption>{FILE.batches}</caption>
        <thead>
          <tr>
            <th scope="col">{FILE.batch}</th>
            <th scope="col">{FILE.paidOn}</th>
            <th scope="col" className="number">
              {FILE.rows}
            </th>
            <th scope="col" className="number">
              {FILE.gross}
            </th>
            <th scope="col" className="number">
              {FILE.fees}
            </th>
            <th scope="col" className="number">
              {FILE.payout}
            </th>
          </tr>
        </thead>
        <tbody>
          {batches.map(({ id, reference, state, paidOn, rows, gross, fees, payout, currency }) => (
            <tr key={id}>
              <th scope="row">{reference}</th>
              <td>{state === 'paid' ? paidOn : FILE.states[state]}</td>
              <td className="number">{rows}</td>
              <td className="number">
                <Money amountMinor={gross} currency={currency} />
              </td>
              <td className="number">
                <Money amountMinor={fees} currency={currency} />
              </td>
              <td className="number">
                <Money amountMinor={payout} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Statements({ statements }: { statements: readonly Statement[] }) {
  return (
    <div className="table-frame">
      <table className="plain-table">
        <caption>{FILE.statements}</caption>
        <thead>
          <tr>
            <th scope="col">{FILE.statement}</th>
            <th scope="col">{FILE.period}</th>
            <th scope="col" className="number">
              {FILE.entries}
            </th>
            <th scope="col" className="number">
              {FILE.opening}
            </th>
            <th scope="col" className="number">
              {FILE.closing}
            </th>
          </tr>
        </thead>
        <tbody>
          {statements.map(({ id, reference, from, until, entries, opening, closing, currency }) => (
            <tr key={id}>
              <th scope="row">{reference}</th>
              <td>{from === until ? from : `${from} – ${until}`}</td>
              <td className="number">{entries}</td>
              <td className="number">
                {opening !== null && <Money amountMinor={opening} currency={currency} />}
              </td>
              <td className="number">
                {closing !== null && <Money amountMinor={closing} currency={currency} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Remark = FileReport['report']['warnings'][number];

export function Remarks({
  title,
  remarks,
  look,
}: {
  title: string;
  remarks: readonly Remark[];
  look: string;
}) {
  if (remarks.length === 0) return null;
  const sentences = remarks.flatMap(({ message, code }) =>
    sentencesOf({ codes: [code], messages: [message] }),
  );
  return (
    <div className={`notice ${look}`}>
      <strong>{title}</strong>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
