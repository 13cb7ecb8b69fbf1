import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db, Queries } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type EventRow, eventsAfter, newestEvent } from '../../records/integration-events/read-events.ts';
import { INTEGRATION_EVENT } from '../../records/integration-events/record-event.ts';
import { eventData, eventFrom } from './event-data.ts';
import { type Sent, sendSigned } from './send-signed.ts';
import type { WebhookRow } from './webhook.ts';
import { dueWebhooks, findWebhook, forgetBefore, insertDelivery, updateWebhook } from './webhook-store.ts';

/** The pause before a retry, by the number of failures. */
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
/** A webhook that fails for so long is paused until a person resumes it; no event is lost meanwhile. */
const PATIENCE_MS = 3 * DAY_MS;
const KEPT_MS = 30 * DAY_MS;
/** The longest time of a run; the next run continues from there. */
const RUN_MS = 2 * MINUTE_MS;
const EVENTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

export interface WebhookJobParts {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Allows addresses of internal networks, and addresses without TLS. */
  allowInternal: boolean;
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
    isDue: async (now) => (await parts.db.read((q) => dueWebhooks(q, now))).length > 0,
    async work({ now, signal }) {
      const due = await parts.db.read((q) => dueWebhooks(q, now));
      const over = AbortSignal.timeout(RUN_MS);
      await Promise.all(due.map((webhook) => sendDue(parts, webhook.id, { stopping: signal, over })));
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

async function sendDue(
  parts: WebhookJobParts,
  id: string,
  until: { stopping: AbortSignal; over: AbortSignal },
): Promise<void> {
  const { db, clock } = parts;
  while (!until.stopping.aborted && !until.over.aborted) {
    const { webhook, events, newest } = await db.read(async (q) => {
      const found = await findWebhook(q, id);
      // Read before the events: an event after it may concern the webhook; those up to it were checked.
      const newest = await newestEvent(q);
      const events = found === null ? [] : await eventsAfter(q, found.cursor, found, EVENTS_AT_ONCE);
      return { webhook: found, events, newest };
    });
    if (webhook === null || webhook.status !== 'active') return;
    for (const event of events) {
      const sent = await sendEvent(parts, webhook, event, until.stopping);
      if (until.stopping.aborted) return;
      const goesOn = await db.write(async ({ q }) => {
        const at = nowUtc(clock);
        const { status, error, tookMs } = sent;
        await insertDelivery(q, {
          id: newId(),
          webhookId: id,
          n: event.n,
          type: event.type,
          at,
          status,
          error,
          tookMs,
        });
        const known = await findWebhook(q, id);
        // The webhook was changed, replayed or deleted meanwhile: start again from its present state.
        if (known === null || known.modifiedAt !== webhook.modifiedAt) return false;
        await updateWebhook(q, id, sent.ok ? delivered(event) : failed(known, sent, at));
        return sent.ok;
      });
      if (!sent.ok) logFailure(parts, webhook, sent);
      if (!goesOn || until.over.aborted) return;
    }
    if (events.length < EVENTS_AT_ONCE) {
      if (newest > webhook.cursor) await db.write(({ q }) => skipTo(q, webhook, newest));
      return;
    }
  }
}

/** Moves the cursor over events that do not concern the webhook. */
async function skipTo(q: Queries, webhook: WebhookRow, newest: number): Promise<void> {
  const known = await findWebhook(q, webhook.id);
  if (known === null || known.modifiedAt !== webhook.modifiedAt || known.failures > 0) return;
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
  return { cursor: n, failures: 0, failingSince: null, lastError: null };
}

function failed({ failures, failingSince }: WebhookRow, { error }: Sent, at: UtcTime): Partial<WebhookRow> {
  const since = failingSince ?? at;
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
  return {
    failures: failures + 1,
    failingSince: since,
    lastError: error,
    dueAt: utcTime(millis(at) + pause),
    ...(millis(at) - millis(since) > PATIENCE_MS ? { status: 'paused' } : {}),
  };
}

function logFailure({ log }: WebhookJobParts, { id, failures }: WebhookRow, { status, error }: Sent): void {
  log.warn({ event: EVENTS.webhookFailed, webhook: id, failures: failures + 1, status, error });
}
