import type { SiteEventBody } from '@hlid/protocol/site-event';
import { DAY_MS, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { EventSource } from '../cloud-link/event-source.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { createMetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import { newId } from '../new-id.ts';

/** How long events are kept after the cloud has them: a cloud restored from a backup asks for them again. */
const KEPT_DAYS = 30;
/** Events forgotten in one go, so that forgetting never holds up a gate. */
const FORGOTTEN_AT_ONCE = 2000;

/** What the site tells the cloud: each fact once, numbered without gaps. */
export interface EventLog extends EventSource {
  /** Writes an event within the running transaction. @returns its number */
  append(body: SiteEventBody, at: UtcTime): number;
  /** Forgets acknowledged events older than 30 days, some at a time; resolves with how many went. */
  forgetOld(now: Date): Promise<number>;
}

export function createEventLog(db: SiteDb, commit: GroupCommit): EventLog {
  const meta = createMetaStore(db);
  const epoch = meta.get('epoch') ?? beginEpoch();
  let acknowledged = Number(meta.get('acknowledged') ?? 0);
  let appended = false;
  const listeners = new Set<() => void>();

  const insert = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
  const last = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event'").pluck();
  const after = db.prepare<[number, number], { seq: number; at: string; body: string }>(
    'SELECT seq, at, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const forget = db.prepare(
    'DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE seq <= ? AND at < ? ORDER BY seq LIMIT ?)',
  );

  function beginEpoch(): string {
    const id = newId();
    meta.set('epoch', id);
    return id;
  }

  commit.onCommitted(() => {
    if (!appended) return;
    appended = false;
    for (const listener of listeners) listener();
  });

  return {
    epoch,
    lastSeq: () => last.get() ?? 0,
    acknowledged: () => acknowledged,
    append(body, at) {
      appended = true;
      return Number(insert.run(at, JSON.stringify(body)).lastInsertRowid);
    },
    after(seq, maxEvents, maxBytes) {
      const events: { seq: number; json: string }[] = [];
      let bytes = 0;
      for (const row of after.iterate(seq, maxEvents)) {
        const json = `{"seq":${row.seq},"at":"${row.at}","body":${row.body}}`;
        bytes += json.length;
        if (events.length > 0 && bytes > maxBytes) break;
        events.push({ seq: row.seq, json });
      }
      return events;
    },
    acknowledge(committed) {
      if (committed === acknowledged) return;
      acknowledged = committed;
      // Not waited for: should it be lost, the cloud says it again at the next connection.
      commit.run(() => meta.set('acknowledged', String(acknowledged))).catch(() => undefined);
    },
    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forgetOld(now) {
      const before = utcTime(now.getTime() - KEPT_DAYS * DAY_MS);
      return commit.run(() => forget.run(acknowledged, before, FORGOTTEN_AT_ONCE).changes);
    },
  };
}
