import { mayBecome, type Payment, type PaymentState } from '@hlid/protocol/payment';
import type { PaymentNews } from '@hlid/protocol/payment-transitions';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { EventLog } from '../outbox/event-log.ts';
import type { TerminalTransaction } from '../terminal/terminal.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';

/** What becomes known of a payment at a terminal as it moves on. */
export interface TerminalPaymentNews extends PaymentNews<TerminalTransaction> {
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
  move(id: string, to: PaymentState, news: TerminalPaymentNews, at: UtcTime): JournalEntry {
    const entry = this.entry(id);
    const { state } = entry.payment;
    if (!mayBecome(state, to)) throw new Error(`A payment that is ${state} cannot become ${to}.`);
    return this.#write(withNews(entry, { reason: null, ...news }, { state: to, changedAt: at }));
  }

  /** The state stays, and something more is known. */
  amend(id: string, news: TerminalPaymentNews, at: UtcTime): JournalEntry {
    return this.#write(withNews(this.entry(id), news, { changedAt: at }));
  }

  #write(entry: JournalEntry): JournalEntry {
    this.#store.save(entry);
    this.#events.append({ type: 'payment.changed', payment: entry.payment }, entry.payment.changedAt);
    return entry;
  }
}

function withNews(
  entry: JournalEntry,
  { baseline, booking, ...news }: TerminalPaymentNews,
  change: Pick<Payment, 'changedAt'> & Partial<Pick<Payment, 'state'>>,
): JournalEntry {
  const { reason, needsPerson, receipt } = news;
  const payment: Payment = {
    ...entry.payment,
    ...change,
    ...(reason !== undefined && { reason }),
    ...(needsPerson !== undefined && { needsPerson }),
    ...(receipt !== undefined && receipt.length > 0 && { receipt: [...receipt] }),
    ...(booking && { transaction: shown(booking) }),
  };
  return { ...entry, payment, ...(baseline && { baseline }), ...(booking && { booking }) };
}

function shown({ reference, authorisation, card }: TerminalTransaction): NonNullable<Payment['transaction']> {
  return { reference, authorisation, card: { type: card.type, lastFour: card.lastFour } };
}
