import { mayBecome, type Payment, type PaymentState } from '@hlid/protocol/payment';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { EventLog } from '../outbox/event-log.ts';
import type { TerminalTransaction } from '../terminal/terminal.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';

/** What is learned of a payment as it moves on. */
export interface PaymentNews {
  reason?: string | null;
  needsPerson?: boolean;
  receipt?: readonly string[];
  baseline?: JournalEntry['baseline'];
  booking?: TerminalTransaction;
}

/**
 * The journal of payments: each step is written down, with the event that tells of it, before the next thing is done.
 * All of it within the running transaction.
 */
export interface PaymentJournal {
  begin(entry: JournalEntry): JournalEntry;
  /** Throws where the payment may not go there: that is a defect, and nothing of it is written. */
  move(id: string, to: PaymentState, news: PaymentNews, at: UtcTime): JournalEntry;
  /** It stays where it is, and something more is known. */
  amend(id: string, news: PaymentNews, at: UtcTime): JournalEntry;
}

export function createPaymentJournal(parts: {
  store: PaymentStore;
  events: Pick<EventLog, 'append'>;
}): PaymentJournal {
  const { store, events } = parts;

  function write(entry: JournalEntry): JournalEntry {
    store.save(entry);
    events.append({ type: 'payment.changed', payment: entry.payment }, entry.payment.changedAt);
    return entry;
  }

  function known(id: string): JournalEntry {
    const entry = store.get(id);
    if (!entry) throw new Error(`There is no payment ${id}.`);
    return entry;
  }

  return {
    begin: write,
    move(id, to, news, at) {
      const entry = known(id);
      const { state } = entry.payment;
      if (!mayBecome(state, to)) throw new Error(`A payment that is ${state} cannot become ${to}.`);
      return write(learned(entry, { reason: null, ...news }, { state: to, changedAt: at }));
    },
    amend: (id, news, at) => write(learned(known(id), news, { changedAt: at })),
  };
}

function learned(
  entry: JournalEntry,
  { baseline, booking, ...news }: PaymentNews,
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
