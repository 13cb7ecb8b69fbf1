import type { IncomingMessage, ServerResponse } from 'node:http';
import { KioskOrderSchema, type KioskPayment } from '@hlid/protocol/kiosk-api';
import { utcTime } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { viewPayment, viewReceipt } from '../payment/kiosk-views.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { type KioskAnswer, mistaken } from './kiosk-answer.ts';
import type { KioskParts } from './kiosk-parts.ts';
import { readJson } from './read-json.ts';

/** A driver pays at the kiosk, watches it, and wants his receipt. */
export interface KioskPayments {
  order(request: IncomingMessage): Promise<KioskAnswer>;
  cancel(id: string): Promise<KioskAnswer>;
  payment(id: string): KioskAnswer;
  receipt(id: string): KioskAnswer;
  mail(id: string, to: { email: string; language?: 'is' | 'en' | undefined }): Promise<KioskAnswer>;
  /** Tells the page how the payment goes for as long as it listens. @returns false where there is no such payment */
  stream(id: string, response: ServerResponse): boolean;
  stop(): void;
}

const BEAT_MS = 5000;
const KeySchema = z.string().min(8).max(200);

export function createKioskPayments(
  parts: Pick<KioskParts, 'site' | 'stays' | 'store' | 'payments' | 'cloud' | 'events' | 'commit' | 'clock'>,
): KioskPayments {
  const { site, stays, payments, store } = parts;
  const streams = new Map<string, EventStreams>();

  function view(id: string): KioskPayment | null {
    const entry = store.get(id);
    if (!entry) return null;
    return viewPayment(entry, payments?.prompt(id) ?? null, stays.visits.get(entry.payment.visitId));
  }

  function payment(id: string): KioskAnswer {
    const body = view(id);
    return body ? { status: 200, body } : { fault: 'not-found' };
  }

  const unsubscribe = payments?.subscribe((id) => {
    const readers = streams.get(id);
    const seen = readers && view(id);
    if (seen) readers.send('payment', seen);
  });
  const beat = setInterval(() => {
    for (const [id, readers] of streams) {
      const seen = readers.anyone() ? view(id) : null;
      if (seen) readers.send('payment', seen);
      else streams.delete(id);
    }
  }, BEAT_MS).unref();

  return {
    payment,
    async order(request) {
      if (!payments) return { fault: 'no-terminal' };
      const key = KeySchema.safeParse(request.headers['idempotency-key']);
      if (!key.success) return { fault: 'bad-input', message: 'idempotency-key: 8 to 200 characters' };
      const order = KioskOrderSchema.safeParse(await readJson(request));
      if (!order.success) return mistaken(order.error);
      const { quantity, ...rest } = order.data;
      const answer = await payments.order({ ...rest, ...(quantity && { quantity }) }, key.data);
      return answer.ok ? payment(answer.payment.id) : { fault: answer.reason };
    },
    async cancel(id) {
      await payments?.cancel(id);
      return payment(id);
    },
    receipt(id) {
      const entry = store.get(id);
      if (!entry) return { fault: 'not-found' };
      const visit = stays.visits.get(entry.payment.visitId);
      const body = viewReceipt(entry, site(), parts.cloud?.url ?? null, visit);
      return body ? { status: 200, body } : { fault: 'not-found' };
    },
    async mail(id, to) {
      const settled = store.get(id)?.payment;
      if (settled?.state !== 'settled') return { fault: 'not-found' };
      const { email, language = settled.language } = to;
      const at = utcTime(parts.clock.now());
      await parts.commit.run(() =>
        parts.events.append({ type: 'receipt.wanted', paymentId: id, email, language }, at),
      );
      return { status: 200, body: {} };
    },
    stream(id, response) {
      const seen = view(id);
      if (!seen) return false;
      const readers = streams.get(id) ?? createEventStreams();
      streams.set(id, readers);
      return readers.open(response, 'payment', seen);
    },
    stop() {
      unsubscribe?.();
      clearInterval(beat);
      for (const readers of streams.values()) readers.close();
    },
  };
}
