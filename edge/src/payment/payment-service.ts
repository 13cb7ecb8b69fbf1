import type { Payment } from '@hlid/protocol/payment';
import { MINUTE_MS, millis } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { LOG_EVENTS } from '../events.ts';
import { type Sign, WELL } from '../health/device-health.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { SiteStays } from '../site-core.ts';
import type { Terminal, TerminalStatus } from '../terminal/terminal.ts';
import { createDayClosing, type DayClosing } from './close-day.ts';
import { createPaymentJournal } from './payment-journal.ts';
import { createPaymentTill, type PaymentTill } from './payment-settlement.ts';
import { createPaymentStore, type PaymentStore } from './payment-store.ts';
import { createPaymentResolver, RESOLVER_TIMING, type ResolverTiming } from './resolve-payments.ts';
import { createPaymentDesk, type PaymentDesk } from './terminal-sale.ts';
import { createVisitDues, type VisitDues } from './visit-due.ts';

/** Card payments at the site's terminal. */
export interface Payments {
  terminalId: string;
  desk: PaymentDesk;
  store: PaymentStore;
  day: DayClosing;
  status(): TerminalStatus;
  onStatus: Terminal['onStatus'];
  /** Drivers can pay now. */
  works(): boolean;
  /** Those that wait for a person. */
  forPerson(): Payment[];
  byPerson: PaymentTill['byPerson'];
  /** Called with the id of a payment of which something has changed; returns how to stop that. */
  subscribe(listener: (paymentId: string) => void): () => void;
  /** What is not as it should be, by what it is about. */
  signs(): { line: Sign; payments: Sign; day: Sign };
  start(): void;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

const LOOKED_EVERY_MS = MINUTE_MS;
/** So long a driver who is at the terminal may take to stop when the program does. */
const STOP_PATIENCE_MS = 5000;
/** Unknown for longer than that, somebody should know. */
const AGEING_MS = 5 * MINUTE_MS;

export function createPayments(parts: {
  terminalId: string;
  terminal: Terminal;
  db: SiteDb;
  commit: GroupCommit;
  events: EventLog;
  stays: SiteStays;
  dayClosesAt: string;
  timeZone: () => string;
  timing?: Partial<ResolverTiming>;
  stopPatienceMs?: number;
  clock: Clock;
  log: Logger;
}): Payments & { dues: VisitDues } {
  const { terminalId, terminal, db, commit, events, stays, clock, log } = parts;
  const listeners = new Set<(paymentId: string) => void>();
  const tell = (paymentId: string) => {
    for (const listener of listeners) {
      try {
        listener(paymentId);
      } catch (err) {
        log.error({ event: LOG_EVENTS.paymentFailed, id: paymentId, err });
      }
    }
  };
  const store = createPaymentStore(db);
  const journal = createPaymentJournal({ store, events });
  const dues = createVisitDues(stays, store);
  const onChanged = ({ id }: Payment) => tell(id);
  const till = createPaymentTill({ store, journal, dues, stays, terminal, commit, onChanged, clock, log });
  const desk = createPaymentDesk({
    ...{ terminalId, terminal, store, journal, till, dues, commit, clock, log },
    book: stays.book,
    onChanged: tell,
    onGivenUp: () => void resolver.look(),
    onEnded: () => void resolver.look(),
  });
  const resolver = createPaymentResolver({
    ...{ terminalId, store, till, terminal, clock, log },
    ...{ isActive: desk.isActive, isGivenUp: desk.isGivenUp },
    timing: { ...RESOLVER_TIMING, ...parts.timing },
  });
  const day = createDayClosing({
    ...{ terminalId, terminal, store, db, commit, events, clock, log },
    alone: desk.alone,
    closesAt: parts.dayClosesAt,
    timeZone: parts.timeZone,
  });
  let timer: NodeJS.Timeout | undefined;

  function lookAtDay(): void {
    day.look().catch((err: unknown) => log.error({ event: LOG_EVENTS.dayNotClosed, terminalId, err }));
  }

  function paymentsSign(): Sign {
    const isOurs = (payment: Payment) => payment.terminalId === terminalId;
    const waiting = store.forPerson().filter(isOurs).length;
    if (waiting > 0)
      return { state: 'failing', detail: `${waiting} to be looked at: "payment list" shows them` };
    const open = store.underWay().filter(({ payment }) => isOurs(payment));
    const before = clock.now().getTime() - AGEING_MS;
    const old = open.find(({ payment }) => millis(payment.createdAt) < before && !desk.isActive(payment.id));
    return old ? { state: 'failing', detail: `One of ${old.payment.createdAt} is of unknown outcome` } : WELL;
  }

  return {
    ...{
      terminalId,
      desk,
      store,
      day,
      dues,
      status: terminal.status,
      onStatus: terminal.onStatus,
      byPerson: till.byPerson,
    },
    forPerson: store.forPerson,
    works: () => lineSign(terminal.status()).state === 'ok',
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    signs: () => ({ line: lineSign(terminal.status()), payments: paymentsSign(), day: day.sign() }),
    start() {
      terminal.start();
      void resolver.look();
      lookAtDay();
      timer = setInterval(lookAtDay, LOOKED_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      const concluded = desk.stop();
      let deadline: NodeJS.Timeout | undefined;
      const patience = new Promise((resolve) => {
        deadline = setTimeout(resolve, parts.stopPatienceMs ?? STOP_PATIENCE_MS);
      });
      await Promise.race([concluded, patience]);
      clearTimeout(deadline);
      await resolver.stop();
      // Whoever is at the terminal still is found out about at the next start.
      await terminal.stop();
      await concluded;
    },
  };
}

/** How a terminal is, by its line. */
export function lineSign({ connection, problem }: TerminalStatus): Sign {
  const detail = problem ?? '';
  switch (connection) {
    case 'CONNECTED':
    case 'ACTIVE':
      return problem === null ? WELL : { state: 'failing', detail };
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
