import type { ComparedDay, DifferenceClass, Expected, Finding } from './compare-day.ts';
import { keyOfRow } from './compare-day.ts';
import type { DayRow, DaySide } from './day-facts.ts';

/** What a signed close knows of a day: of its own, and of earlier ones that it reported about. */
export interface KnownDay {
  rows: readonly DayRow[];
  /** The keys of its differences. */
  differences: readonly string[];
  expected: readonly Pick<Expected, 'key' | 'amountMinor' | 'currency'>[];
}

/** A signed close, with what closes after it have reported of its day, in the order in which they were signed. */
export interface EarlierClose {
  id: string;
  day: string;
  known: KnownDay;
}

/** A line of a close: a difference of its own day, or what came of an earlier one. */
export interface CloseDifference extends Omit<Finding, 'kind'> {
  kind: DifferenceKind;
  /** The class of what a correction has changed; null: it is no correction, or only a figure has changed. */
  cause: DifferenceClass | null;
  /** The earlier close; null: it is of the day itself. */
  ofCloseId: string | null;
}
export const CORRECTION = 'correction-of-earlier-day';
export type DifferenceKind = DifferenceClass | typeof CORRECTION;

/** What has become of an earlier day since it was signed. */
export interface Carried {
  differences: CloseDifference[];
  /** It is not here yet, and not due. */
  expected: Expected[];
  /** It was expected, and has come as it should. */
  arrived: Pick<Expected, 'amountMinor' | 'currency'>[];
  /** What is known of the day from now on. */
  known: KnownDay;
}

/** What others report comes late by its nature: of those sides only what disagrees is a correction. */
const OWN_SIDES: readonly DaySide[] = ['visits', 'invoices', 'payments', 'terminals', 'claims'];
/** The side that says by how much a day was wrong. */
const BY_MONEY: readonly DaySide[] = ['payments', 'claims', 'terminals', 'invoices', 'visits'];

/**
 * What has changed in a day after it was signed: it is compared again, and each change is one line of the next close. What
 * an earlier close has reported is not reported again.
 */
export function carryOver({ id, known }: EarlierClose, now: ComparedDay): Carried {
  const changed = changedRows(known, now);
  const wasExpected = new Set(known.expected.map(({ key }) => key));
  const wasKnown = new Set(known.differences);
  const fresh = now.differences.filter(({ key }) => !wasKnown.has(key));
  const late = fresh.filter(({ key }) => wasExpected.has(key));
  const others = fresh.filter(({ key }) => !wasExpected.has(key));
  const still = new Set([...now.expected, ...now.differences].map(({ key }) => key));
  const differences = [
    // What was expected and did not come keeps its class.
    ...late.map((one): CloseDifference => ({ ...one, key: keyOf(id, one.key), cause: null, ofCloseId: id })),
    ...corrections(id, changed, others),
  ];
  return {
    differences,
    expected: now.expected.map((one) => ({ ...one, key: keyOf(id, one.key) })),
    arrived: known.expected.filter(({ key }) => !still.has(key)),
    known: {
      rows: now.rows.filter(({ side }) => OWN_SIDES.includes(side)),
      differences: [...new Set([...known.differences, ...now.differences.map(({ key }) => key)])],
      expected: now.expected.map(({ key, amountMinor, currency }) => ({ key, amountMinor, currency })),
    },
  };
}

/** Whether a later comparison knows anything that the one before did not: only then it is kept. */
export function isSameDay(one: KnownDay, other: KnownDay): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ rows, differences, expected }: KnownDay): string {
  const figures = rows
    .filter(({ side }) => OWN_SIDES.includes(side))
    .map((row) => `${keyOfRow(row)} ${row.amountMinor} ${row.currency}`);
  return JSON.stringify([
    figures.sort(),
    [...differences].sort(),
    expected.map(({ key, amountMinor }) => `${key} ${amountMinor}`).sort(),
  ]);
}

function keyOf(closeId: string, key: string): string {
  return `${closeId} ${key}`;
}

/** Rows of our own sides with what they have changed by. */
function changedRows(known: KnownDay, now: ComparedDay): DayRow[] {
  const before = new Map(known.rows.map((row) => [keyOfRow(row), row]));
  const changed: DayRow[] = [];
  for (const row of now.rows) {
    if (!OWN_SIDES.includes(row.side)) continue;
    const was = before.get(keyOfRow(row));
    before.delete(keyOfRow(row));
    const by = row.amountMinor - (was?.amountMinor ?? 0);
    if (by !== 0) changed.push({ ...row, amountMinor: by });
  }
  for (const row of before.values()) {
    const isGone = OWN_SIDES.includes(row.side) && row.amountMinor !== 0;
    if (isGone) changed.push({ ...row, amountMinor: 0 - row.amountMinor });
  }
  return changed;
}

/** One line for all that belongs together: a late stay comes with its payment and its invoice. */
function corrections(
  closeId: string,
  changed: readonly DayRow[],
  findings: readonly Finding[],
): CloseDifference[] {
  const groups = new Map<string, { rows: DayRow[]; findings: Finding[] }>();
  const subjects = new Map(changed.map((row) => [keyOfRow(row), row.subject]));
  const groupOf = (subject: string) => {
    const group = groups.get(subject) ?? { rows: [], findings: [] };
    groups.set(subject, group);
    return group;
  };
  for (const row of changed) groupOf(row.subject).rows.push(row);
  for (const one of findings) {
    const named = one.rows.map((row) => subjects.get(keyOfRow(row)) ?? row.subject);
    const [first = one.key] = named;
    groupOf(named.find((subject) => groups.has(subject)) ?? first).findings.push(one);
  }
  return [...groups].map(([subject, group]) => correctionOf(closeId, subject, group));
}

function correctionOf(
  closeId: string,
  subject: string,
  { rows, findings }: { rows: DayRow[]; findings: Finding[] },
): CloseDifference {
  const [finding] = findings;
  const side = BY_MONEY.find((one) => rows.some((row) => row.side === one));
  const moved = rows.filter((row) => row.side === side).reduce((sum, row) => sum + row.amountMinor, 0);
  const shown = new Map([...rows, ...findings.flatMap((one) => one.rows)].map((row) => [keyOfRow(row), row]));
  for (const row of rows) shown.set(keyOfRow(row), row);
  const currency = rows[0]?.currency ?? finding?.currency ?? '';
  const changes = rows.map((row) => `${keyOfRow(row)}=${row.amountMinor}`);
  const key = [CORRECTION, subject, ...changes.sort(), ...findings.map((one) => one.key)].join(' ');
  return {
    kind: CORRECTION,
    cause: finding?.kind ?? null,
    key: keyOf(closeId, key),
    amountMinor: rows.length > 0 ? moved : (finding?.amountMinor ?? 0),
    currency,
    rows: [...shown.values()],
    ofCloseId: closeId,
  };
}
