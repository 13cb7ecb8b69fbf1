import type { Payment } from '@hlid/protocol/payment';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { SiteDb } from '../db/site-db.ts';
import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';

/** What a payment was for: its visit as it was when it was ordered. */
export interface Bill {
  from: UtcTime;
  until: UtcTime;
  vatRate: number;
  /** Days in advance, not what was due. */
  inAdvance: boolean;
  /** What had been paid before; other than that, it was paid elsewhere meanwhile. */
  unitsMet: number;
  paidMinor: number;
}

/** A payment as the journal has it. */
export interface JournalEntry {
  payment: Payment;
  /** By which the same order is known again. */
  orderKey: string;
  bill: Bill;
  /** What the terminal had booked last before it was asked. */
  baseline: LastResult;
  /** What the terminal has approved; null: nothing, as far as is known. */
  booking: TerminalTransaction | null;
}

/** Rows of the journal; who writes holds the transaction. */
export interface PaymentStore {
  get(id: string): JournalEntry | undefined;
  ofOrder(orderKey: string): JournalEntry | undefined;
  /** The one under way at a terminal, but for those that wait for a person. */
  atTerminal(terminalId: string): JournalEntry | undefined;
  /** The one under way for a visit, or waiting for a person. */
  ofVisit(visitId: string): JournalEntry | undefined;
  underWay(): JournalEntry[];
  /** Bookings that other, recent payments are known to have, by the terminal's name for them; it may name two alike. */
  bookedElsewhere(id: string, reference: string): TerminalTransaction[];
  /** Those that wait for a person: of unknown outcome, or to be given back by hand. */
  forPerson(): Payment[];
  save(entry: JournalEntry): void;
  /** Settled at a terminal, and not part of a closed day yet. */
  inOpenDay(terminalId: string): Payment[];
  /** Of those that wait for a person, too, whatever was booked is in that day. */
  closeDay(terminalId: string, at: UtcTime): void;
}

interface Row {
  orderKey: string;
  body: string;
  bill: string;
  baseline: string;
  booking: string;
}

/** A terminal's newest booking is not older than so many payments. */
const RECENT = 1000;
const COLUMNS = 'order_key AS orderKey, body, bill, baseline, booking';
/** As the unique indexes of the table have it. */
const UNDER_WAY = "state IN ('created', 'sent', 'approved', 'unknown')";

export function createPaymentStore(db: SiteDb): PaymentStore {
  const select = (where: string) =>
    db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM payment WHERE ${where}`);
  const byId = select('id = ?');
  const byOrder = select('order_key = ?');
  const atTerminal = select(`terminal_id = ? AND ${UNDER_WAY} AND needs_person = 0`);
  const ofVisit = select(`visit_id = ? AND ${UNDER_WAY}`);
  const underWay = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM payment WHERE ${UNDER_WAY} ORDER BY rowid`);
  const bookedElsewhere = db
    .prepare<[string, string], string>(
      `SELECT booking FROM payment
       WHERE rowid > (SELECT max(rowid) FROM payment) - ${RECENT} AND id <> ?
         AND json_extract(booking, '$.reference') = ?`,
    )
    .pluck();
  const forPerson = db
    .prepare<[], string>('SELECT body FROM payment WHERE needs_person = 1 ORDER BY changed_at')
    .pluck();
  const save = db.prepare(
    `INSERT INTO payment
       (id, order_key, visit_id, terminal_id, state, needs_person, changed_at, body, bill, baseline, booking)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, needs_person = excluded.needs_person,
       changed_at = excluded.changed_at, body = excluded.body, baseline = excluded.baseline, booking = excluded.booking`,
  );
  const inOpenDay = db
    .prepare<[string], string>(
      "SELECT body FROM payment WHERE terminal_id = ? AND state = 'settled' AND day_closed_at IS NULL",
    )
    .pluck();
  const closeDay = db.prepare(
    `UPDATE payment SET day_closed_at = ?
     WHERE terminal_id = ? AND day_closed_at IS NULL AND (needs_person = 1 OR NOT ${UNDER_WAY})`,
  );

  return {
    get: (id) => entryOf(byId.get(id)),
    ofOrder: (orderKey) => entryOf(byOrder.get(orderKey)),
    atTerminal: (terminalId) => entryOf(atTerminal.get(terminalId)),
    ofVisit: (visitId) => entryOf(ofVisit.get(visitId)),
    underWay: () => underWay.all().flatMap((row) => entryOf(row) ?? []),
    bookedElsewhere: (id, reference) => bookedElsewhere.all(id, reference).map((text) => JSON.parse(text)),
    forPerson: () => forPerson.all().map((body) => JSON.parse(body)),
    save({ payment, orderKey, bill, baseline, booking }) {
      const { id, visitId, terminalId, state, needsPerson, changedAt } = payment;
      const texts = [payment, bill, baseline, booking].map((part) => JSON.stringify(part));
      save.run(id, orderKey, visitId, terminalId, state, Number(needsPerson), changedAt, ...texts);
    },
    inOpenDay: (terminalId) => inOpenDay.all(terminalId).map((body) => JSON.parse(body)),
    closeDay: (terminalId, at) => void closeDay.run(at, terminalId),
  };
}

function entryOf(row: Row | undefined): JournalEntry | undefined {
  if (!row) return undefined;
  return {
    payment: JSON.parse(row.body),
    orderKey: row.orderKey,
    bill: JSON.parse(row.bill),
    baseline: JSON.parse(row.baseline),
    booking: JSON.parse(row.booking),
  };
}
