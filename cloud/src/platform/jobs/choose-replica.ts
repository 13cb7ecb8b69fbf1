import type { Clock } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db } from '../db/db.ts';
import { max } from '../db/sql.ts';
import { EVENTS } from '../events.ts';
import { jobTable } from './job-table.ts';

type Readable = Pick<Db, 'read'>;

/** A replica that lacks older writes is not read: its reports would be of another day. */
const MAX_BEHIND_MS = MINUTE_MS;

interface ReplicaParts {
  db: Readable;
  replica: Readable;
  clock: Clock;
  log: Logger;
}

/**
 * Chooses the database for long reading: the replica, or the database itself if the replica does not answer or
 * is behind. Scheduled runs note themselves in the database, so that a replica without their newest note is behind.
 */
export async function chooseReplica({ db, replica, clock, log }: ReplicaParts): Promise<Readable> {
  const refuse = (reason: string) => {
    log.warn({ event: EVENTS.replicaUnused, reason });
    return db;
  };
  try {
    const [here, there] = await Promise.all([newestNote(db), newestNote(replica)]);
    if (here !== there && here !== null && clock.now().getTime() - millis(here) > MAX_BEHIND_MS) {
      return refuse(`it lacks what was written at ${here}`);
    }
  } catch (error) {
    return refuse(messageOf(error));
  }
  let isGone = false;
  return {
    async read(work) {
      if (isGone) return await db.read(work);
      try {
        return await replica.read(work);
      } catch (error) {
        isGone = true;
        refuse(messageOf(error));
        return await db.read(work);
      }
    },
  };
}

async function newestNote(at: Readable): Promise<string | null> {
  const rows = await at.read(async (q) => await q.select({ at: max(jobTable.lastStartedAt) }).from(jobTable));
  return rows[0]?.at ?? null;
}
