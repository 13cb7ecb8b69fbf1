import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KioskFault, KioskOrderSchema, type KioskSite } from '@hlid/protocol/kiosk-api';
import { readablePlate } from '@hlid/protocol/plate';
import type { SiteItem } from '@hlid/protocol/site-change';
import { type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { LEAST_TYPED, type VisitFinder } from '../payment/find-visits.ts';
import { viewDue, viewPayment, viewReceipt } from '../payment/kiosk-views.ts';
import type { LookLimit } from '../payment/look-limit.ts';
import type { PaymentStore } from '../payment/payment-store.ts';
import type { Payments } from '../payment/payments.ts';
import type { VisitDues } from '../payment/visit-due.ts';
import type { SiteStays } from '../site-core.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { type KioskAnswer, mistaken, sendFault, sendKioskJson } from './kiosk-answer.ts';
import { readJson } from './read-json.ts';

/** What the kiosk's calls rest on. */
export interface KioskParts {
  site: () => SiteItem;
  stays: Pick<SiteStays, 'visits' | 'book'>;
  dues: VisitDues;
  finder: VisitFinder;
  limit: LookLimit;
  store: Pick<PaymentStore, 'get'>;
  /** Null: the site has no terminal. */
  payments: Pick<Payments, 'terminalId' | 'status' | 'desk' | 'subscribe'> | null;
  picture: (readId: string) => Promise<{ contentType: string; bytes: Buffer } | null>;
  cloud: { connected: () => boolean; url: string } | null;
  events: Pick<EventLog, 'append'>;
  commit: Pick<GroupCommit, 'run'>;
  clock: Clock;
}

/** The calls of `protocol/kiosk-api.ts`, below `/api/kiosk/`. */
export interface KioskCalls {
  /** Whether the path is one of a kiosk's. */
  has(path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  stop(): void;
}

const ROOT = '/api/kiosk/';
const BEAT_MS = 5000;
const SearchSchema = z.object({ plate: z.string().max(40) });
const EntriesSchema = z.object({ from: UtcTimeSchema, to: UtcTimeSchema });
const DueSchema = z.object({ plate: z.string().max(40).default('') });
const PlateSchema = z.strictObject({ plate: z.string().max(40) });
const MailSchema = z.strictObject({ email: z.email().max(254), language: z.enum(['is', 'en']).optional() });
const KeySchema = z.string().min(8).max(200);

export function createKioskCalls(parts: KioskParts): KioskCalls {
  const { site, stays, dues, finder, payments, store, commit, clock } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  const streams = new Map<string, EventStreams>();

  function siteView(): KioskSite {
    const { name, timeZone, currency, settings } = site();
    return {
      ...{ name, timeZone, currency },
      terminal: payments && { id: payments.terminalId, connection: payments.status().connection },
      cloudConnected: parts.cloud?.connected() ?? false,
      exitGraceMinutes: settings.exitGraceMinutes,
      helpPhone: settings.helpPhone ?? null,
      payOnline: settings.payOnline ?? null,
    };
  }

  /** Looks for visits, unless somebody has looked for too many. */
  async function look(find: () => object[] | null): Promise<KioskAnswer> {
    if (!(await commit.run(() => parts.limit.take(now())))) return { fault: 'too-many-requests' };
    const visits = find();
    if (visits) return { status: 200, body: { visits } };
    return { fault: 'bad-input', message: `plate: at least ${LEAST_TYPED} letters and digits of it` };
  }

  function due(visitId: string, typed: string): KioskAnswer {
    const at = now();
    const found = dues.of(visitId, at);
    if (!found) return { fault: 'not-found' };
    return { status: 200, body: viewDue(found, finder.view(found.visit, typed), site(), at) };
  }

  /** The driver names the plate of a visit whose plate nobody could read. */
  async function givePlate(visitId: string, raw: string): Promise<KioskAnswer> {
    const plate = readablePlate(raw);
    if (plate === null) return { fault: 'bad-input', message: 'plate: this is none that a car can have' };
    const fault = await commit.run((): KioskFault | null => {
      const visit = stays.visits.get(visitId);
      if (!visit) return 'not-found';
      if (visit.endedAt !== null) return 'visit-ended';
      // Nobody takes another one's plate, or ends another one's visit by it.
      if (visit.plate !== null || stays.visits.openByPlate(plate)) return 'bad-input';
      stays.book.correctPlate(visit, plate, { at: now(), by: 'kiosk', why: 'plate-given' });
      return null;
    });
    if (fault === null) return due(visitId, plate);
    return fault === 'bad-input'
      ? { fault, message: 'plate: the visit has one, or another car with this plate is inside' }
      : { fault };
  }

  async function picture(visitId: string): Promise<KioskAnswer> {
    const readId = stays.visits.get(visitId)?.entryReadId ?? null;
    const found = readId === null ? null : await parts.picture(readId);
    return found ? { picture: found } : { fault: 'not-found' };
  }

  async function order(request: IncomingMessage): Promise<KioskAnswer> {
    if (!payments) return { fault: 'no-terminal' };
    const key = KeySchema.safeParse(request.headers['idempotency-key']);
    if (!key.success) return { fault: 'bad-input', message: 'idempotency-key: 8 to 200 characters' };
    const order = KioskOrderSchema.safeParse(await readJson(request));
    if (!order.success) return mistaken(order.error);
    const { quantity, ...rest } = order.data;
    const answer = await payments.desk.order({ ...rest, ...(quantity && { quantity }) }, key.data);
    return answer.ok ? payment(answer.payment.id) : { fault: answer.reason };
  }

  function paymentView(id: string) {
    const entry = store.get(id);
    if (!entry) return null;
    return viewPayment(entry, payments?.desk.prompt(id) ?? null, stays.visits.get(entry.payment.visitId));
  }

  function payment(id: string): KioskAnswer {
    const body = paymentView(id);
    return body ? { status: 200, body } : { fault: 'not-found' };
  }

  function receipt(id: string): KioskAnswer {
    const entry = store.get(id);
    if (!entry) return { fault: 'not-found' };
    const visit = stays.visits.get(entry.payment.visitId);
    const body = viewReceipt(entry, site(), parts.cloud?.url ?? null, visit);
    return body ? { status: 200, body } : { fault: 'not-found' };
  }

  async function mail(id: string, wish: z.infer<typeof MailSchema>): Promise<KioskAnswer> {
    const settled = store.get(id)?.payment;
    if (settled?.state !== 'settled') return { fault: 'not-found' };
    const { email, language = settled.language } = wish;
    await commit.run(() =>
      parts.events.append({ type: 'receipt.wanted', paymentId: id, email, language }, now()),
    );
    return { status: 200, body: {} };
  }

  const unsubscribe = payments?.subscribe((id) => {
    const readers = streams.get(id);
    const view = readers && paymentView(id);
    if (view) readers.send('payment', view);
  });
  const beat = setInterval(() => {
    for (const [id, readers] of streams) {
      const view = readers.anyone() ? paymentView(id) : null;
      if (view) readers.send('payment', view);
      else streams.delete(id);
    }
  }, BEAT_MS).unref();

  function stream(id: string, response: ServerResponse): boolean {
    const view = paymentView(id);
    if (!view) return false;
    const readers = streams.get(id) ?? createEventStreams();
    streams.set(id, readers);
    return readers.open(response, 'payment', view);
  }

  async function posted(request: IncomingMessage, path: readonly string[]): Promise<KioskAnswer> {
    const [kind, id = '', what] = path;
    if (kind === 'payments' && path.length === 1) return await order(request);
    if (kind === 'visits' && what === 'plate') {
      const given = PlateSchema.safeParse(await readJson(request));
      return given.success ? await givePlate(id, given.data.plate) : mistaken(given.error);
    }
    if (kind === 'payments' && what === 'cancel') {
      await payments?.desk.cancel(id);
      return payment(id);
    }
    if (kind === 'payments' && what === 'mail') {
      const wish = MailSchema.safeParse(await readJson(request));
      return wish.success ? await mail(id, wish.data) : mistaken(wish.error);
    }
    return { fault: 'not-found' };
  }

  async function read(query: Record<string, string>, path: readonly string[]): Promise<KioskAnswer> {
    const [kind, id = '', what] = path;
    const place = path.length === 3 ? `${kind}/${what}` : `${kind}${path.length === 2 ? '/:id' : ''}`;
    switch (place) {
      case 'site':
        return { status: 200, body: siteView() };
      case 'visits': {
        const search = SearchSchema.safeParse(query);
        return search.success ? await look(() => finder.byPlate(search.data.plate)) : mistaken(search.error);
      }
      case 'entries': {
        const span = EntriesSchema.safeParse(query);
        if (!span.success) return mistaken(span.error);
        return await look(() => finder.byEntry(span.data.from, span.data.to));
      }
      case 'visits/:id':
        return due(id, DueSchema.safeParse(query).data?.plate ?? '');
      case 'visits/picture':
        return await picture(id);
      case 'payments/:id':
        return payment(id);
      case 'payments/events':
        return { stream: id };
      case 'payments/receipt':
        return receipt(id);
      default:
        return { fault: 'not-found' };
    }
  }

  async function answerOf(request: IncomingMessage): Promise<KioskAnswer> {
    const url = new URL(request.url ?? '/', 'http://kiosk');
    const path = url.pathname.slice(ROOT.length).split('/');
    if (request.method === 'GET') return await read(Object.fromEntries(url.searchParams), path);
    if (request.method !== 'POST') return { fault: 'bad-input', message: 'Use GET or POST.' };
    if (!isOwnPage(request))
      return { fault: 'bad-input', message: 'Send JSON (content-type: application/json), from this page.' };
    return await posted(request, path);
  }

  return {
    has: (path) => path.startsWith(ROOT),
    async answer(request, response) {
      const answer = await answerOf(request);
      if ('stream' in answer) {
        if (!stream(answer.stream, response)) sendFault(response, 'not-found');
      } else if ('fault' in answer) {
        sendFault(response, answer.fault, answer.message);
      } else if ('picture' in answer) {
        const { contentType, bytes } = answer.picture;
        // Whoever stands at the kiosk next is not to find it.
        const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
        response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
      } else {
        sendKioskJson(response, answer.status, answer.body);
      }
    },
    stop() {
      unsubscribe?.();
      clearInterval(beat);
      for (const readers of streams.values()) readers.close();
    },
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
