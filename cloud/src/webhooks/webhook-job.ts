import { randomUUID } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Db, Queries } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { INTEGRATION_EVENT } from '../integration-events/record-event.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { eventData, eventFrom } from './event-data.ts';
import { type Sent, sendSigned } from './send-signed.ts';
import type { WebhookRow } from './webhook.ts';
import {
  dueWebhooks,
  type EventRow,
  eventsAfter,
  findWebhook,
  forgetBefore,
  insertDelivery,
  newestEvent,
  updateWebhook,
} from './webhook-store.ts';

/** Pauses after one failure, two, … */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000];
/** Failing for so long, it is paused until a person looks at it; nothing is lost meanwhile. */
const PATIENCE_MS = 3 * DAY_MS;
const KEPT_MS = 30 * DAY_MS;
/** A run takes so long at most; another goes on from there. */
const RUN_MS = 120_000;
const EVENTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

export interface TellParts {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Also addresses of internal networks, and without TLS: where integrators live beside the cloud. */
  allowInternal: boolean;
}

/**
 * Tells webhooks what happened: each in the order of events, one at a time, again until it answers 2xx. Told at least
 * once: after a crash, the last event comes again, under the same `webhook-id`.
 */
export function webhookTelling(parts: TellParts): ScheduledRun {
  return {
    name: 'webhooks',
    everyMs: 5000,
    wakesOn: INTEGRATION_EVENT,
    isDue: async (now) => (await parts.db.read((q) => dueWebhooks(q, now))).length > 0,
    async work({ now, signal }) {
      const due = await parts.db.read((q) => dueWebhooks(q, now));
      const over = AbortSignal.timeout(RUN_MS);
      await Promise.all(due.map((webhook) => tellOne(parts, webhook.id, { stopping: signal, over })));
    },
  };
}

/** Forgets events and deliveries after a month. */
export function eventForgetting(db: Db): ScheduledRun {
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

async function tellOne(
  parts: TellParts,
  id: string,
  until: { stopping: AbortSignal; over: AbortSignal },
): Promise<void> {
  const { db, clock } = parts;
  while (!until.stopping.aborted && !until.over.aborted) {
    const { webhook, events, newest } = await db.read(async (q) => {
      const found = await findWebhook(q, id);
      // Read first: what comes after it may concern the webhook, what is up to it was looked at.
      const newest = await newestEvent(q);
      const events = found === null ? [] : await eventsAfter(q, found.cursor, found, EVENTS_AT_ONCE);
      return { webhook: found, events, newest };
    });
    if (webhook === null || webhook.status !== 'active') return;
    for (const event of events) {
      const sent = await tellEvent(parts, webhook, event, until.stopping);
      if (until.stopping.aborted) return;
      const goesOn = await db.write(async ({ q }) => {
        const at = nowUtc(clock);
        const { status, error, tookMs } = sent;
        await insertDelivery(q, {
          id: randomUUID(),
          webhookId: id,
          n: event.n,
          type: event.type,
          at,
          status,
          error,
          tookMs,
        });
        const known = await findWebhook(q, id);
        // Changed, replayed or deleted while it was being told: begin again from what it is now.
        if (known === null || known.modifiedAt !== webhook.modifiedAt) return false;
        await updateWebhook(q, id, sent.ok ? told(event) : failed(known, sent, at));
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

/** Events that do not concern it are passed over at once. */
async function skipTo(q: Queries, told: WebhookRow, newest: number): Promise<void> {
  const known = await findWebhook(q, told.id);
  if (known === null || known.modifiedAt !== told.modifiedAt || known.failures > 0) return;
  if (known.cursor < newest) await updateWebhook(q, told.id, { cursor: newest });
}

async function tellEvent(
  { db, clock, allowInternal }: TellParts,
  { url, secret }: WebhookRow,
  event: EventRow,
  signal: AbortSignal,
): Promise<Sent> {
  const data = await db.read((q) => eventData(q, event, nowUtc(clock)));
  const body = JSON.stringify({ ...eventFrom(event), data });
  const message = { url, secret, id: `event_${event.n}`, body, at: clock.now() };
  return await sendSigned(message, { allowInternal, signal });
}

function told({ n }: EventRow): Partial<WebhookRow> {
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

function logFailure({ log }: TellParts, { id, failures }: WebhookRow, { status, error }: Sent): void {
  log.warn({ event: EVENTS.webhookFailed, webhook: id, failures: failures + 1, status, error });
}
