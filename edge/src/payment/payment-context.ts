import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EventLog } from '../outbox/event-log.ts';

/** What payments need of the daemon. */
export interface PaymentContext {
  db: SiteDb;
  commit: Pick<GroupCommit, 'run'>;
  events: Pick<EventLog, 'append'>;
  clock: Clock;
  log: Logger;
}
