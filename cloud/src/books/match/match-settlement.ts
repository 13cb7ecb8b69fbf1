import { DAY_MS } from '@hlid/protocol/base/durations';
import type { RowMatch } from '../../records/books/money-file-table.ts';
import type { SettlementRow } from '../files/file-content.ts';

/** What a row of a settlement file may be in our books. */
export interface BookedMovement {
  paymentId: string;
  kind: 'sale' | 'refund' | 'chargeback' | 'chargeback-reversed';
  currency: string;
  /** Without its sign. */
  amountMinor: number;
  /** The day on which we booked it, in UTC. */
  day: string;
  /** What the provider and we call the payment. */
  references: readonly string[];
  /** What the provider calls the refund or the chargeback itself. */
  ownReferences: readonly string[];
  authorisation: string | null;
  lastFour: string | null;
}

/** A movement that a row of another file is matched to. */
export type TakenMovement = Pick<BookedMovement, 'paymentId' | 'kind' | 'amountMinor'>;

export type RowToMatch = Pick<
  SettlementRow,
  | 'kind'
  | 'reference'
  | 'ownReference'
  | 'merchantReference'
  | 'authorisation'
  | 'lastFour'
  | 'bookedOn'
  | 'currency'
  | 'grossMinor'
> & {
  /** Tells it from every other row. */
  key: string;
};

export interface MatchedRow {
  paymentId: string | null;
  match: RowMatch;
}

const NONE: MatchedRow = { paymentId: null, match: 'none' };
/** An acquirer books a sale this many days before or after the terminal at most. */
const TERMINAL_SLACK_DAYS = 3;

type Movement = BookedMovement & { isTaken: boolean };

/**
 * Matches rows of a settlement file to what we have booked: by the provider's reference or ours, and else by the
 * authorisation of a terminal. The order of the rows does not count, no movement is matched twice, and between equal
 * candidates none is chosen.
 *
 * @param taken what rows of other files are matched to
 * @returns by the key of the row
 */
export function matchSettlement(
  rows: readonly RowToMatch[],
  booked: readonly BookedMovement[],
  taken: readonly TakenMovement[],
): Map<string, MatchedRow> {
  const movements = withTaken(booked, taken);
  const byReference = paymentsByReference(movements);
  const matches = new Map<string, MatchedRow>();
  const groups = new Map<string, { paymentId: string; rows: RowToMatch[] }>();
  const nameless: RowToMatch[] = [];
  for (const row of [...rows].sort(inFixedOrder)) {
    const paymentIds = paymentsOf(row, byReference);
    const [paymentId, ...others] = paymentIds;
    if (paymentId === undefined) nameless.push(row);
    else if (others.length > 0) matches.set(row.key, { paymentId: null, match: 'ambiguous' });
    else {
      const key = `${row.kind} ${paymentId}`;
      const group = groups.get(key) ?? { paymentId, rows: [] };
      group.rows.push(row);
      groups.set(key, group);
    }
  }
  for (const { paymentId, rows: group } of groups.values()) {
    for (const [key, match] of matchWithin(paymentId, group, movements))
      matches.set(key, { paymentId, match });
  }
  for (const [key, match] of matchByAuthorisation(nameless, movements)) matches.set(key, match);
  return matches;
}

function withTaken(booked: readonly BookedMovement[], taken: readonly TakenMovement[]): Movement[] {
  const left = [...taken];
  return booked.map((movement) => {
    const place = left.findIndex(
      ({ paymentId, kind, amountMinor }) =>
        paymentId === movement.paymentId && kind === movement.kind && amountMinor === movement.amountMinor,
    );
    if (place !== -1) left.splice(place, 1);
    return { ...movement, isTaken: place !== -1 };
  });
}

function paymentsByReference(movements: readonly Movement[]): Map<string, Set<string>> {
  const payments = new Map<string, Set<string>>();
  for (const { paymentId, references, ownReferences } of movements) {
    for (const reference of [...references, ...ownReferences]) {
      payments.set(reference, (payments.get(reference) ?? new Set()).add(paymentId));
    }
  }
  return payments;
}

/** Our own name goes before the provider's: a reference that two providers use is none. */
function paymentsOf(row: RowToMatch, byReference: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = [row.merchantReference, row.reference, row.ownReference];
  for (const name of names) {
    const found = name === null ? undefined : byReference.get(name);
    if (found !== undefined) return [...found];
  }
  return [];
}

/** The rows of one kind of one payment, the oldest first. */
function matchWithin(
  paymentId: string,
  rows: readonly RowToMatch[],
  movements: readonly Movement[],
): Map<string, RowMatch> {
  const matches = new Map<string, RowMatch>();
  const kind = rows[0]?.kind;
  // A fee, or a refund that came back, is no movement of ours: that it belongs to the payment is all there is to know.
  const isMovement = movements.some((one) => one.kind === kind) || isKindOfMovement(kind);
  if (!isMovement) return new Map(rows.map(({ key }) => [key, 'matched']));
  const ours = movements.filter((one) => one.paymentId === paymentId && one.kind === kind);
  const take = (row: RowToMatch, fits: (one: Movement) => boolean, match: RowMatch) => {
    const found = ours.find((one) => !one.isTaken && one.currency === row.currency && fits(one));
    if (found === undefined || matches.has(row.key)) return;
    found.isTaken = true;
    matches.set(row.key, match);
  };
  const isSame = (row: RowToMatch) => (one: Movement) => one.amountMinor === Math.abs(row.grossMinor);
  const isNamed = (row: RowToMatch) => (one: Movement) =>
    row.ownReference !== null && one.ownReferences.includes(row.ownReference);
  for (const row of rows) take(row, (one) => isNamed(row)(one) && isSame(row)(one), 'matched');
  for (const row of rows) take(row, isSame(row), 'matched');
  for (const row of rows) take(row, isNamed(row), 'other-amount');
  const rest = rows.filter(({ key }) => !matches.has(key));
  const free = ours.filter(({ isTaken }) => !isTaken);
  for (const row of rest) {
    const isRepeated = ours.some((one) => one.isTaken && isSame(row)(one));
    if (free.length === 0) matches.set(row.key, isRepeated ? 'duplicate' : 'not-booked');
    else if (free.length === 1 && rest.length === 1) matches.set(row.key, 'other-amount');
    else matches.set(row.key, 'ambiguous');
  }
  const [only] = free;
  if (rest.length === 1 && free.length === 1 && only !== undefined) only.isTaken = true;
  return matches;
}

function isKindOfMovement(kind: string | undefined): boolean {
  return kind === 'sale' || kind === 'refund' || kind === 'chargeback' || kind === 'chargeback-reversed';
}

/** Rows without a name that we know: terminals give an authorisation, which banks use again after some days. */
function matchByAuthorisation(
  rows: readonly RowToMatch[],
  movements: readonly Movement[],
): Map<string, MatchedRow> {
  const byAuthorisation = new Map<string, Movement[]>();
  for (const movement of movements) {
    if (movement.authorisation === null || movement.isTaken) continue;
    const same = byAuthorisation.get(movement.authorisation) ?? [];
    same.push(movement);
    byAuthorisation.set(movement.authorisation, same);
  }
  const candidates = new Map(
    rows.map((row) => [
      row.key,
      (byAuthorisation.get(row.authorisation ?? '') ?? []).filter((one) => isLike(row, one)),
    ]),
  );
  const wanted = new Map<Movement, number>();
  for (const found of candidates.values()) {
    for (const one of found) wanted.set(one, (wanted.get(one) ?? 0) + 1);
  }
  return new Map(
    [...candidates].map(([key, found]) => {
      const [only] = found;
      if (only === undefined) return [key, NONE];
      const isSure = found.length === 1 && wanted.get(only) === 1;
      return [
        key,
        isSure ? { paymentId: only.paymentId, match: 'matched' } : { paymentId: null, match: 'ambiguous' },
      ];
    }),
  );
}

function isLike(row: RowToMatch, one: Movement): boolean {
  const days = Math.abs(Date.parse(row.bookedOn) - Date.parse(one.day)) / DAY_MS;
  const isSameCard = row.lastFour === null || one.lastFour === null || row.lastFour === one.lastFour;
  return (
    row.kind === one.kind &&
    row.currency === one.currency &&
    Math.abs(row.grossMinor) === one.amountMinor &&
    days <= TERMINAL_SLACK_DAYS &&
    isSameCard
  );
}

function inFixedOrder(one: RowToMatch, other: RowToMatch): number {
  return compare(one.bookedOn, other.bookedOn) || compare(one.key, other.key);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
