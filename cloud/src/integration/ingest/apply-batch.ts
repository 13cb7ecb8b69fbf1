import { type Clock, nowUtc } from '@hlid/node/clock';
import { contentDigest } from '@hlid/node/digest';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Tx } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { isFaultOfData, withoutValues } from '../../platform/db/sqlite-fault.ts';
import { addRejected, beginCursor, readCursor, writeCursor } from '../../sites/sites/event-cursor.ts';
import { applyEvent } from './apply-event.ts';
import type { BatchEvent, UnreadableEvent } from './read-batch.ts';

export interface Batch {
  siteId: string;
  epoch: string;
  events: readonly BatchEvent[];
}

/** The result of a batch. */
export interface Applied {
  /** The newest event of the epoch that is applied now. */
  committed: number;
  applied: number;
  rejected: Rejected[];
  /** The batch, or the rest of it, does not follow on what is applied. */
  gap: boolean;
}

export type Rejected = UnreadableEvent;

/**
 * Applies a batch in one transaction: in order, each event once, and the cursor with it. An event that the database
 * refuses (never for want of disk or time) is kept as rejected, and the rest goes on.
 */
export async function applyBatch(db: Db, clock: Clock, batch: Batch): Promise<Applied> {
  try {
    return await db.write((tx) => applyInOrder(tx, clock, batch, applyAtOnce));
  } catch (error) {
    if (!isFaultOfEvent(error)) throw error;
    return await db.write((tx) => applyInOrder(tx, clock, batch, applyAlone));
  }
}

type Apply = (tx: Tx, batch: Batch, event: BatchEvent, at: UtcTime) => Promise<Rejected | null>;

async function applyInOrder(tx: Tx, clock: Clock, batch: Batch, apply: Apply): Promise<Applied> {
  const { siteId, epoch, events } = batch;
  const cursor = await readCursor(tx.q, siteId, epoch);
  const before = cursor?.committed ?? 0;
  let committed = before;
  let last: BatchEvent | null = null;
  let gap = false;
  const rejected: Rejected[] = [];
  const at = nowUtc(clock);
  for (const event of events) {
    const seq = seqOf(event);
    if (seq <= committed) continue;
    gap = seq > committed + 1;
    if (gap) break;
    const refusal = await apply(tx, batch, event, at);
    if (refusal) rejected.push(refusal);
    committed = seq;
    last = event;
  }
  if (last !== null) {
    for (const { seq, event, error } of rejected) {
      await addRejected(tx.q, {
        siteId,
        epoch,
        seq,
        event: JSON.stringify(event),
        error,
        receivedAt: at,
      });
    }
    const begun = cursor ?? (await beginCursor(tx.q, siteId, epoch, at));
    await writeCursor(tx.q, { ...begun, committed, digest: contentDigest(JSON.stringify(asSent(last))), at });
  }
  return { committed, applied: committed - before - rejected.length, rejected, gap };
}

async function applyAtOnce(
  tx: Tx,
  { siteId, epoch }: Batch,
  read: BatchEvent,
  arrivedAt: UtcTime,
): Promise<Rejected | null> {
  if (!read.ok) return { seq: read.seq, event: read.event, error: read.error };
  const { seq, at, body } = read.event;
  const error = await applyEvent(tx, { siteId, eventId: `${epoch}-${seq}`, at, arrivedAt }, body);
  return error === null ? null : { seq, event: read.event, error };
}

/** Applies each event under a separate savepoint, so that one which fails leaves nothing behind. */
async function applyAlone(
  tx: Tx,
  batch: Batch,
  event: BatchEvent,
  arrivedAt: UtcTime,
): Promise<Rejected | null> {
  await tx.q.run(sql`SAVEPOINT one_event`);
  try {
    const rejected = await applyAtOnce(tx, batch, event, arrivedAt);
    await tx.q.run(sql`RELEASE one_event`);
    return rejected;
  } catch (error) {
    if (!isFaultOfEvent(error)) throw error;
    await tx.q.run(sql`ROLLBACK TO one_event`);
    await tx.q.run(sql`RELEASE one_event`);
    return { seq: seqOf(event), event: event.event, error: messageOf(withoutValues(error)) };
  }
}

function asSent(event: BatchEvent): unknown {
  return event.ok ? (event.sent ?? event.event) : event.event;
}

function seqOf(event: BatchEvent): number {
  return event.ok ? event.event.seq : event.seq;
}

/** Whether the event itself is to blame, so that trying again cannot help. */
function isFaultOfEvent(error: unknown): boolean {
  return isFaultOfData(error) || error instanceof TypeError || error instanceof RangeError;
}
