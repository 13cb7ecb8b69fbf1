import { pause } from '@hlid/node/pause';
import { withTimeout } from '@hlid/node/with-timeout';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault, KioskPayment } from '@hlid/protocol/pages/kiosk-api';
import type { Payment } from '@hlid/protocol/records/payment';
import type { Visit } from '@hlid/protocol/records/visit';
import { billDays, billDue } from '@hlid/protocol/rules/payment-order';
import { mayBeRefunded, type PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { asksTheSame } from '@hlid/protocol/rules/visit-transitions';
import { LOG_EVENTS } from '../base/events.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { SiteStays } from '../site/site-stays.ts';
import type { Terminal, TerminalStatus } from '../terminal/terminal.ts';
import { NO_FEE } from '../visit/service-fee.ts';
import { DayClosing } from './close-day.ts';
import { intentOf, isOrderOf, type PaymentOrder, withFee } from './order-bill.ts';
import type { PaymentRecords } from './payment-records.ts';
import { PaymentSettlement } from './payment-settlement.ts';
import type { JournalEntry } from './payment-store.ts';
import { PaymentResolver, type ResolverTiming } from './resolve-payments.ts';
import { TerminalSale } from './terminal-sale.ts';
import type { VisitDue } from './visit-due.ts';

export type OrderAnswer = { ok: true; payment: Payment } | { ok: false; reason: KioskFault };

export type ReversalAnswer =
  | { ok: true; payment: Payment }
  | {
      ok: false;
      reason: 'not-found' | 'not-reversible' | 'reversal-unknown' | 'terminal-busy' | 'terminal-away';
    };

/** How long a driver who is at the terminal has to finish when the program stops. */
const STOP_TIMEOUT_MS = 5000;
/** A payment that is unknown for longer raises an alarm. */
const AGEING_MS = 5 * MINUTE_MS;

/**
 * Card payments at the site's terminal, one at a time. It owns the journal, the sale at the terminal, the settlement of
 * visits, and the resolution of unknown outcomes:
 *
 *   order ──▶ journal ──▶ sale ───────┐
 *                                     ├──▶ settlement: transition ──▶ journal, visit, events ──▶ gates
 *   restart, lost line ──▶ resolver ──┘
 */
export class PaymentService {
  readonly terminalId: string;
  readonly day: DayClosing;
  readonly #context: EdgeContext;
  readonly #terminal: Terminal;
  readonly #book: SiteStays['book'];
  readonly #onlinePayments: SiteStays['onlinePayments'];
  readonly #records: PaymentRecords;
  readonly #settlement: PaymentSettlement;
  readonly #resolver: PaymentResolver;
  readonly #stopTimeoutMs: number;
  /** Payments at the terminal now, with what resolves at their end. */
  readonly #sales = new Map<string, TerminalSale>();
  readonly #ends = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(paymentId: string) => void>();
  /** The terminal is doing something during which no payment may begin. */
  #isOccupied = false;
  #stopped = false;

  constructor(
    context: EdgeContext,
    parts: {
      terminalId: string;
      terminal: Terminal;
      stays: SiteStays;
      records: PaymentRecords;
      /** The closing time by the wall clock of the site, such as `04:00`. */
      dayClosesAt: string;
      timeZone: () => string;
      timing?: Partial<ResolverTiming>;
      stopTimeoutMs?: number;
    },
  ) {
    const { terminalId, terminal, stays, records } = parts;
    const { store } = records;
    this.#context = context;
    this.terminalId = terminalId;
    this.#terminal = terminal;
    this.#book = stays.book;
    this.#onlinePayments = stays.onlinePayments;
    this.#stopTimeoutMs = parts.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#records = records;
    const onChanged = (id: string) => this.#notify(id);
    this.#settlement = new PaymentSettlement(context, { records, stays, terminal, onChanged });
    this.#resolver = new PaymentResolver(context, {
      terminalId,
      terminal,
      store,
      timing: parts.timing,
      settlement: this.#settlement,
      sales: this.#sales,
      isReversing: (id) => this.#ends.has(id),
    });
    this.day = new DayClosing(context, {
      terminalId,
      terminal,
      store,
      closesAt: parts.dayClosesAt,
      timeZone: parts.timeZone,
      runAlone: (work) => this.runAlone(work),
    });
  }

  start(): void {
    this.#terminal.start();
    this.#resolver.start();
    this.day.start();
  }

  /** Resolves when nothing is under way; no more orders are accepted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.day.stop();
    const ended = Promise.all([...this.#ends.values()]);
    const cancelled = Promise.all([...this.#sales.keys()].map((id) => this.cancel(id)));
    await withTimeout(Promise.all([ended, cancelled]), this.#stopTimeoutMs, () => undefined);
    await this.#resolver.stop();
    // A payment that is still at the terminal is resolved at the next start.
    await this.#terminal.stop();
    await ended;
  }

  status(): TerminalStatus {
    return this.#terminal.status();
  }

  /** Connects to the terminal, or checks it, now; not while a payment is under way. */
  async check(): Promise<void> {
    if (!this.#records.store.atTerminal(this.terminalId)) await this.#terminal.check();
  }

  onStatus(listener: (status: TerminalStatus) => void): () => void {
    return this.#terminal.onStatus(listener);
  }

  /** Drivers can pay now. */
  works(): boolean {
    return lineSign(this.status()).state === 'ok';
  }

  /** Calls the listener with the id of each payment that changes; returns how to stop that. */
  subscribe(listener: (paymentId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Resolves once the intent is on the disk; the terminal gets the order after that.
   *
   * @param key the same order twice is one payment
   */
  async order(order: PaymentOrder, key: string): Promise<OrderAnswer> {
    const begun = await this.#context.commit.run(() => this.#begin(order, key));
    if (typeof begun === 'string') return { ok: false, reason: begun };
    if (begun.isNew) this.#sell(begun.entry.payment);
    return { ok: true, payment: begun.entry.payment };
  }

  /**
   * The terminal gives the money of a settled payment back to the card. Resolves once the order is on the
   * disk, and the journal records the outcome. No payment can begin meanwhile.
   */
  async reverse(paymentId: string, by: string): Promise<ReversalAnswer> {
    const entry = this.#records.store.get(paymentId);
    if (entry?.payment.terminalId !== this.terminalId) return { ok: false, reason: 'not-found' };
    const { payment, booking } = entry;
    // The same order again.
    if (payment.state === 'reversed' || this.#ends.has(paymentId)) return { ok: true, payment };
    if (payment.state !== 'settled' || booking === null) return { ok: false, reason: 'not-reversible' };
    if (mayBeRefunded(payment)) return { ok: false, reason: 'reversal-unknown' };
    const refusal = this.#terminalRefusal();
    if (refusal !== null) return { ok: false, reason: refusal };
    this.#isOccupied = true;
    const begun = await this.#settlement.orderReversal(paymentId, booking, by).catch((err: unknown) => {
      this.#isOccupied = false;
      throw err;
    });
    const end = (begun?.end ?? Promise.resolve())
      .catch((err: unknown) =>
        this.#context.log.error({ event: LOG_EVENTS.paymentFailed, id: paymentId, err }),
      )
      .finally(() => {
        this.#isOccupied = false;
        this.#ends.delete(paymentId);
        // An answer that was lost is found by asking the terminal.
        void this.#resolver.run();
      });
    this.#ends.set(paymentId, end);
    return { ok: true, payment: this.#records.store.get(paymentId)?.payment ?? payment };
  }

  /** Cancels a payment for the driver. Its outcome reports how it ended. */
  async cancel(paymentId: string): Promise<void> {
    const sale = this.#sales.get(paymentId);
    if (!sale || sale.isGivenUp) return;
    const cancelled = sale.cancel();
    void this.#resolver.run();
    await cancelled;
  }

  /** The terminal's present prompt for the driver; null: none. */
  prompt(paymentId: string): Pick<KioskPayment, 'prompt' | 'promptText'> | null {
    return this.#sales.get(paymentId)?.prompt ?? null;
  }

  isActive(paymentId: string): boolean {
    return this.#sales.has(paymentId);
  }

  /** Its driver has cancelled it, and the terminal has not ended it yet. */
  isGivenUp(paymentId: string): boolean {
    return this.#sales.get(paymentId)?.isGivenUp ?? false;
  }

  /** Does work at the terminal during which no payment may begin; false: a payment is under way. */
  async runAlone(work: () => Promise<void>): Promise<boolean> {
    if (this.#stopped || this.#isOccupied || this.#records.store.atTerminal(this.terminalId)) return false;
    this.#isOccupied = true;
    try {
      await work();
      return true;
    } finally {
      this.#isOccupied = false;
    }
  }

  /** Keeps payments from beginning for a while, as before a restart; false: one is under way. */
  pause(ms: number): boolean {
    let hasBegun = false;
    void this.runAlone(() => {
      hasBegun = true;
      return pause(ms, { ref: false });
    });
    return hasBegun;
  }

  /** Payments that need a person. */
  forPerson(): Payment[] {
    return this.#records.store.forPerson();
  }

  /**
   * A person found out what happened to a payment, such as from the terminal's own list of the day. False: the payment
   * does not need a person, or the finding cannot be true of it.
   */
  recordFinding(id: string, finding: PersonFinding, by: string): Promise<boolean> {
    return this.#settlement.recordFinding(id, finding, by);
  }

  /** The health signals: the line to the terminal, payments, the terminal's day. */
  signs(): { line: HealthSignal; payments: HealthSignal; day: HealthSignal } {
    return { line: lineSign(this.status()), payments: this.#paymentsSign(), day: this.day.sign() };
  }

  /** Writes the intent, within the running transaction. */
  #begin(order: PaymentOrder, key: string): { entry: JournalEntry; isNew: boolean } | KioskFault {
    const at = this.#now();
    const { store, dues, journal } = this.#records;
    const known = store.ofOrder(key) ?? (order.paymentId && store.get(order.paymentId));
    if (known) return isOrderOf(known, order) ? { entry: known, isNew: false } : 'key-reused';
    const due = dues.of(order.visitId, at);
    if (!due) return 'not-found';
    const { quantity } = order;
    const bill = quantity === undefined ? billDue(due) : billDays(due, quantity, due.product, null);
    if (typeof bill === 'string') return bill;
    const billed = withFee(bill, bill.inAdvance ? NO_FEE : dues.serviceFee(due, at));
    const { amountMinor } = billed;
    if (order.amountMinor !== undefined && order.amountMinor !== amountMinor) return 'amount-changed';
    const open = store.ofVisit(order.visitId);
    const isSame = open && open.payment.state !== 'unknown' && open.payment.amountMinor === amountMinor;
    // An order that names its payment is for that one only.
    if (isSame && order.paymentId === undefined && this.isActive(open.payment.id))
      return { entry: open, isNew: false };
    const refusal = this.#paymentRefusal(order.visitId, at);
    if (refusal !== null) return refusal;
    const visit = billed.inAdvance ? due.visit : this.#requestPayment(due, at);
    const intent = intentOf({ order, key, terminalId: this.terminalId }, billed, visit, at);
    return { entry: journal.begin(intent), isNew: true };
  }

  /** Why no payment can begin, for whatever amount; null: it can. */
  #paymentRefusal(visitId: string, at: UtcTime): KioskFault | null {
    const isPaying =
      this.#records.store.ofVisit(visitId) !== undefined || this.#onlinePayments.isUnderWay(visitId, at);
    return isPaying ? 'payment-under-way' : this.#terminalRefusal();
  }

  #terminalRefusal(): 'terminal-busy' | 'terminal-away' | null {
    if (this.#isOccupied || this.#records.store.atTerminal(this.terminalId)) return 'terminal-busy';
    const { connection } = this.status();
    if (connection === 'ACTIVE') return 'terminal-busy';
    return this.#stopped || connection !== 'CONNECTED' ? 'terminal-away' : null;
  }

  /** Records that the visit's driver has asked to pay, and what the visit owes. */
  #requestPayment({ visit, demand }: VisitDue, at: UtcTime): Visit {
    if (demand === null || asksTheSame(visit, demand)) return visit;
    return this.#book.askToPay(visit, demand, { at, by: 'kiosk', reason: 'asked-to-pay' });
  }

  #sell(payment: Payment): void {
    const { id } = payment;
    const { log } = this.#context;
    const sale = new TerminalSale(payment, {
      terminal: this.#terminal,
      settlement: this.#settlement,
      log,
      onPrompt: () => this.#notify(id),
    });
    this.#sales.set(id, sale);
    // It was ordered while the program stopped.
    if (this.#stopped) void sale.cancel();
    const end = sale
      .run()
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.paymentFailed, id, err }))
      .finally(() => {
        this.#sales.delete(id);
        this.#ends.delete(id);
        this.#notify(id);
        // An outcome that could not be written is found by asking the terminal.
        void this.#resolver.run();
      });
    this.#ends.set(id, end);
  }

  #notify(paymentId: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(paymentId);
      } catch (err) {
        this.#context.log.error({ event: LOG_EVENTS.paymentFailed, id: paymentId, err });
      }
    }
  }

  #paymentsSign(): HealthSignal {
    const isOurs = ({ terminalId }: Payment) => terminalId === this.terminalId;
    const waiting = this.forPerson().filter(isOurs).length;
    if (waiting > 0)
      return { state: 'failing', detail: `${waiting} to be looked at: "payment list" shows them` };
    const before = millis(this.#now()) - AGEING_MS;
    const old = this.#records.store
      .underWay()
      .map(({ payment }) => payment)
      .find((payment) => isOurs(payment) && millis(payment.createdAt) < before && !this.isActive(payment.id));
    return old ? { state: 'failing', detail: `One of ${old.createdAt} is of unknown outcome` } : HEALTHY;
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }
}

/** How the line to a terminal is. */
export function lineSign({ connection, problem }: TerminalStatus): HealthSignal {
  const detail = problem ?? '';
  switch (connection) {
    case 'CONNECTED':
    case 'ACTIVE':
      return problem === null ? HEALTHY : { state: 'failing', detail };
    case 'LOGINFAILED':
      return { state: 'login-refused', detail };
    case 'NOTLOGGEDIN':
    case 'DISCONNECTED':
      return { state: 'unreachable', detail };
    case 'UNKNOWN':
      return { state: 'unknown', detail };
    default:
      return connection satisfies never;
  }
}
