import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KioskSite, MAX_ENTRY_SPAN_MS } from '@hlid/protocol/kiosk-api';
import { millis, UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { type KioskAnswer, mistaken, sendFault } from './kiosk-answer.ts';
import type { KioskParts } from './kiosk-parts.ts';
import { createKioskPayments } from './kiosk-payments.ts';
import { createKioskVisits } from './kiosk-visits.ts';
import { readJson } from './read-json.ts';
import { sendJson } from './send-json.ts';

/** The calls of `protocol/kiosk-api.ts`, below `/api/kiosk/`. */
export interface KioskCalls {
  /** Whether the path is one of a kiosk's. */
  has(path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  stop(): void;
}

const ROOT = '/api/kiosk/';
const SearchSchema = z.object({ plate: z.string().max(40) });
const EntriesSchema = z
  .object({ from: UtcTimeSchema, to: UtcTimeSchema })
  .refine(({ from, to }) => millis(to) - millis(from) <= MAX_ENTRY_SPAN_MS, 'from, to: at most two hours');
const DueSchema = z.object({ plate: z.string().max(40).catch('') });
const PlateSchema = z.strictObject({ plate: z.string().max(40) });
const MailSchema = z.strictObject({ email: z.email().max(254), language: z.enum(['is', 'en']).optional() });

/** A call, taken apart. */
interface KioskCall {
  request: IncomingMessage;
  /** Of the visit or payment that it is about. */
  id: string;
  query: Record<string, string>;
}

type Answering = (call: KioskCall) => KioskAnswer | Promise<KioskAnswer>;

export function createKioskCalls(parts: KioskParts): KioskCalls {
  const visits = createKioskVisits(parts);
  const payments = createKioskPayments(parts);

  function siteView(): KioskSite {
    const { name, timeZone, currency, settings } = parts.site();
    const terminal = parts.payments;
    return {
      ...{ name, timeZone, currency },
      terminal: terminal && { id: terminal.terminalId, connection: terminal.status().connection },
      cloudConnected: parts.cloud?.connected() ?? false,
      exitGraceMinutes: settings.exitGraceMinutes,
      helpPhone: settings.helpPhone ?? null,
      payOnline: settings.payOnline ?? null,
    };
  }

  const routes = new Map<string, Answering>([
    ['GET site', () => ({ status: 200, body: siteView() })],
    ['GET visits', asked(SearchSchema, ({ plate }) => visits.byPlate(plate))],
    ['GET entries', asked(EntriesSchema, ({ from, to }) => visits.byEntry(from, to))],
    ['GET visits/:id', asked(DueSchema, ({ plate }, { id }) => visits.due(id, plate))],
    ['GET visits/:id/picture', ({ id }) => visits.picture(id)],
    ['POST visits/:id/plate', sent(PlateSchema, ({ plate }, { id }) => visits.givePlate(id, plate))],
    ['POST visits/:id/not-mine', sent(PlateSchema, ({ plate }, { id }) => visits.disown(id, plate))],
    ['POST payments', ({ request }) => payments.order(request)],
    ['GET payments/:id', ({ id }) => payments.payment(id)],
    ['GET payments/:id/events', ({ id }) => ({ stream: id })],
    ['GET payments/:id/receipt', ({ id }) => payments.receipt(id)],
    ['POST payments/:id/cancel', ({ id }) => payments.cancel(id)],
    ['POST payments/:id/mail', sent(MailSchema, (to, { id }) => payments.mail(id, to))],
  ]);

  async function answerOf(request: IncomingMessage): Promise<KioskAnswer> {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'POST') return { fault: 'bad-input', message: 'Use GET or POST.' };
    if (method === 'POST' && !isOwnPage(request))
      return { fault: 'bad-input', message: 'Send JSON (content-type: application/json), from this page.' };
    const { pathname, searchParams } = new URL(url, 'http://kiosk');
    const [kind = '', id, ...rest] = pathname.slice(ROOT.length).split('/');
    const place = [kind, ...(id === undefined ? [] : [':id']), ...rest].join('/');
    const route = routes.get(`${method} ${place}`);
    return route
      ? await route({ request, id: id ?? '', query: Object.fromEntries(searchParams) })
      : { fault: 'not-found' };
  }

  return {
    has: (path) => path.startsWith(ROOT),
    async answer(request, response) {
      const answer = await answerOf(request);
      if ('stream' in answer) {
        if (!payments.stream(answer.stream, response)) sendFault(response, 'not-found');
      } else if ('fault' in answer) {
        sendFault(response, answer.fault, answer.message);
      } else if ('picture' in answer) {
        const { contentType, bytes } = answer.picture;
        // Whoever stands at the kiosk next is not to find it.
        const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
        response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
      } else {
        sendJson(response, answer.status, answer.body);
      }
    },
    stop: payments.stop,
  };
}

/** Answers what is asked in the address. */
function asked<Schema extends z.ZodType>(
  schema: Schema,
  answer: (wish: z.output<Schema>, call: KioskCall) => KioskAnswer | Promise<KioskAnswer>,
): Answering {
  return (call) => {
    const wish = schema.safeParse(call.query);
    return wish.success ? answer(wish.data, call) : mistaken(wish.error);
  };
}

/** Does what the body says. */
function sent<Schema extends z.ZodType>(
  schema: Schema,
  answer: (wish: z.output<Schema>, call: KioskCall) => KioskAnswer | Promise<KioskAnswer>,
): Answering {
  return async (call) => {
    const wish = schema.safeParse(await readJson(call.request));
    return wish.success ? answer(wish.data, call) : mistaken(wish.error);
  };
}

/**
 * A page from elsewhere may send a form here, and cannot read the answer; only JSON is taken, for which a browser asks
 * first, and which it says comes from this page.
 */
function isOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (!headers['content-type']?.startsWith('application/json')) return false;
  return origin === undefined || origin === `http://${host}`;
}
