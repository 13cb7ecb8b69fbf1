import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { readNewer } from '@hlid/protocol/base/read-newer';
import {
  type EventBatch,
  EventBatchSchema,
  MAX_BATCH_EVENTS,
  MessageVersionSchema,
} from '@hlid/protocol/site-link/envelope';
import { type SiteEvent, SiteEventSchema } from '@hlid/protocol/site-link/site-event';
import { z } from 'zod';
import { englishLines } from '../../platform/refused.ts';

/** An event that does not have the form of one, kept as it came. */
export interface UnreadableEvent {
  seq: number;
  event: unknown;
  error: string;
}

/** `sent`: an event that is understood, as it came. */
export type BatchEvent = { ok: true; event: SiteEvent; sent?: unknown } | ({ ok: false } & UnreadableEvent);

export type ReadBatch =
  | { ok: true; epoch: string; events: BatchEvent[] }
  /** `epoch` where at least that can be made out. */
  | { ok: false; reason: string; epoch?: string };

/** The form of a batch, without that of its events. */
const EnvelopeSchema = z.object({
  v: MessageVersionSchema,
  epoch: z.uuid(),
  events: z
    .array(z.looseObject({ seq: z.int().min(1) }))
    .min(1)
    .max(MAX_BATCH_EVENTS),
});

/**
 * Reads what a site published on `up`. Events that cannot be understood do not stop the others. In those that
 * can, additional fields of a newer site are ignored.
 */
export function readBatch(payload: Uint8Array): ReadBatch {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return { ok: false, reason: 'not JSON' };
  }
  const whole = EventBatchSchema.safeParse(document);
  if (whole.success) {
    const { epoch, events } = whole.data;
    const { events: sent } = document as EventBatch;
    return { ok: true, epoch, events: events.map((event, at) => ({ ok: true, event, sent: sent[at] })) };
  }
  const envelope = EnvelopeSchema.safeParse(document);
  if (!envelope.success) {
    return { ok: false, reason: reasonOf(envelope.error), ...epochOf(document) };
  }
  const { epoch, events } = envelope.data;
  return { ok: true, epoch, events: events.map(readEvent) };
}

function readEvent(raw: { seq: number }): BatchEvent {
  const event = readNewer(SiteEventSchema, raw);
  return event.success
    ? { ok: true, event: event.data, sent: raw }
    : { ok: false, seq: raw.seq, event: raw, error: reasonOf(event.error) };
}

function reasonOf(error: z.ZodError): string {
  return englishLines(inputMistakes(error)).join('; ');
}

function epochOf(document: unknown): { epoch?: string } {
  const epoch = z.object({ epoch: z.uuid() }).safeParse(document);
  return epoch.success ? epoch.data : {};
}
