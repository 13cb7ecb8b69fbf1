import { eventDigest } from '@hlid/node/event-digest';
import type { SiteEventBody } from '@hlid/protocol/site-event';
import { DAY_MS, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { EventSource } from '../cloud-link/event-source.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { createMetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import { newId } from '../new-id.ts';

/** How long events are kept after the cloud has them: a cloud restored from a backup asks for them again. */
const KEPT_DAYS = 30;
/** Events looked at in one go, so that forgetting never holds up a gate. */
const FORGOTTEN_AT_ONCE = 250;

/** Where numbers of events stand. */
const NUMBERED = [
  ['event', 'seq'],
  ['quota_units', 'seq'],
  ['visit', 'reported_seq'],
  ['picture', 'after_seq'],
] as const;

/** What the site tells the cloud: each fact once, numbered without gaps. */
export interface EventLog extends EventSource {
  /** Writes an event within the running transaction. @returns its number */
  append(body: SiteEventBody, at: UtcTime): number;
  /** Forgets acknowledged events older than 30 days, some at a time; resolves with how many went. */
  forgetOld(now: Date): Promise<number>;
}

/** @param onAppend told of each event as it is written; it may be undone yet */
export function createEventLog(
  db: SiteDb,
  commit: GroupCommit,
  onAppend?: (body: SiteEventBody) => void,
): EventLog {
  const meta = createMetaStore(db);
  let epoch = meta.get('epoch') ?? beginEpoch();
  let acknowledged = Number(meta.get('acknowledged') ?? 0);
  let appended = false;
  const listeners = new Set<() => void>();

  const insert = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
  const last = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event'").pluck();
  const after = db.prepare<[number, number], { seq: number; at: string; body: string }>(
    'SELECT seq, at, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const asTold = db.prepare<[number], { at: string; body: string }>(
    'SELECT at, body FROM event WHERE seq = ? AND seq NOT IN (SELECT seq FROM erased_event)',
  );
  const forget = db.prepare(
    // Of the oldest only: a log in which nothing is old is not read to its end for that.
    'DELETE FROM event WHERE at < ? AND seq IN (SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?)',
  );
  const drop = db.prepare('DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE seq <= ? LIMIT ?)');
  let parted = whenParted();

  function beginEpoch(): string {
    const id = newId();
    meta.set('epoch', id);
    return id;
  }

  /** Should this database be a copy put back, that was at a start: whatever is newer the cloud has not got from it. */
  function whenParted(): number | null {
    const known = meta.get('parted');
    if (known !== undefined) return Number(known);
    const now = lastSeq();
    try {
      meta.set('parted', String(now));
    } catch {
      // A full disk keeps nobody from starting; it is known as long as the program runs.
    }
    return now;
  }

  function lastSeq(): number {
    return last.get() ?? 0;
  }

  /** What is left takes the numbers from 1 on, with whatever hangs on them, in a new epoch. @returns the epoch */
  function renumber(after: number): string {
    const away = 2 * lastSeq();
    db.pragma('defer_foreign_keys = ON');
    // Told anew as they are now, they are the events that the cloud has.
    db.exec('DELETE FROM erased_event');
    for (const [table, column] of NUMBERED) {
      // By way of numbers below zero, so that no two have the same at any moment.
      db.prepare(`UPDATE ${table} SET ${column} = ${column} - ?`).run(away);
      db.prepare(`UPDATE ${table} SET ${column} = ${column} + ?`).run(away - after);
    }
    db.prepare("UPDATE sqlite_sequence SET seq = seq - ? WHERE name = 'event'").run(after);
    meta.set('acknowledged', '0');
    meta.set('parted', '0');
    return beginEpoch();
  }

  commit.onCommitted(() => {
    if (!appended) return;
    appended = false;
    for (const listener of listeners) listener();
  });

  return {
    get epoch() {
      return epoch;
    },
    lastSeq,
    acknowledged: () => acknowledged,
    append(body, at) {
      appended = true;
      onAppend?.(body);
      return Number(insert.run(at, JSON.stringify(body)).lastInsertRowid);
    },
    after(seq, maxEvents, maxBytes) {
      const events: { seq: number; json: string }[] = [];
      let bytes = 0;
      for (const row of after.iterate(seq, maxEvents)) {
        const json = eventText(row.seq, row);
        bytes += json.length;
        if (events.length > 0 && bytes > maxBytes) break;
        events.push({ seq: row.seq, json });
      }
      return events;
    },
    acknowledge(committed) {
      if (committed === acknowledged) return;
      acknowledged = committed;
      // Not waited for: should it be lost, the cloud says it again at the next connection. With the next commit, since
      // a flush of its own for each answer of the cloud would hold up the next car.
      commit.runSoon(() => meta.set('acknowledged', String(acknowledged))).catch(() => undefined);
    },
    digestOf(seq) {
      const row = asTold.get(seq);
      return row === undefined ? null : eventDigest(eventText(seq, row));
    },
    agreed() {
      if (parted === null) return;
      parted = null;
      // Not waited for: at worst the next start looks further back than it had to.
      commit.runSoon(() => meta.remove('parted')).catch(() => undefined);
    },
    async renew({ told, cloudForgot = false } = {}) {
      const after = Math.min(told ?? parted ?? acknowledged, lastSeq());
      while ((await commit.run(() => drop.run(after, FORGOTTEN_AT_ONCE).changes)) > 0);
      epoch = commit.runNow(() => {
        if (cloudForgot) meta.set('cloud-forgot', epoch);
        return renumber(after);
      });
      acknowledged = 0;
      parted = 0;
    },
    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forgetOld(now) {
      const before = utcTime(now.getTime() - KEPT_DAYS * DAY_MS);
      return commit.run(() => forget.run(before, acknowledged, FORGOTTEN_AT_ONCE).changes);
    },
  };
}

function eventText(seq: number, { at, body }: { at: string; body: string }): string {
  return `{"seq":${seq},"at":"${at}","body":${body}}`;
}
