import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EventLog } from './event-log.ts';

/**
 * The context of every part of the daemon: its database, the one way to write to it, the event log, time and
 * a log.
 */
export interface EdgeContext {
  db: SiteDb;
  commit: GroupCommit;
  events: EventLog;
  clock: Clock;
  log: Logger;
}
