import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import type { SiteDb } from '../db/site-db.ts';
import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';

/** The bill of a payment: its visit as it was at the order. */
export interface Bill {
  from: UtcTime;
  until: UtcTime;
  /** For payments of before the VAT was kept with them, and for an older program. */
  vatRate: number;
  /** Days in advance, not what was due. */
  inAdvance: boolean;
  /**
   * Units and money that were settled at the order. If the visit has another number, it was paid elsewhere
   * meanwhile.
   */
  unitsMet: number;
  paidMinor: number;
}

/** A payment as the journal has it. */
export interface JournalEntry {
  payment: Payment;
  /** Identifies the order: the same key again is the same payment. */
  orderKey: string;
  bill: Bill;
  /** The newest booking of the terminal before the order was sent. */
  baseline: LastResult;
  /** The booking that the terminal approved; null: none, as far as is known. */
  booking: TerminalTransaction | null;
}

/** A terminal's day, as the journal knows it. */
export interface TerminalDay {
  triedAt: UtcTime;
  closedAt: UtcTime | null;
  /** How the terminal's books differed from the journal at the last closing; null: they agreed. */
  differs: string | null;
}

interface Row {
  orderKey: string;
  body: string;
  bill: string;
  baseline: string;
  booking: string;
}

/** The number of the newest payments that include a terminal's newest booking. */
const RECENT = 1000;
const COLUMNS = `order_key AS orderKey, unpacked(body) AS body, unpacked(bill) AS bill, baseline,
  unpacked(booking) AS booking`;
/** The condition matches the table's unique indexes, so that SQLite uses them. */
const UNDER_WAY = "state IN ('created', 'sent', 'approved', 'unknown')";

/** Rows of the journal and of the terminals' days. The caller holds the transaction. */
export class PaymentStore {
  readonly #byId;
  readonly #byOrder;
  readonly #atTerminal;
  readonly #ofVisit;
  readonly #underWay;
  readonly #bookedElsewhere;
  readonly #forPerson;
  readonly #save;
  readonly #inOpenDay;
  readonly #closeDay;
  readonly #day;
  readonly #saveDay;

  constructor(db: SiteDb) {
    const select = (where: string) =>
      db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM payment WHERE ${where}`);
    this.#byId = select('id = ?');
    this.#byOrder = select('order_key = ?');
    this.#atTerminal = select(`terminal_id = ? AND ${UNDER_WAY} AND needs_person = 0`);
    this.#ofVisit = select(`visit_id = ? AND ${UNDER_WAY}`);
    this.#underWay = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM payment WHERE ${UNDER_WAY} ORDER BY rowid`);
    this.#bookedElsewhere = db
      .prepare<[string, string], string>(
        `SELECT unpacked(booking) FROM payment
         WHERE rowid > (SELECT max(rowid) FROM payment) - ${RECENT} AND id <> ?
           AND json_extract(unpacked(booking), '$.reference') = ?`,
      )
      .pluck();
    this.#forPerson = db
      .prepare<[], string>('SELECT body FROM payment WHERE needs_person = 1 ORDER BY changed_at')
      .pluck();
    this.#save = db.prepare(
      `INSERT INTO payment
         (id, order_key, visit_id, terminal_id, state, needs_person, changed_at, body, bill, baseline, booking)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, needs_person = excluded.needs_person,
         changed_at = excluded.changed_at, body = excluded.body, baseline = excluded.baseline, booking = excluded.booking`,
    );
    this.#inOpenDay = db
      .prepare<[string], string>(
        "SELECT body FROM payment WHERE terminal_id = ? AND state = 'settled' AND day_closed_at IS NULL",
      )
      .pluck();
    this.#closeDay = db.prepare(
      `UPDATE payment SET day_closed_at = ?
       WHERE terminal_id = ? AND day_closed_at IS NULL AND (needs_person = 1 OR NOT ${UNDER_WAY})`,
    );
    this.#day = db.prepare<[string], TerminalDay>(
      'SELECT tried_at AS triedAt, closed_at AS closedAt, body AS differs FROM terminal_day WHERE terminal_id = ?',
    );
    this.#saveDay = db.prepare(
      `INSERT INTO terminal_day (terminal_id, tried_at, closed_at, body) VALUES (?, ?, ?, ?) ON CONFLICT (terminal_id) DO UPDATE
       SET tried_at = excluded.tried_at, closed_at = excluded.closed_at, body = excluded.body`,
    );
  }

  get(id: string): JournalEntry | undefined {
    return entryOf(this.#byId.get(id));
  }

  ofOrder(orderKey: string): JournalEntry | undefined {
    return entryOf(this.#byOrder.get(orderKey));
  }

  /** The payment under way at a terminal, except those that need a person. */
  atTerminal(terminalId: string): JournalEntry | undefined {
    return entryOf(this.#atTerminal.get(terminalId));
  }

  /** The payment under way for a visit, also if it needs a person. */
  ofVisit(visitId: string): JournalEntry | undefined {
    return entryOf(this.#ofVisit.get(visitId));
  }

  underWay(): JournalEntry[] {
    return this.#underWay.all().flatMap((row) => entryOf(row) ?? []);
  }

  /** Bookings of that reference that other recent payments have; a terminal may use one reference twice. */
  bookedElsewhere(id: string, reference: string): TerminalTransaction[] {
    return this.#bookedElsewhere.all(id, reference).map((text) => JSON.parse(text));
  }

  /** Payments that need a person: of unknown outcome, or to be given back by hand. */
  forPerson(): Payment[] {
    return this.#forPerson.all().map((body) => JSON.parse(body));
  }

  save({ payment, orderKey, bill, baseline, booking }: JournalEntry): void {
    const { id, visitId, terminalId, state, needsPerson, changedAt } = payment;
    const texts = [payment, bill, baseline, booking].map((part) => JSON.stringify(part));
    this.#save.run(id, orderKey, visitId, terminalId, state, Number(needsPerson), changedAt, ...texts);
  }

  /** Payments settled at a terminal since its day was last closed. */
  inOpenDay(terminalId: string): Payment[] {
    return this.#inOpenDay.all(terminalId).map((body) => JSON.parse(body));
  }

  /** The day also contains payments that need a person: whatever the terminal booked of them, it booked in that day. */
  closeDay(terminalId: string, at: UtcTime): void {
    this.#closeDay.run(at, terminalId);
  }

  day(terminalId: string): TerminalDay | undefined {
    return this.#day.get(terminalId);
  }

  saveDay(terminalId: string, { triedAt, closedAt, differs }: TerminalDay): void {
    this.#saveDay.run(terminalId, triedAt, closedAt, differs);
  }
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
