import type { Payment } from '@hlid/protocol/payment';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { LOG_EVENTS } from '../events.ts';
import type { Sign } from '../health/device-health.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { SiteStays } from '../site-core.ts';
import { createPaymentJournal } from './payment-journal.ts';
import { createPaymentTill, NO_SUCH_TERMINAL, type PaymentTill } from './payment-settlement.ts';
import { createPaymentStore } from './payment-store.ts';
import { createVisitDues } from './visit-due.ts';

/**
 * Payments of terminals that are no longer in the configuration, or have another id there: nobody can ask what became
 * of them. They are for a person, and for the terminal itself where it comes back.
 */
export interface LeftPayments {
  /** By the id of such a terminal: how it is with what was left there. */
  signs(): ReadonlyMap<string, Sign>;
  /** All of the site's that wait for a person, whatever their terminal. */
  forPerson(): Payment[];
  byPerson: PaymentTill['byPerson'];
  start(): void;
  stop(): Promise<void>;
}

const TRIED_EVERY_MS = MINUTE_MS;

export function createLeftPayments(parts: {
  /** Of the configuration; null: it names none. */
  terminalId: string | null;
  db: SiteDb;
  commit: GroupCommit;
  events: EventLog;
  stays: SiteStays;
  clock: Clock;
  log: Logger;
}): LeftPayments {
  const { db, commit, events, stays, clock, log } = parts;
  const store = createPaymentStore(db);
  const till = createPaymentTill({
    ...{ store, stays, commit, clock, log },
    journal: createPaymentJournal({ store, events }),
    dues: createVisitDues(stays, store),
    // Nothing is taken back where nobody can be asked.
    terminal: { reverse: async () => 'unknown' },
    onChanged: () => undefined,
  });
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const isLeft = ({ terminalId }: Payment) => terminalId !== parts.terminalId;

  function open(): Payment[] {
    return store.underWay().flatMap(({ payment }) => (isLeft(payment) ? payment : []));
  }

  async function handOver(): Promise<void> {
    for (const { id, state, needsPerson } of open()) {
      if (needsPerson) continue;
      // Nothing goes out before `sent` is on the disk.
      if (state === 'created') await till.failed(id, 'cancelled', 'not-sent');
      else await till.toPerson(id, NO_SUCH_TERMINAL);
    }
  }

  /** Until it is written down, which a full disk may put off. */
  function look(): void {
    looking = handOver()
      .then(() => clearInterval(timer))
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.paymentFailed, err }));
  }

  return {
    signs() {
      const waiting = new Map<string, Set<string>>();
      for (const { id, terminalId } of [...store.forPerson().filter(isLeft), ...open()]) {
        waiting.set(terminalId, (waiting.get(terminalId) ?? new Set()).add(id));
      }
      return new Map([...waiting].map(([terminalId, { size }]) => [terminalId, signOf(size)]));
    },
    forPerson: store.forPerson,
    byPerson: till.byPerson,
    start() {
      timer = setInterval(look, TRIED_EVERY_MS).unref();
      look();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

function signOf(waiting: number): Sign {
  const payments = waiting === 1 ? 'a payment there waits' : `${waiting} payments there wait`;
  return {
    state: 'failing',
    detail: `it is not in the configuration any more, and ${payments} for a person: "payment list" shows what`,
  };
}
