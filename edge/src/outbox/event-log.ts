import { contentDigest } from '@hlid/node/digest';
import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import type { GroupCommit } from '../db/group-commit.ts';
import { MetaStore } from '../db/meta-store.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EventSource } from './event-source.ts';
import { EventStore } from './event-store.ts';

/** How long events are kept after the cloud has them: a cloud restored from a backup requests them again. */
const KEEP_DAYS = 30;
/** Events deleted in one step, so that pruning never delays a gate. */
const EVENTS_PER_STEP = 250;

interface EventLogContext {
  db: SiteDb;
  commit: GroupCommit;
}

/** The reports of the site to the cloud: each fact once, numbered without gaps. */
export class EventLog implements EventSource {
  readonly #commit: GroupCommit;
  readonly #meta: MetaStore;
  readonly #store: EventStore;
  readonly #readers = new Set<(body: SiteEventBody) => void>();
  readonly #listeners = new Set<() => void>();
  #epoch = '';
  #acknowledged = 0;
  /** Events after this number may be missing in the cloud even if it has some of the same numbers; null: confirmed. */
  #unconfirmedFrom: number | null = null;
  #appended = false;

  private constructor({ db, commit }: EventLogContext) {
    this.#commit = commit;
    this.#meta = new MetaStore(db);
    this.#store = new EventStore(db);
  }

  /** Opens the log of a database. A new database gets its first epoch. */
  static open(context: EventLogContext): EventLog {
    const log = new EventLog(context);
    log.#epoch = log.#meta.get('epoch') ?? log.#beginEpoch();
    log.#acknowledged = Number(log.#meta.get('acknowledged') ?? 0);
    log.#unconfirmedFrom = log.#loadUnconfirmedFrom();
    context.commit.onCommitted(() => log.#notify());
    return log;
  }

  get epoch(): string {
    return this.#epoch;
  }

  lastSeq(): number {
    return this.#store.lastSeq();
  }

  acknowledged(): number {
    return this.#acknowledged;
  }

  /** @param read called with each event as it is written; that may still be undone */
  onAppend(read: (body: SiteEventBody) => void): void {
    this.#readers.add(read);
  }

  /** Writes an event within the running transaction. @returns its number */
  append(body: SiteEventBody, at: UtcTime): number {
    this.#appended = true;
    for (const read of this.#readers) read(body);
    return this.#store.insert(at, JSON.stringify(body));
  }

  after(seq: number, maxEvents: number, maxBytes: number): { seq: number; json: string }[] {
    const events: { seq: number; json: string }[] = [];
    let bytes = 0;
    for (const row of this.#store.after(seq, maxEvents)) {
      const json = eventText(row.seq, row);
      bytes += json.length;
      if (events.length > 0 && bytes > maxBytes) break;
      events.push({ seq: row.seq, json });
    }
    return events;
  }

  acknowledge(committed: number): void {
    if (committed === this.#acknowledged) return;
    this.#acknowledged = committed;
    // The write is not awaited: if it is lost, the cloud repeats the acknowledgement at the next connection.
    // It goes with the next commit, since a separate flush for each answer of the cloud would delay the next
    // car.
    this.#commit
      .runSoon(() => this.#meta.set('acknowledged', String(this.#acknowledged)))
      .catch(() => undefined);
  }

  digestOf(seq: number): string | null {
    const row = this.#store.findOriginal(seq);
    return row === undefined ? null : contentDigest(eventText(seq, row));
  }

  confirm(): void {
    if (this.#unconfirmedFrom === null) return;
    this.#unconfirmedFrom = null;
    // The removal is not awaited: if it is lost, a new epoch repeats more events than necessary.
    this.#commit.runSoon(() => this.#meta.remove('unconfirmed-from')).catch(() => undefined);
  }

  async startNewEpoch({ knownUpTo, cloudLostEvents = false }: NewEpoch = {}): Promise<void> {
    const after = Math.min(knownUpTo ?? this.#unconfirmedFrom ?? this.#acknowledged, this.lastSeq());
    while ((await this.#commit.run(() => this.#store.dropUpTo(after, EVENTS_PER_STEP))) > 0);
    this.#epoch = this.#commit.runNow(() => {
      if (cloudLostEvents) this.#meta.set('cloud-lost-events', this.#epoch);
      this.#store.renumber(after);
      this.#meta.set('acknowledged', '0');
      this.#meta.set('unconfirmed-from', '0');
      return this.#beginEpoch();
    });
    this.#acknowledged = 0;
    this.#unconfirmedFrom = 0;
  }

  onAppended(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Deletes acknowledged events older than 30 days, some at a time; resolves with how many were deleted. */
  pruneOld(now: Date): Promise<number> {
    const before = utcTime(now.getTime() - KEEP_DAYS * DAY_MS);
    return this.#commit.run(() => this.#store.dropOld(before, this.#acknowledged, EVENTS_PER_STEP));
  }

  /** Packs events that the cloud has, some at a time. @returns how many; 0: there are not enough for a pack */
  packOld(): Promise<number> {
    return this.#commit.run(() => this.#store.pack(this.#acknowledged));
  }

  /** The time of the first event that the cloud does not have. */
  firstUnacknowledgedAt(): string | null {
    const [first] = this.#store.after(this.#acknowledged, 1);
    return first?.at ?? null;
  }

  #notify(): void {
    if (!this.#appended) return;
    this.#appended = false;
    for (const listener of this.#listeners) listener();
  }

  #beginEpoch(): string {
    const id = newId();
    this.#meta.set('epoch', id);
    return id;
  }

  /** If this database is a restored copy, the cloud has no event from it that is newer than this start. */
  #loadUnconfirmedFrom(): number {
    const stored = this.#meta.get('unconfirmed-from');
    if (stored !== undefined) return Number(stored);
    const now = this.lastSeq();
    try {
      this.#meta.set('unconfirmed-from', String(now));
    } catch {
      // A full disk prevents no start; the number is known as long as the program runs.
    }
    return now;
  }
}

type NewEpoch = Exclude<Parameters<EventSource['startNewEpoch']>[0], undefined>;

function eventText(seq: number, { at, body }: { at: string; body: string }): string {
  return `{"seq":${seq},"at":"${at}","body":${body}}`;
}
