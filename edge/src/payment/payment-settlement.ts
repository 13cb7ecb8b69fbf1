import type { Payment } from '@hlid/protocol/payment';
import type { SettlementItem } from '@hlid/protocol/site-change';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag } from '@hlid/protocol/visit';
import { refundId, reversalItem } from '@hlid/protocol/visit-settlement';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { LaneOutcome } from '../lane-steps.ts';
import { newId } from '../new-id.ts';
import type { SiteStays } from '../site-core.ts';
import type { Terminal, TerminalTransaction } from '../terminal/terminal.ts';
import type { PaymentJournal } from './payment-journal.ts';
import type { JournalEntry, PaymentStore } from './payment-store.ts';
import type { VisitDues } from './visit-due.ts';

export interface BookedMore {
  receipt?: readonly string[];
  /** Why it was told that the approval does not stand; it has booked it all the same. */
  refused?: string | null;
}

/** What becomes of a payment once its terminal, or its memory, has spoken. Each writes first and acts then. */
export interface PaymentTill {
  /**
   * The terminal has booked it: its visit is settled and a car that waits at an exit goes; or, where nobody wants it any
   * more, the terminal takes it back.
   */
  booked(id: string, booking: TerminalTransaction, more?: BookedMore): Promise<void>;
  /** It came to nothing, or to nothing any more: the terminal has booked none, or has taken it back. */
  failed(
    id: string,
    how: 'declined' | 'cancelled',
    reason: string | null,
    receipt?: readonly string[],
  ): Promise<void>;
  /** Booked and taken back, by the terminal itself or at our word. */
  reversed(id: string, reason: string, receipt?: readonly string[]): Promise<void>;
  /** Nobody knows: the terminal is to be asked. */
  unknown(id: string, problem: string): Promise<void>;
  /** Asking settles nothing: its visit waits for a person, and nobody is kept in for it. */
  toPerson(id: string, why: string): Promise<void>;
  /** The terminal that could not be asked is back: it is no person's matter any more. */
  backAtTerminal(id: string): Promise<void>;
  /** It is unknown for longer than a driver can be kept waiting for. */
  letOut(id: string): Promise<void>;
  /**
   * A person has found out, such as from the terminal's own list of the day. False: it waits for nobody, or that cannot
   * be said of it.
   */
  byPerson(id: string, finding: PersonFinding, by: string): Promise<boolean>;
}

/** What a person says of a payment that waits for one: its money is here and stays, never came, or went back by hand. */
export type PersonFinding = 'booked' | 'not-booked' | 'given-back';

/** Why a payment is not wanted any more. */
export const DRIVER_GONE = 'driver-gone';
export const NOT_DUE = 'not-due-any-more';
/** Another amount or currency than was ordered. */
export const MISMATCH = 'mismatch';
/** Why one is for a person: its terminal is not in the configuration any more. */
export const NO_SUCH_TERMINAL = 'no-such-terminal';
const FLAG: ReviewFlag = 'payment-unknown';

export function createPaymentTill(parts: {
  store: PaymentStore;
  journal: PaymentJournal;
  dues: VisitDues;
  stays: SiteStays;
  terminal: Pick<Terminal, 'reverse'>;
  commit: Pick<GroupCommit, 'run'>;
  onChanged: (payment: Payment) => void;
  clock: Clock;
  log: Logger;
}): PaymentTill {
  const { store, journal, dues, stays, terminal, commit, onChanged, clock, log } = parts;
  const now = (): UtcTime => utcTime(clock.now());

  /** Runs work that changes a payment, and tells of it once it is on the disk. */
  async function change(
    id: string,
    work: (entry: JournalEntry, at: UtcTime) => LaneOutcome[],
  ): Promise<void> {
    const outcomes = await commit.run(() => {
      const entry = store.get(id);
      return entry ? work(entry, now()) : [];
    });
    stays.act(outcomes);
    const payment = store.get(id)?.payment;
    if (!payment) return;
    const { state, reason, needsPerson, visitId, amountMinor } = payment;
    log[needsPerson ? 'error' : 'info']({
      ...{ event: LOG_EVENTS.paymentChanged, id, visitId, state, reason, amountMinor, needsPerson },
    });
    onChanged(payment);
  }

  /** Whether its visit is paid is not known, or is known again. */
  function flag(visitId: string, raised: boolean, at: UtcTime): LaneOutcome[] {
    const visit = stays.visits.get(visitId);
    if (!visit || visit.flags.includes(FLAG) === raised) return [];
    const why = raised ? 'payment unknown' : 'payment known';
    stays.book.flag(visit, FLAG, raised, { at, by: 'kiosk', why });
    return raised ? stays.reconsider(at) : [];
  }

  /** The money is here: its visit is settled with it. The visit is told of first. */
  function settle(
    { payment }: JournalEntry,
    at: UtcTime,
    news: { needsPerson?: boolean; reason?: string } = {},
  ) {
    const { id, visitId, terminalId, currency, units } = payment;
    const amountMinor = payment.amountMinor - (payment.feesMinor ?? 0);
    flag(visitId, false, at);
    const settlement: SettlementItem = {
      ...{ id, visitId, paymentStatus: 'kiosk', amountMinor, currency, units },
      ...{ settledAt: at, by: `terminal:${terminalId}` },
    };
    stays.book.settle(settlement, at);
    journal.move(id, 'settled', news, at);
    return stays.reconsider(at);
  }

  /** Its money went back: a car inside does not leave on it any more. */
  function giveBack({ id, visitId, terminalId, currency, units, ...payment }: Payment, at: UtcTime): void {
    const amountMinor = payment.amountMinor - (payment.feesMinor ?? 0);
    const back = reversalItem({ paymentStatus: 'kiosk', amountMinor, currency, units });
    const by = `terminal:${terminalId}`;
    stays.book.settle({ id: refundId(id) ?? newId(), visitId, ...back, settledAt: at, by }, at);
  }

  async function takeBack(id: string, transaction: TerminalTransaction, reason: string): Promise<void> {
    const outcome = await terminal.reverse(transaction);
    switch (outcome) {
      case 'reversed':
      case 'already-reversed':
        return await reversed(id, reason);
      case 'not-possible':
        // The money stays with us, and somebody has to give it back.
        return await change(id, (entry, at) =>
          settle(entry, at, { needsPerson: true, reason: 'reverse-not-possible' }),
        );
      case 'unknown':
        return await unknown(id, reason);
      default:
        return outcome satisfies never;
    }
  }

  async function reversed(id: string, reason: string, receipt: readonly string[] = []): Promise<void> {
    await change(id, ({ payment }, at) => {
      if (payment.state === 'sent') journal.move(id, 'unknown', {}, at);
      if (payment.state === 'settled') giveBack(payment, at);
      journal.move(id, 'reversed', { reason, receipt, needsPerson: false }, at);
      return flag(payment.visitId, false, at);
    });
  }

  async function unknown(id: string, problem: string): Promise<void> {
    await change(id, ({ payment }, at) => {
      if (payment.state === 'unknown') journal.amend(id, { reason: problem }, at);
      else journal.move(id, 'unknown', { reason: problem }, at);
      return [];
    });
  }

  return {
    async booked(id, booking, { receipt = [], refused = null } = {}) {
      let unwanted = refused;
      await change(id, ({ payment, bill }, at) => {
        const { state, visitId, amountMinor, currency, reason } = payment;
        if (booking.amountMinor !== amountMinor || booking.currency !== currency) unwanted ??= MISMATCH;
        if (reason === DRIVER_GONE) unwanted ??= DRIVER_GONE;
        if (!dues.isWanted(visitId, amountMinor - (payment.feesMinor ?? 0), bill, at)) unwanted ??= NOT_DUE;
        const news = { booking, receipt, needsPerson: false, reason: unwanted };
        const entry =
          state === 'approved' ? journal.amend(id, news, at) : journal.move(id, 'approved', news, at);
        return unwanted === null ? settle(entry, at) : [];
      });
      if (unwanted !== null) await takeBack(id, booking, unwanted);
    },

    async failed(id, how, reason, receipt = []) {
      const entry = store.get(id);
      // Approved, and none of it left: the terminal has taken it back.
      if (entry?.payment.state === 'approved') return await reversed(id, reason ?? how, receipt);
      await change(id, ({ payment }, at) => {
        journal.move(id, how, { reason, receipt, needsPerson: false }, at);
        return flag(payment.visitId, false, at);
      });
    },

    reversed,
    unknown,

    toPerson: (id, why) =>
      change(id, ({ payment }, at) => {
        if (payment.state !== 'unknown') journal.move(id, 'unknown', { reason: why, needsPerson: true }, at);
        else journal.amend(id, { reason: why, needsPerson: true }, at);
        return flag(payment.visitId, true, at);
      }),

    backAtTerminal: (id) =>
      change(id, (_entry, at) => {
        journal.amend(id, { needsPerson: false }, at);
        return [];
      }),

    async letOut(id) {
      const visitId = store.get(id)?.payment.visitId;
      if (visitId === undefined || stays.visits.get(visitId)?.flags.includes(FLAG)) return;
      await change(id, (_entry, at) => flag(visitId, true, at));
    },

    async byPerson(id, finding, by) {
      const known = store.get(id)?.payment;
      const settled = known?.state === 'settled';
      if (!known?.needsPerson || (settled && finding === 'not-booked')) return false;
      await change(id, ({ payment }, at) => {
        const { state, needsPerson, visitId } = payment;
        // Somebody else was faster.
        if (!needsPerson || state !== known.state) return [];
        const news = { needsPerson: false, reason: `person: ${by}` };
        if (finding === 'booked') {
          if (!settled) return settle(journal.move(id, 'approved', news, at), at, { reason: news.reason });
          journal.amend(id, news, at);
          return [];
        }
        if (settled) giveBack(payment, at);
        journal.move(id, finding === 'given-back' ? 'reversed' : 'cancelled', news, at);
        return flag(visitId, false, at);
      });
      return true;
    },
  };
}
