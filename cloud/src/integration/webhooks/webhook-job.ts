import { type Clock, nowUtc } from '@hlid/node/clock';
import { anySignal } from '@hlid/node/deadline';
import { newId } from '@hlid/node/new-id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db, Queries } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Instance } from '../../platform/jobs/cloud-instance.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { leaseOutlasting, WorkLease } from '../../platform/jobs/work-lease.ts';
import { dueAfter, releaseWork } from '../../platform/jobs/work-queue.ts';
import { type EventRow, eventsAfter, newestEvent } from '../../records/integration-events/read-events.ts';
import { INTEGRATION_EVENT } from '../../records/integration-events/record-event.ts';
import { webhookQueue } from '../../records/webhooks/webhook-table.ts';
import { eventData, eventFrom } from './event-data.ts';
import { SEND_TIMEOUT_MS, type Sent, sendSigned } from './send-signed.ts';
import type { WebhookRow } from './webhook.ts';
import { findWebhook, forgetBefore, insertDelivery, updateWebhook } from './webhook-store.ts';

const BACKOFF = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
/** A webhook that fails for this long is paused until a person resumes it; no event is lost meanwhile. */
const PATIENCE_MS = 3 * DAY_MS;
const KEPT_MS = 30 * DAY_MS;
/** The longest time of a run; the next run continues from there. */
const RUN_MS = 2 * MINUTE_MS;
const EVENTS_AT_ONCE = 100;
const WEBHOOKS_AT_ONCE = 1000;
/** Renewed at each event. */
const LEASE_MS = leaseOutlasting(SEND_TIMEOUT_MS);
const ROWS_AT_ONCE = 500;

export interface WebhookJobParts {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Allows addresses of internal networks, and addresses without TLS. */
  allowInternal: boolean;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
}

/**
 * Sends events to webhooks: to each in the order of events, one at a time, and again until it answers 2xx. Delivery is
 * at least once: after a crash the last event is sent again, under the same `webhook-id`.
 */
export function webhookJob(parts: WebhookJobParts): ScheduledRun {
  return {
    name: 'webhooks',
    everyMs: 5000,
    wakesOn: INTEGRATION_EVENT,
    isDue: async (now) => await parts.db.read((q) => webhookQueue.isAnyDue(q, now)),
    async work({ now, signal }) {
      const due = await parts.db.read((q) => webhookQueue.due(q, now, WEBHOOKS_AT_ONCE));
      const over = AbortSignal.timeout(RUN_MS);
      await Promise.all(due.map((id) => sendDue(parts, id, { stopping: signal, over })));
    },
  };
}

/** Deletes events and deliveries after a month. */
export function eventRetentionJob(db: Db): ScheduledRun {
  return {
    name: 'webhook-events-cleaning',
    everyMs: HOUR_MS,
    async work({ now, signal }) {
      const before = utcTime(millis(now) - KEPT_MS);
      let more = true;
      while (more && !signal.aborted) more = await db.write(({ q }) => forgetBefore(q, before, ROWS_AT_ONCE));
    },
  };
}

/** A webhook that this process sends to, as it is stored. */
interface Batch {
  webhook: WebhookRow;
  events: readonly EventRow[];
  lease: WorkLease;
}

async function sendDue(
  parts: WebhookJobParts,
  id: string,
  until: { stopping: AbortSignal; over: AbortSignal },
): Promise<void> {
  while (!until.stopping.aborted && !until.over.aborted) {
    const batch = await takeBatch(parts, id);
    if (batch === null || !(await sendBatch(parts, batch, until))) return;
  }
}

/** The next events of a webhook; null: there are none, or another process has it. */
async function takeBatch({ db, clock, instance }: WebhookJobParts, id: string): Promise<Batch | null> {
  const { webhook, events, newest } = await db.read(async (q) => {
    const webhook = await findWebhook(q, id);
    // Read before the events: an event after it may concern the webhook; those up to it were checked.
    const newest = await newestEvent(q);
    const events = webhook === null ? [] : await eventsAfter(q, webhook.cursor, webhook, EVENTS_AT_ONCE);
    return { webhook, events, newest };
  });
  if (webhook === null || webhook.status !== 'active') return null;
  if (events.length === 0) {
    if (newest > webhook.cursor) await db.write(({ q }) => skipTo(q, webhook, newest));
    return null;
  }
  return await db.write(async ({ q }) => {
    const now = nowUtc(clock);
    const lease = new WorkLease(clock, { leaseMs: LEASE_MS, instance });
    const known = await findWebhook(q, id);
    // It was changed, or another process has sent to it: start again from its present state.
    if (known === null || known.modifiedAt !== webhook.modifiedAt || known.cursor !== webhook.cursor)
      return null;
    return (await webhookQueue.claim(q, id, now, lease)) ? { webhook: known, events, lease } : null;
  });
}

/** @returns whether there may be more to send now */
async function sendBatch(
  parts: WebhookJobParts,
  { webhook, events, lease: first }: Batch,
  until: { stopping: AbortSignal; over: AbortSignal },
): Promise<boolean> {
  const { db, clock, instance } = parts;
  const { id } = webhook;
  let lease = first;
  for (const event of events) {
    const lasts = lease.signal();
    if (lasts === null) return false;
    const sent = await sendEvent(parts, webhook, event, anySignal([until.stopping, lasts]));
    if (until.stopping.aborted) break;
    const later = new WorkLease(clock, { leaseMs: LEASE_MS, instance });
    const isOurs = await db.write(async ({ q }) => {
      const at = nowUtc(clock);
      const { status, error, tookMs } = sent;
      const { n, type } = event;
      await insertDelivery(q, { id: newId(), webhookId: id, n, type, at, status, error, tookMs });
      // The webhook was changed, replayed or deleted meanwhile.
      if (!(await webhookQueue.renew(q, id, lease, later))) return false;
      await updateWebhook(q, id, sent.ok ? delivered(event) : failed(webhook, sent, at));
      return true;
    });
    if (!sent.ok) logFailure(parts, webhook, sent);
    if (!isOurs || !sent.ok) return false;
    lease = later;
    if (until.over.aborted) break;
  }
  await db.write(({ q }) => webhookQueue.settle(q, id, lease, { dueAt: nowUtc(clock) }));
  return true;
}

/** Moves the cursor over events that do not concern the webhook. */
async function skipTo(q: Queries, webhook: WebhookRow, newest: number): Promise<void> {
  const known = await findWebhook(q, webhook.id);
  if (known === null || known.modifiedAt !== webhook.modifiedAt || known.attempts > 0) return;
  if (known.cursor < newest) await updateWebhook(q, webhook.id, { cursor: newest });
}

async function sendEvent(
  { db, clock, allowInternal }: WebhookJobParts,
  { url, secret }: WebhookRow,
  event: EventRow,
  signal: AbortSignal,
): Promise<Sent> {
  const data = await db.read((q) => eventData(q, event, nowUtc(clock)));
  const body = JSON.stringify({ ...eventFrom(event), data });
  const message = { url, secret, id: `event_${event.n}`, body, at: clock.now() };
  return await sendSigned(message, { allowInternal, signal });
}

function delivered({ n }: EventRow): Partial<WebhookRow> {
  return { cursor: n, attempts: 0, failingSince: null, lastError: null };
}

function failed({ attempts, failingSince }: WebhookRow, { error }: Sent, at: UtcTime): Partial<WebhookRow> {
  const since = failingSince ?? at;
  const fields = { attempts: attempts + 1, heldBy: null, failingSince: since, lastError: error };
  return millis(at) - millis(since) > PATIENCE_MS
    ? { ...fields, status: 'paused', dueAt: null }
    : { ...fields, dueAt: dueAfter(at, attempts + 1, BACKOFF) };
}

function logFailure({ log }: WebhookJobParts, { id, attempts }: WebhookRow, { status, error }: Sent): void {
  log.warn({ event: EVENTS.webhookFailed, webhook: id, failures: attempts + 1, status, error });
}

/** Webhooks that dead processes sent to get their events now. */
export const releaseWebhooks = releaseWork(INTEGRATION_EVENT, webhookQueue);
