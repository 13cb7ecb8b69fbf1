import type { KioskFault, KioskPayment } from '@hlid/protocol/kiosk-api';
import type { Payment } from '@hlid/protocol/payment';
import { billDays, billDue } from '@hlid/protocol/payment-order';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { asksTheSame, type Demand } from '@hlid/protocol/visit-transitions';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { SiteStays } from '../site-core.ts';
import type { PayOutcome, Terminal, TerminalPrompt, TerminalTransaction } from '../terminal/terminal.ts';
import { type DeskOrder, intentOf, isOrderOf, withFee } from './order-bill.ts';
import type { PaymentJournal } from './payment-journal.ts';
import { DRIVER_GONE, MISMATCH, NOT_DUE, type PaymentTill } from './payment-settlement.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';
import type { VisitDues } from './visit-due.ts';

export type OrderAnswer = { ok: true; payment: Payment } | { ok: false; reason: KioskFault };

/** Takes drivers' orders to pay at the terminal and sees them through. One payment at a time. */
export interface PaymentDesk {
  /**
   * Resolves once the intent is on the disk; the terminal is asked after that.
   *
   * @param key the same order twice is one payment
   */
  order(order: DeskOrder, key: string): Promise<OrderAnswer>;
  /** The driver does not want it any more. A wish: the payment says what became of it. */
  cancel(paymentId: string): Promise<void>;
  /** What the driver sees on the terminal now; null: nothing. */
  prompt(paymentId: string): Pick<KioskPayment, 'prompt' | 'promptText'> | null;
  isActive(paymentId: string): boolean;
  /** Its driver does not want it any more, and the terminal has not come to an end with it. */
  isGivenUp(paymentId: string): boolean;
  /** Does something at the terminal for which nobody may pay meanwhile; false: somebody does. */
  alone(work: () => Promise<void>): Promise<boolean>;
  /** Resolves when nothing is under way; no more orders are taken. */
  stop(): Promise<void>;
}

interface Active {
  prompt: TerminalPrompt;
  text: string | null;
  driverGone: boolean;
  /** Why its approval was told not to stand; null: it was not. */
  refused: string | null;
  done: Promise<void>;
}

export function createPaymentDesk(parts: {
  terminalId: string;
  terminal: Terminal;
  store: PaymentStore;
  journal: PaymentJournal;
  till: PaymentTill;
  dues: VisitDues;
  book: SiteStays['book'];
  commit: Pick<GroupCommit, 'run'>;
  /** Prompts and states have changed. */
  onChanged: (paymentId: string) => void;
  /** A driver does not want a payment any more. */
  onGivenUp: () => void;
  /** Nobody is at a payment any more, whatever it has come to. */
  onEnded: () => void;
  clock: Clock;
  log: Logger;
}): PaymentDesk {
  const { terminalId, terminal, store, journal, till, dues, book, commit, onChanged, clock, log } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  const active = new Map<string, Active>();
  let occupied = false;
  let stopped = false;

  /** Why no payment can begin, whoever wants it; null: it can. */
  function closedFor(visitId: string): KioskFault | null {
    if (store.ofVisit(visitId)) return 'payment-under-way';
    if (occupied || store.atTerminal(terminalId)) return 'terminal-busy';
    const { connection } = terminal.status();
    if (connection === 'ACTIVE') return 'terminal-busy';
    return stopped || connection !== 'CONNECTED' ? 'terminal-away' : null;
  }

  /** Writes the intent down, within the running transaction. */
  function begin(order: DeskOrder, key: string): { entry: JournalEntry; isNew: boolean } | KioskFault {
    const at = now();
    const known = store.ofOrder(key) ?? (order.paymentId && store.get(order.paymentId));
    if (known) return isOrderOf(known, order) ? { entry: known, isNew: false } : 'key-reused';
    const due = dues.of(order.visitId, at);
    if (!due) return 'not-found';
    const { quantity } = order;
    const bill = quantity === undefined ? billDue(due) : billDays(due, quantity, due.product, null);
    if (typeof bill === 'string') return bill;
    const billed = withFee(bill, bill.inAdvance ? 0 : dues.serviceFee(due));
    const { amountMinor } = billed;
    if (order.amountMinor !== undefined && order.amountMinor !== amountMinor) return 'amount-changed';
    const open = store.ofVisit(order.visitId);
    const same = open && open.payment.state !== 'unknown' && open.payment.amountMinor === amountMinor;
    // Whoever names a payment asks for that one and no other.
    if (same && order.paymentId === undefined && active.has(open.payment.id))
      return { entry: open, isNew: false };
    const closed = closedFor(order.visitId);
    if (closed) return closed;
    const { visit, demand } = due;
    const asked = demand && !billed.inAdvance ? askToPay(visit, demand, at) : visit;
    const intent = intentOf({ order, key, terminalId }, billed, asked, at);
    return { entry: journal.begin(intent), isNew: true };
  }

  /** The driver has asked to pay: the visit says so, with what it owes. */
  function askToPay(visit: Visit, demand: Demand, at: UtcTime): Visit {
    if (asksTheSame(visit, demand)) return visit;
    return book.askToPay(visit, demand, { at, by: 'kiosk', why: 'asked-to-pay' });
  }

  function start({ payment }: JournalEntry): void {
    const { id } = payment;
    const entry: Active = {
      prompt: 'wait',
      text: null,
      driverGone: false,
      refused: null,
      done: Promise.resolve(),
    };
    active.set(id, entry);
    entry.done = see(payment, entry)
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.paymentFailed, id, err }))
      .finally(() => {
        active.delete(id);
        onChanged(id);
        // What could not be written down as it ended is known by asking.
        parts.onEnded();
      });
  }

  /** Sees a payment through, from its intent to what became of it. */
  async function see(payment: Payment, entry: Active): Promise<void> {
    const { id, amountMinor, currency, language } = payment;
    // What is booked last before the first byte of this goes out, is not this.
    const baseline = await terminal.lastResult();
    if (entry.driverGone || stopped) return await till.failed(id, 'cancelled', DRIVER_GONE);
    const sent = await commit.run(() => journal.move(id, 'sent', { baseline }, now()));
    if (entry.driverGone) return await till.failed(id, 'cancelled', DRIVER_GONE);
    const outcome = await terminal.pay(
      { id, amountMinor, currency, language },
      {
        onPrompt(prompt, text) {
          if (entry.prompt === prompt && entry.text === text) return;
          Object.assign(entry, { prompt, text });
          onChanged(id);
        },
        async onApproval(transaction) {
          entry.refused = await whyNot(sent, entry, transaction).catch((err: unknown) => {
            log.error({ event: LOG_EVENTS.paymentFailed, id, err });
            return 'not-written';
          });
          onChanged(id);
          return entry.refused === null;
        },
      },
    );
    await conclude(id, outcome, entry);
  }

  /** Why an approval does not stand; null: it does, and is on the disk before the terminal is told so. */
  async function whyNot(
    { payment, bill }: JournalEntry,
    entry: Active,
    transaction: TerminalTransaction,
  ): Promise<string | null> {
    const { id, visitId, amountMinor, currency } = payment;
    if (entry.driverGone) return DRIVER_GONE;
    if (transaction.amountMinor !== amountMinor || transaction.currency !== currency) {
      log.error({
        event: LOG_EVENTS.paymentMismatch,
        id,
        amountMinor,
        approvedMinor: transaction.amountMinor,
      });
      return MISMATCH;
    }
    return await commit.run(() => {
      if (store.get(id)?.payment.state === 'approved') return null;
      if (!dues.isWanted(visitId, amountMinor - (payment.feesMinor ?? 0), bill, now())) return NOT_DUE;
      journal.move(id, 'approved', { booking: transaction }, now());
      return null;
    });
  }

  async function conclude(id: string, outcome: PayOutcome, entry: Active): Promise<void> {
    const { refused } = entry;
    const gone = entry.driverGone ? DRIVER_GONE : refused;
    switch (outcome.kind) {
      case 'approved':
        return await till.booked(id, outcome.transaction, { receipt: outcome.receipt, refused });
      case 'declined':
        return await till.failed(id, 'declined', outcome.reason, outcome.receipt);
      case 'cancelled':
        return await till.failed(id, 'cancelled', gone ?? 'at-terminal');
      case 'not-sent':
        return await till.failed(id, 'cancelled', 'not-sent');
      case 'unknown':
        return await till.unknown(id, gone ?? outcome.problem);
      default:
        return outcome satisfies never;
    }
  }

  async function cancel(paymentId: string): Promise<void> {
    const entry = active.get(paymentId);
    if (!entry || entry.driverGone) return;
    entry.driverGone = true;
    parts.onGivenUp();
    if (store.get(paymentId)?.payment.state === 'sent') await terminal.cancel();
  }

  return {
    async order(order, key) {
      const begun = await commit.run(() => begin(order, key));
      if (typeof begun === 'string') return { ok: false, reason: begun };
      if (begun.isNew) start(begun.entry);
      return { ok: true, payment: begun.entry.payment };
    },
    cancel,
    prompt(paymentId) {
      const entry = active.get(paymentId);
      return entry ? { prompt: entry.prompt, promptText: entry.text } : null;
    },
    isActive: (paymentId) => active.has(paymentId),
    isGivenUp: (paymentId) => active.get(paymentId)?.driverGone ?? false,
    async alone(work) {
      if (stopped || occupied || store.atTerminal(terminalId)) return false;
      occupied = true;
      try {
        await work();
        return true;
      } finally {
        occupied = false;
      }
    },
    async stop() {
      stopped = true;
      const underWay = [...active.entries()];
      for (const [id] of underWay) await cancel(id);
      await Promise.all(underWay.map(([, { done }]) => done));
    },
  };
}
