import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { mayBecome, type Payment, type PaymentState } from '@hlid/protocol/records/payment';
import { type PaymentUpdate, tipOf } from '@hlid/protocol/rules/payment-transitions';
import type { EventLog } from '../outbox/event-log.ts';
import type { TerminalTransaction } from '../terminal/terminal.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';

/** The facts that are added to a payment at a terminal as it proceeds. */
export interface TerminalPaymentUpdate extends PaymentUpdate<TerminalTransaction> {
  baseline?: JournalEntry['baseline'];
}

/**
 * The journal of payments: each step is written, with its event, before the next thing is done. Every method runs
 * within the running transaction.
 */
export class PaymentJournal {
  readonly #store: PaymentStore;
  readonly #events: Pick<EventLog, 'append'>;

  constructor(store: PaymentStore, events: Pick<EventLog, 'append'>) {
    this.#store = store;
    this.#events = events;
  }

  /** Throws if there is no such payment. */
  entry(id: string): JournalEntry {
    const entry = this.#store.get(id);
    if (!entry) throw new Error(`There is no payment ${id}.`);
    return entry;
  }

  begin(entry: JournalEntry): JournalEntry {
    return this.#write(entry);
  }

  /** Throws if the payment may not go there: that is a defect, and nothing of it is written. */
  move(id: string, to: PaymentState, update: TerminalPaymentUpdate, at: UtcTime): JournalEntry {
    const entry = this.entry(id);
    const { state } = entry.payment;
    if (!mayBecome(state, to)) throw new Error(`A payment that is ${state} cannot become ${to}.`);
    return this.#write(withUpdate(entry, { reason: null, ...update }, { state: to, changedAt: at }));
  }

  /** The state stays, and something more is known. */
  amend(id: string, update: TerminalPaymentUpdate, at: UtcTime): JournalEntry {
    return this.#write(withUpdate(this.entry(id), update, { changedAt: at }));
  }

  #write(entry: JournalEntry): JournalEntry {
    this.#store.save(entry);
    this.#events.append({ type: 'payment.changed', payment: entry.payment }, entry.payment.changedAt);
    return entry;
  }
}

function withUpdate(
  entry: JournalEntry,
  { baseline, booking, ...update }: TerminalPaymentUpdate,
  change: Pick<Payment, 'changedAt'> & Partial<Pick<Payment, 'state'>>,
): JournalEntry {
  const { reason, needsPerson, receipt } = update;
  const payment: Payment = {
    ...entry.payment,
    ...change,
    ...(reason !== undefined && { reason }),
    ...(needsPerson !== undefined && { needsPerson }),
    ...(receipt !== undefined && receipt.length > 0 && { receipt: [...receipt] }),
    ...(booking && { transaction: shown(booking, entry.payment) }),
  };
  return { ...entry, payment, ...(baseline && { baseline }), ...(booking && { booking }) };
}

function shown(booking: TerminalTransaction, payment: Payment): NonNullable<Payment['transaction']> {
  const { reference, authorisation, card } = booking;
  const tipMinor = tipOf(payment, booking, true) ?? 0;
  return {
    reference,
    authorisation,
    card: { type: card.type, lastFour: card.lastFour },
    ...(tipMinor > 0 && { tipMinor }),
  };
}
