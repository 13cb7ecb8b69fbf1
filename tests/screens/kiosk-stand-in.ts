import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { loadKioskPage } from '@hlid/edge/local-api/pages';
import { listen, stopListening } from '@hlid/node/listen';
import { LanguageSchema } from '@hlid/protocol/base/language';
import {
  KioskCodeOrderSchema,
  type KioskDue,
  KioskDueSchema,
  type KioskFault,
  KioskOrderSchema,
  KioskPayLinkOrderSchema,
  KioskPayLinkSchema,
  type KioskPayment,
  KioskPaymentSchema,
  type KioskReceipt,
  KioskReceiptSchema,
  type KioskSite,
  KioskSiteSchema,
  type KioskVisit,
  KioskVisitSchema,
} from '@hlid/protocol/pages/kiosk-api';
import { ProductSchema } from '@hlid/protocol/tariff/product';
import { priceBoard } from '@hlid/protocol/words/price-board';
import { z } from 'zod';
import { buildKioskPage } from '../harness/build-pages.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

export interface Parked {
  visit: KioskVisit;
  /** The whole plate; what a driver has typed of it is shown. */
  plate: string | null;
  due: Partial<KioskDue>;
}

/** An edge with answers that a test sets: the same paths and shapes over real HTTP. */
export interface KioskStandIn {
  readonly url: string;
  site: KioskSite;
  parked: Parked[];
  /** The next order is refused with this. */
  refuseOrder: KioskFault | null;
  refuseSearch: KioskFault | null;
  refuseNotMine: KioskFault | null;
  refusePayLink: KioskFault | null;
  readonly disowned: string[];
  /** The code that is right, and those that were typed. */
  goodCode: string;
  readonly codes: string[];
  receipt: Partial<KioskReceipt>;
  readonly orders: { key: string; order: z.infer<typeof KioskOrderSchema>; paymentId: string }[];
  readonly mails: { email: string; language: string }[];
  readonly cancels: string[];
  /** The screens that the kiosk sent, by the id of the picture. */
  readonly screens: Map<string, unknown>;
  /** Sends the kiosk the state of its newest payment. */
  move(change: Partial<KioskPayment>): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Once for all the stand-ins of a test. */
let built: Promise<void> | undefined;

/** A payment link as long as a real one. */
const PAY_LINK = 'AQNnIgg0C59sfkpRS1OdDjofDz0sEUv8m0J2Zr8xq1nTtWqk6Vw';

const PRODUCT = ProductSchema.parse({
  id: 'day',
  type: 'default',
  priceMinor: 500,
  currency: 'ISK',
  vehicleCategory: 'light',
  category: null,
  name: {},
  productCode: 'day',
  config: {},
  version: 1,
});

const OrderKeySchema = z.string().min(8);

export async function startKioskStandIn(pictures: readonly Buffer[]): Promise<KioskStandIn> {
  built ??= buildKioskPage(console.warn);
  await built;
  const page = loadKioskPage();
  const payments = new Map<string, KioskPayment>();
  const readers = new Set<ServerResponse>();
  let port = 0;
  let server = createServer(answer);

  const standIn = {
    url: '',
    site: KioskSiteSchema.parse({
      name: 'Hafnartorg bílahús',
      timeZone: 'Atlantic/Reykjavik',
      currency: 'ISK',
      terminal: { id: 'posi-1', connection: 'CONNECTED' },
      cloudConnected: true,
      exitGraceMinutes: 15,
      helpPhone: '555 1234',
      payOnline: 'https://hlid.example/greida',
      language: 'is',
      entryDays: 3,
      prices: priceBoard([PRODUCT], { currency: 'ISK', entryGraceMinutes: 15, channel: 'kiosk' }),
    }),
    parked: [] as Parked[],
    refuseOrder: null as KioskFault | null,
    refuseSearch: null as KioskFault | null,
    refuseNotMine: null as KioskFault | null,
    refusePayLink: null as KioskFault | null,
    /** Plates that drivers typed when they reported that a visit was not theirs. */
    disowned: [] as string[],
    goodCode: '',
    codes: [] as string[],
    receipt: {} as Partial<KioskReceipt>,
    orders: [] as { key: string; order: z.infer<typeof KioskOrderSchema>; paymentId: string }[],
    mails: [] as { email: string; language: string }[],
    cancels: [] as string[],
    screens: new Map<string, unknown>(),
    move(change: Partial<KioskPayment>) {
      const newest = standIn.orders.at(-1);
      const payment = newest && payments.get(newest.paymentId);
      if (!payment) throw new Error('No payment has been ordered.');
      const moved = KioskPaymentSchema.parse({ ...payment, ...change });
      payments.set(payment.id, moved);
      for (const reader of readers) reader.write(frame(moved));
    },
    async stop() {
      for (const reader of readers) reader.end();
      await stopListening(server, 200);
    },
    async start() {
      server = createServer(answer);
      standIn.url = `http://${await listen(server, { host: '127.0.0.1', port }, 'nothing')}`;
      port = Number(new URL(standIn.url).port);
    },
  };
  await standIn.start();
  return standIn;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('content-security-policy', POLICY);
    const url = new URL(request.url ?? '/', 'http://edge');
    const served = page.get(url.pathname);
    if (served) response.writeHead(served.status, served.headers).end(served.body);
    else void body(request).then((text) => send(response, api(request, response, url, text)));
  }

  /** The answer to a call; null: it has been written already. */
  function api(request: IncomingMessage, response: ServerResponse, url: URL, text: string): object | null {
    const [kind = '', id = '', what = ''] = url.pathname.replace('/api/kiosk/', '').split('/');
    const content: unknown = text === '' ? null : JSON.parse(text);
    const found = standIn.parked.find(({ visit }) => visit.id === id);
    const payment = payments.get(id);
    if (kind === 'site') return standIn.site;
    if (kind === 'screen') {
      standIn.screens.set(id, content);
      return {};
    }
    if (kind === 'visits' && id === '') {
      if (standIn.refuseSearch) return refusal(standIn.refuseSearch);
      const typed = url.searchParams.get('plate') ?? '';
      const visits = standIn.parked.filter(({ plate, visit }) => visit.doubtful || plate?.startsWith(typed));
      return { visits: visits.map((parked) => seen(parked, typed)) };
    }
    if (kind === 'entries') {
      const [from = '', to = ''] = [url.searchParams.get('from'), url.searchParams.get('to')].map(
        (at) => at ?? '',
      );
      const visits = standIn.parked.filter(({ visit }) => visit.startedAt >= from && visit.startedAt < to);
      return { visits: visits.map((parked) => seen(parked, '')) };
    }
    if (kind === 'visits' && what === 'picture' && found) {
      const picture = pictures[standIn.parked.indexOf(found) % pictures.length];
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture);
      return null;
    }
    if (kind === 'visits' && what === 'not-mine' && found) {
      if (standIn.refuseNotMine) return refusal(standIn.refuseNotMine);
      standIn.disowned.push(z.strictObject({ plate: z.string() }).parse(content).plate);
      return {};
    }
    if (kind === 'visits' && what === 'code' && found) {
      const { code, plate } = KioskCodeOrderSchema.parse(content);
      standIn.codes.push(code);
      if (code !== standIn.goodCode) return refusal('wrong-code');
      found.due = { standing: 'paid', leaveBy: new Date(Date.now() + 15 * 60_000).toISOString() };
      return dueOf(found, plate);
    }
    if (kind === 'visits' && what === 'pay-link' && found) {
      if (standIn.refusePayLink) return refusal(standIn.refusePayLink);
      const { language } = KioskPayLinkOrderSchema.parse(content);
      return KioskPayLinkSchema.parse({ url: `https://hlid.example/pay?lang=${language}#${PAY_LINK}` });
    }
    if (kind === 'visits' && what === 'plate' && found) {
      found.plate = z.object({ plate: z.string() }).parse(content).plate;
      found.due = { ...found.due, standing: 'due' };
      return dueOf(found, found.plate);
    }
    if (kind === 'visits' && found) return dueOf(found, url.searchParams.get('plate') ?? '');
    if (kind === 'payments' && id === '') {
      const key = OrderKeySchema.parse(request.headers['idempotency-key']);
      const before = standIn.orders.find((order) => order.key === key);
      if (before) return payments.get(before.paymentId) ?? {};
      if (standIn.refuseOrder) return refusal(standIn.refuseOrder);
      const order = KioskOrderSchema.parse(content);
      const paymentId = crypto.randomUUID();
      standIn.orders.push({ key, order, paymentId });
      payments.set(
        paymentId,
        KioskPaymentSchema.parse({
          id: paymentId,
          visitId: order.visitId,
          state: 'sent',
          needsPerson: false,
          amountMinor: order.amountMinor,
          currency: 'ISK',
          prompt: 'wait',
          promptText: null,
          reason: null,
          paidUntil: null,
        }),
      );
      return payments.get(paymentId) ?? {};
    }
    if (!payment) return refusal('not-found');
    if (what === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
      readers.add(response);
      response.on('close', () => readers.delete(response));
      response.write(frame(payment));
      return null;
    }
    if (what === 'cancel') {
      standIn.cancels.push(id);
      return payment;
    }
    if (what === 'mail') {
      standIn.mails.push(z.strictObject({ email: z.email(), language: LanguageSchema }).parse(content));
      return {};
    }
    if (what === 'receipt') return receiptOf(payment);
    return payment;
  }

  function receiptOf({ amountMinor, currency }: KioskPayment): KioskReceipt {
    const now = new Date().toISOString();
    return KioskReceiptSchema.parse({
      site: standIn.site.name,
      terminalLines: [],
      plate: 'MKJ45',
      from: now,
      until: now,
      lines: [],
      amountMinor,
      vatMinor: 0,
      vatRate: 24,
      currency,
      paidAt: now,
      card: { type: 'visa', lastFour: '4242' },
      url: 'https://hlid.example/receipt/Zk3uQ9b1x7Lw2Yt5Vn8Rs4?lang=is',
      ...standIn.receipt,
    });
  }
}

function seen({ visit, plate }: Parked, typed: string): KioskVisit {
  const shown = plate && [...plate].map((character, at) => (at < typed.length ? character : '•')).join('');
  return KioskVisitSchema.parse({ ...visit, plate: shown });
}

function dueOf(parked: Parked, typed: string): KioskDue {
  return KioskDueSchema.parse({
    standing: 'due',
    amountMinor: 0,
    currency: 'ISK',
    lines: [],
    vatRate: 24,
    pricedAt: new Date().toISOString(),
    paidUntil: null,
    dayPriceMinor: null,
    paymentId: null,
    ...parked.due,
    visit: seen(parked, typed),
  });
}

function frame(payment: KioskPayment): string {
  return `event: payment\ndata: ${JSON.stringify(payment)}\n\n`;
}

function send(response: ServerResponse, content: object | null): void {
  if (!content) return;
  const status = 'code' in content ? 409 : 200;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}

function refusal(code: KioskFault): object {
  return { code, messages: [code] };
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
