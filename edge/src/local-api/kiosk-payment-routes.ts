import type { ServerResponse } from 'node:http';
import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { LanguageSchema } from '@hlid/protocol/base/language';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { KioskOrderSchema, type KioskPayment } from '@hlid/protocol/pages/kiosk-api';
import { NO_LEAVING_TIMES } from '@hlid/protocol/rules/leave-by';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { EventStream } from './event-stream.ts';
import type { KioskParts } from './kiosk-parts.ts';
import { viewPayment, viewReceipt } from './kiosk-views.ts';
import type { LocalEnv } from './local-env.ts';
import { refuseKiosk, withBody } from './refusals.ts';

const KeySchema = z.string().min(8).max(200);
const MailSchema = z.strictObject({ email: MailAddressSchema, language: LanguageSchema.optional() });

type PaymentParts = Pick<
  KioskParts,
  'site' | 'stays' | 'dues' | 'store' | 'payments' | 'cloud' | 'events' | 'commit' | 'clock'
>;

/** A driver pays at the kiosk, follows the payment, and gets a receipt. */
export function kioskPaymentRoutes(parts: PaymentParts, streams: PaymentStreams): Hono<LocalEnv> {
  const { payments } = parts;
  return new Hono<LocalEnv>()
    .basePath('/api/kiosk')
    .post('/payments', (c) => order(c, parts))
    .get('/payments/:paymentId', (c) => payment(c, parts, c.req.param('paymentId')))
    .get('/payments/:paymentId/events', (c) => {
      const isOpen = streams.open(c.req.param('paymentId'), c.env.outgoing);
      return isOpen ? RESPONSE_ALREADY_SENT : refuseKiosk(c, 'not-found');
    })
    .post('/payments/:paymentId/cancel', async (c) => {
      const id = c.req.param('paymentId');
      await payments?.cancel(id);
      return payment(c, parts, id);
    })
    .get('/payments/:paymentId/receipt', (c) => {
      const entry = parts.store.get(c.req.param('paymentId'));
      if (!entry) return refuseKiosk(c, 'not-found');
      const visit = parts.stays.visits.get(entry.payment.visitId);
      const receipt = viewReceipt(entry, parts.site(), parts.cloud?.url ?? null, visit);
      return receipt ? c.json(receipt) : refuseKiosk(c, 'not-found');
    })
    .post('/payments/:paymentId/mail', (c) =>
      withBody(c, MailSchema, async ({ email, language }) => {
        const paymentId = c.req.param('paymentId');
        const paid = parts.store.get(paymentId)?.payment;
        if (paid?.state !== 'settled') return refuseKiosk(c, 'not-found');
        const wanted = { paymentId, email, language: language ?? paid.language };
        const at = utcTime(parts.clock.now());
        await parts.commit.run(() => parts.events.append({ type: 'receipt.wanted', ...wanted }, at));
        return c.json({});
      }),
    );
}

function order(c: Context<LocalEnv>, parts: PaymentParts): Response | Promise<Response> {
  const { payments } = parts;
  if (!payments) return refuseKiosk(c, 'no-terminal');
  const key = KeySchema.safeParse(c.req.header('idempotency-key'));
  if (!key.success) return refuseKiosk(c, 'bad-input', 'idempotency-key: 8 to 200 characters');
  return withBody(c, KioskOrderSchema, async ({ quantity, ...rest }) => {
    const answer = await payments.order({ ...rest, ...(quantity && { quantity }) }, key.data);
    return answer.ok ? payment(c, parts, answer.payment.id) : refuseKiosk(c, answer.reason);
  });
}

function payment(c: Context<LocalEnv>, parts: PaymentParts, id: string): Response {
  const view = viewOf(parts, id);
  return view ? c.json(view) : refuseKiosk(c, 'not-found');
}

function viewOf({ store, payments, stays, dues, clock }: PaymentParts, id: string): KioskPayment | null {
  const entry = store.get(id);
  if (!entry) return null;
  const visit = stays.visits.get(entry.payment.visitId);
  const isPaid = visit !== undefined && entry.payment.state === 'settled';
  const times = isPaid ? dues.leavingTimes(visit, utcTime(clock.now())) : NO_LEAVING_TIMES;
  return viewPayment(entry, payments?.prompt(id) ?? null, visit, times);
}

const BEAT_MS = 5000;

/** The event streams by which the page follows payments. */
export class PaymentStreams {
  readonly #parts: PaymentParts;
  readonly #streams = new Map<string, EventStream>();
  #unsubscribe: (() => void) | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.payments?.subscribe((id) => {
      const stream = this.#streams.get(id);
      if (stream) this.#send(id, stream);
    });
    this.#beat = setInterval(() => {
      for (const [id, stream] of this.#streams) {
        if (stream.hasReaders) this.#send(id, stream);
        else this.#streams.delete(id);
      }
    }, BEAT_MS).unref();
  }

  stop(): void {
    this.#unsubscribe?.();
    clearInterval(this.#beat);
    for (const stream of this.#streams.values()) stream.close();
  }

  /** @returns false where there is no such payment */
  open(id: string, response: ServerResponse): boolean {
    const view = viewOf(this.#parts, id);
    if (!view) return false;
    const stream = this.#streams.get(id) ?? new EventStream();
    this.#streams.set(id, stream);
    return stream.open(response, 'payment', view);
  }

  #send(id: string, stream: EventStream): void {
    const view = viewOf(this.#parts, id);
    if (view) stream.send('payment', view);
  }
}
