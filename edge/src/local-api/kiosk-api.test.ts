import type { Server } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { listen, stopListening } from '@hlid/node/listen';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { KioskDueSchema, KioskPaymentSchema, KioskReceiptSchema } from '@hlid/protocol/pages/kiosk-api';
import { createAdaptorServer } from '@hono/node-server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testContext } from '../../test/payments.ts';
import { createTestSite } from '../../test/site.ts';
import { TestTerminal, testTransaction } from '../../test/terminal.ts';
import type { LinkBoard } from '../cloud-link/link-view.ts';
import { SearchLimit } from '../payment/find-visits.ts';
import { PaymentService } from '../payment/payment-service.ts';
import type { KioskApi } from './kiosk-api.ts';
import { createApp } from './local-app.ts';
import { accessPoints } from './on-site-access.ts';
import { createSiteKiosk } from './site-kiosk.ts';

const CLOUD = {
  httpUrl: 'https://parking.example',
  mqttUrl: 'mqtts://parking.example',
  siteId: 'one',
  secret: 'secret',
};

const LINK: LinkBoard = {
  view: () => ({
    connected: true,
    since: utcTime(0),
    lastError: null,
    seq: 1,
    acknowledged: 1,
    feedAt: 1,
    listsTrouble: null,
  }),
  listsDiffer: () => null,
  subscribe: () => () => undefined,
};

const AnswerSchema = z.looseObject({
  id: z.string().optional(),
  visits: z.array(z.looseObject({ id: z.string() })).optional(),
  code: z.string().optional(),
  messages: z.array(z.string()).optional(),
});
type Answer = { status: number; body: z.infer<typeof AnswerSchema> };

let site: ReturnType<typeof createTestSite>;
let terminal: TestTerminal;
let payments: PaymentService;
let kiosk: KioskApi;
let server: Server;
let url: string;
const pictures = new Map<string, Buffer>();

beforeEach(async () => {
  site = createTestSite();
  terminal = new TestTerminal();
  const clock = { now: () => new Date(site.now()) };
  payments = new PaymentService(testContext(site), {
    terminalId: 'pos-1',
    terminal,
    stays: site.core.stays,
    records: site.core.paymentRecords,
    dayClosesAt: '04:00',
    timeZone: () => 'Atlantic/Reykjavik',
    stopTimeoutMs: 50,
  });
  payments.start();
  kiosk = createSiteKiosk({
    config: { cloud: CLOUD },
    db: site.db,
    core: site.core,
    payments,
    clock,
    link: LINK,
    pictures: {
      has: (readId) => pictures.has(readId),
      async pictureOf(readId) {
        const bytes = pictures.get(readId);
        return bytes ? { contentType: 'image/jpeg', bytes } : null;
      },
    },
  });
  kiosk.start();
  const app = createApp(kiosk.routes, {
    isTraining: () => false,
    secret: 'none',
    accessPoint: accessPoints({ loopback: 'open' }).loopback,
    log: pino({ enabled: false }),
  });
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  url = `http://${await listen(server, { host: '127.0.0.1', port: 0 }, 'nothing')}`;
  site.price(500);
});
afterEach(async () => {
  kiosk.stop();
  await stopListening(server);
  await payments.stop();
  pictures.clear();
  site.close();
});

async function inside(plate: string | null = 'ABO12'): Promise<string> {
  await site.read('in-1', plate);
  site.wait(2 * HOUR_MS);
  return site.visits().at(-1)?.id ?? '';
}

async function read(path: string): Promise<Answer> {
  const response = await fetch(`${url}/api/kiosk/${path}`);
  return { status: response.status, body: AnswerSchema.parse(await response.json()) };
}

async function send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${url}/api/kiosk/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: AnswerSchema.parse(await response.json()) };
}

const order = (visitId: string, more: object = {}, key = 'order-0001') =>
  send('payments', { visitId, amountMinor: 500, language: 'is', ...more }, { 'idempotency-key': key });

/** The driver's card is approved. */
async function approve(): Promise<void> {
  await expect.poll(() => terminal.isPaying()).toBe(true);
  const { events, end } = terminal.paying();
  const transaction = testTransaction(500);
  expect(await events.onApproval(transaction)).toBe(true);
  end({ kind: 'approved', transaction, receipt: ['KVITTUN'] });
}

describe('a driver who searches for a car', () => {
  it('finds it by the start of its plate, confusable letters too, and sees no more than was typed', async () => {
    const id = await inside('ABO12');
    await inside('KLM45');
    const found = { status: 200, body: { visits: [{ id, plate: 'ABO••' }] } };
    for (const typed of ['abo', 'AB0', 'a80']) {
      const answer = await read(`visits?plate=${typed}`);
      expect(answer, typed).toMatchObject(found);
      expect(Object.keys(answer.body.visits?.[0] ?? {}).toSorted()).toEqual([
        'hasPicture',
        'id',
        'plate',
        'startedAt',
      ]);
    }
    expect(await read('visits?plate=ABO12')).toMatchObject({ body: { visits: [{ plate: 'ABO12' }] } });
    expect(await read('visits?plate=ABO13')).toMatchObject({ body: { visits: [] } });
    // Two letters are a private plate, and no beginning.
    await inside('AB');
    expect(await read('visits?plate=ab')).toMatchObject({ body: { visits: [{ plate: 'AB' }] } });
    expect(await read('visits?plate=KL')).toMatchObject({ body: { visits: [] } });
  });

  it('finds it however its letters are spelt, and sees no more than was typed', async () => {
    await site.read('in-1', 'ÞÓR12');
    site.wait(60_000);
    await site.read('in-1', 'AEGIR');
    const plates = async (typed: string) =>
      (await read(`visits?plate=${encodeURIComponent(typed)}`)).body.visits?.map((visit) => visit['plate']);
    expect(await plates('thor')).toEqual(['ÞÓR••']);
    expect(await plates('Þór')).toEqual(['ÞÓR••']);
    expect(await plates('ægi')).toEqual(['AEGI•']);
    expect(await plates('aegir')).toEqual(['AEGIR']);
    expect(await plates('air')).toEqual([]);
  });

  it('finds the car that waits at the exit with one character wrong, and no other', async () => {
    site.price();
    await site.read('in-1', 'NKP52');
    await site.read('in-2', 'LUV31');
    site.wait(2 * HOUR_MS);
    await site.read('out-1', 'NKP52');
    expect((await read('visits?plate=NKX52')).body.visits).toMatchObject([{ plate: 'NK•52' }]);
    expect((await read('visits?plate=NKP5')).body.visits).toMatchObject([{ plate: 'NKP5•' }]);
    expect((await read('visits?plate=LUX31')).body.visits).toEqual([]);
    expect((await read('visits?plate=NXX52')).body.visits).toEqual([]);
    // Letters with more than one spelling are masked too.
    await site.read('in-1', 'ÞÓR12');
    site.wait(2 * HOUR_MS);
    await site.read('out-1', 'ÞÓR12');
    const typed = async (plate: string) => (await read(`visits?plate=${plate}`)).body.visits;
    expect(await typed('THOR13')).toMatchObject([{ plate: 'ÞÓR1•' }]);
    expect(await typed('THOR99')).toEqual([]);
  });

  it('finds entries by their time, without plates', async () => {
    const from = site.now();
    const id = await inside('ABO12');
    const span = new URLSearchParams({ from, to: site.now() });
    expect(await read(`entries?${span}`)).toMatchObject({ body: { visits: [{ id, plate: '•••••' }] } });
    const later = new URLSearchParams({ from: site.now(), to: site.now() });
    expect(await read(`entries?${later}`)).toMatchObject({ body: { visits: [] } });
  });

  it('sees a few cars that came in near that time, and never those of a whole day', async () => {
    const from = site.now();
    const came: string[] = [];
    for (let car = 10; car < 30; car++) {
      await site.read('in-1', `ABX${car}`);
      came.push(site.visits().at(-1)?.id ?? '');
      site.wait(60_000);
    }
    const hour = new URLSearchParams({ from, to: site.now() });
    const found = (await read(`entries?${hour}`)).body.visits?.map(({ id }) => id) ?? [];
    expect(found.toSorted()).toEqual(came.slice(4, 16).toSorted());
    site.wait(2 * HOUR_MS);
    const day = new URLSearchParams({ from, to: site.now() });
    expect(await read(`entries?${day}`)).toMatchObject({ status: 400, body: { code: 'bad-input' } });
  });

  it('sees no entries that are older than cars usually stay', async () => {
    const from = site.now();
    await inside('ABO12');
    const span = new URLSearchParams({ from, to: site.now() });
    site.wait(3 * DAY_MS - 2 * HOUR_MS);
    expect(await read(`entries?${span}`)).toMatchObject({ body: { visits: [{ plate: '•••••' }] } });
    site.wait(2 * HOUR_MS);
    expect(await read(`entries?${span}`)).toMatchObject({
      status: 400,
      body: { code: 'bad-input', messages: ['from: at most 3 days ago'] },
    });
    expect(await read('visits?plate=ABO12')).toMatchObject({ body: { visits: [{ plate: 'ABO12' }] } });
  });

  it('can search now and then, but nobody can try all plates', async () => {
    const answers = [];
    for (let looks = 0; looks < 61; looks++) answers.push((await read('visits?plate=ABC')).status);
    expect(new Set(answers.slice(0, 60))).toEqual(new Set([200]));
    expect(await read('visits?plate=ABC')).toMatchObject({
      status: 429,
      body: { code: 'too-many-requests', messages: [expect.stringContaining('Try again in a minute')] },
    });
    // The other searches that show who is here, or open, count too.
    const id = await inside('ABO12');
    for (let looks = 0; looks < 60; looks++) await read('visits?plate=ABC');
    const day = new URLSearchParams({ from: site.now(), to: site.now() });
    expect(await read(`entries?${day}`)).toMatchObject({ status: 429 });
    expect(await send(`visits/${id}/not-mine`, { plate: 'BTE97' })).toMatchObject({ status: 429 });
    site.wait(60_000);
    expect((await read('visits?plate=ABC')).status).toBe(200);
  });

  it('can search a thousand times an hour, over a restart', () => {
    site.wait(HOUR_MS - (Date.parse(site.now()) % HOUR_MS));
    let searches = 0;
    let limit = new SearchLimit(site.db);
    for (let minute = 0; minute < 40; minute++) {
      if (minute === 10) limit = new SearchLimit(site.db);
      for (let look = 0; look < 30; look++) if (limit.allows(site.now())) searches++;
      site.wait(60_000);
    }
    expect(searches).toBe(1000);
    site.wait(HOUR_MS);
    expect(limit.allows(site.now())).toBe(true);
  });

  it('sees the visit that an exit is in doubt about, whatever is typed, and can disown it', async () => {
    const id = await inside('BTE96');
    await inside('MKJ45');
    await site.read('out-1', 'BTE97', { score: 0.8 });
    expect(site.gates['out-1'].pulses).toBe(0);
    const display = () => site.core.lanes.lanes().find((lane) => lane.id === 'out-1')?.instruction;
    expect(display()?.question).toMatchObject({
      visitId: id,
      plate: 'BTE9•',
      picture: `/api/kiosk/visits/${id}/picture`,
      text: { en: expect.stringContaining('Is this your car?') },
    });
    // The car is masked as on the display at that exit.
    const asked = { body: { visits: [{ id, plate: 'BTE9•', doubtful: true }] } };
    for (const typed of ['BTE97', 'BTE9', 'bte-9z', 'XYZ11']) {
      expect((await read(`visits?plate=${typed}`)).body, typed).toMatchObject({
        visits: [{ id, doubtful: true }],
      });
    }
    expect(await read('visits?plate=BTE97')).toMatchObject(asked);
    // His own plate is no question, and another's car is not found for who finds his own.
    expect((await read('visits?plate=BTE96')).body.visits?.[0]).not.toHaveProperty('doubtful');
    expect((await read('visits?plate=MKJ45')).body.visits).toHaveLength(1);

    expect(await send(`visits/${id}/not-mine`, { plate: 'bte 96' })).toMatchObject({ status: 400 });
    expect(await send(`visits/${id}/not-mine`, { plate: 'bte 97' })).toEqual({ status: 200, body: {} });
    await expect.poll(() => site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()[0]).toMatchObject({ id, endedAt: null, flags: ['uncertain-plate', 'not-mine'] });
    const reported = site.events().map(({ body }) => body);
    expect(site.alerts()).toContain('not-mine');
    expect(reported).toContainEqual(
      expect.objectContaining({ step: expect.objectContaining({ by: 'kiosk', reason: 'not-mine: BTE97' }) }),
    );
    // A driver can answer once for a passage, and only while a car with a doubtful plate waits.
    const again = await send(`visits/${id}/not-mine`, { plate: 'BTE97' });
    expect(again).toMatchObject({ status: 409, body: { code: 'not-in-doubt' } });
    expect((await read('visits?plate=XYZ11')).body.visits).toEqual([]);
    site.wait(HOUR_MS);
    await site.read('out-1', 'BTE96', { score: 0.99 });
    expect(await send(`visits/${id}/not-mine`, { plate: 'BTE97' })).toMatchObject({ status: 409 });
  });

  it('drives out after paying for the right car, though the exit asked for one with a similar plate', async () => {
    await inside('BTE9G');
    const own = await inside('BTE97');
    await site.read('out-1', 'BTE96', { score: 0.8 });
    expect(site.reasons().at(-1)).toBe('need-payment');
    await order(own);
    await approve();
    await expect.poll(() => site.gates['out-1'].pulses).toBe(1);
    const [other, paid] = site.visits();
    expect(other).toMatchObject({ plate: 'BTE9G', endedAt: null, paymentStatus: null });
    expect(paid).toMatchObject({ plate: 'BTE97', status: 'completed', flags: ['uncertain-plate'] });
  });

  it('sees what is due and the picture of the entry', async () => {
    const id = await inside('ABO12');
    const due = KioskDueSchema.parse((await read(`visits/${id}?plate=ABO`)).body);
    expect(due).toMatchObject({ standing: 'due', amountMinor: 500, dayPriceMinor: 500, vatRate: 24 });
    expect(due.visit.plate).toBe('ABO••');
    expect((await read(`visits/${id}/picture`)).status).toBe(404);
    pictures.set(site.core.stays.visits.get(id)?.entryReadId ?? '', Buffer.from('JPEG'));
    const response = await fetch(`${url}/api/kiosk/visits/${id}/picture`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['image/jpeg', 'JPEG']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await order(id);
    await approve();
    await expect.poll(() => site.visits()[0]?.paymentStatus).toBe('kiosk');
    expect((await fetch(`${url}/api/kiosk/visits/${id}/picture`)).status).toBe(200);
    await site.read('out-1', 'ABO12');
    expect(site.visits()[0]).toMatchObject({ id, endedAt: expect.any(String) });
    expect((await read(`visits/${id}/picture`)).status).toBe(404);
  });

  it('gives a plate that could not be read, but not another car’s', async () => {
    await inside('KLM45');
    const id = await inside(null);
    expect((await read(`visits/${id}`)).body).toMatchObject({ standing: 'need-plate' });
    expect(await send(`visits/${id}/plate`, { plate: 'klm-45' })).toMatchObject({
      status: 400,
      body: { code: 'bad-input', messages: [expect.stringContaining('another car')] },
    });
    expect(await send(`visits/${id}/plate`, { plate: 'vxy 12' })).toMatchObject({
      status: 200,
      body: { standing: 'due', visit: { plate: 'VXY12' } },
    });
  });
});

describe('a driver who pays', () => {
  it('follows the payment live, and gets a receipt on the page and by mail', async () => {
    const visitId = await inside();
    const begun = KioskPaymentSchema.parse((await order(visitId)).body);
    const stream = await fetch(`${url}/api/kiosk/payments/${begun.id}/events`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const states: string[] = [];
    const received = (async () => {
      const { body } = stream;
      if (!body) throw new Error('There are no events.');
      for await (const line of createInterface({ input: Readable.from(body) })) {
        if (!line.startsWith('data: ')) continue;
        const { state, prompt } = KioskPaymentSchema.parse(JSON.parse(line.slice(6)));
        states.push(`${state} ${prompt}`);
        if (state === 'settled') return;
      }
    })();
    await expect.poll(() => terminal.isPaying()).toBe(true);
    terminal.paying().events.onPrompt('present-card', null);
    expect((await read(`payments/${begun.id}/receipt`)).status).toBe(404);
    await approve();
    await received;
    expect(states).toEqual(expect.arrayContaining(['sent present-card', expect.stringMatching(/^settled/)]));
    const receipt = KioskReceiptSchema.parse((await read(`payments/${begun.id}/receipt`)).body);
    expect(receipt).toMatchObject({
      amountMinor: 500,
      vatMinor: 97,
      card: { type: 'visa', lastFour: '1111' },
    });
    expect(receipt.url).toMatch(/^https:\/\/parking\.example\/receipt\/[\w-]{22}\?lang=is$/);
    expect((await send(`payments/${begun.id}/mail`, { email: 'a@b.is', language: 'pl' })).status).toBe(200);
    expect(site.events().at(-1)?.body).toEqual({
      type: 'receipt.wanted',
      paymentId: begun.id,
      email: 'a@b.is',
      language: 'pl',
    });
  });

  it('orders once, however often the order is sent', async () => {
    const visitId = await inside();
    const [first, second] = [await order(visitId), await order(visitId)];
    expect(second.body.id).toBe(first.body.id);
    await approve();
  });

  it('buys days in advance', async () => {
    const visitId = await inside();
    expect(await order(visitId, { quantity: 3, amountMinor: 1500 })).toMatchObject({
      body: { amountMinor: 1500 },
    });
    await expect.poll(() => terminal.isPaying()).toBe(true);
    expect(terminal.paying().order.amountMinor).toBe(1500);
  });

  it('can cancel', async () => {
    const { body } = await order(await inside());
    await expect.poll(() => terminal.isPaying()).toBe(true);
    expect((await send(`payments/${body.id}/cancel`, {})).status).toBe(200);
    expect(terminal.cancels).toBe(1);
    terminal.paying().end({ kind: 'cancelled', code: null });
    await expect
      .poll(async () => (await read(`payments/${body.id}`)).body)
      .toMatchObject({ state: 'cancelled', reason: 'driver-gone' });
  });
});

describe('refusals', () => {
  it.each([
    ['too little of a plate', 'visits?plate=A', 400, 'bad-input', 'at least 2'],
    ['no plate', 'visits', 400, 'bad-input', 'plate'],
    [
      'a time that is none',
      'entries?from=yesterday&to=2026-11-21T12:00:00.000Z',
      400,
      'bad-input',
      'from: must be a moment such as',
    ],
    ['a visit that is none', 'visits/none', 404, 'not-found', 'nothing here'],
    ['a payment that is none', 'payments/none', 404, 'not-found', 'nothing here'],
    ['its events', 'payments/none/events', 404, 'not-found', 'nothing here'],
    ['another path', 'elsewhere', 404, 'not-found', 'nothing here'],
  ])('%s is said in words', async (_what, path, status, code, words) => {
    expect(await read(path)).toMatchObject({
      status,
      body: { code, messages: [expect.stringContaining(words)] },
    });
  });

  it('an invalid order is refused with its mistakes', async () => {
    const visitId = await inside();
    const messages = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return `${status} ${body.code}: ${body.messages?.join()}`;
    };
    expect(await messages(order(visitId, {}, 'short'))).toContain('400 bad-input: idempotency-key');
    expect(await messages(order(visitId, { language: 'xx' }))).toContain(
      '400 bad-input: language: must be one of',
    );
    expect(await messages(order(visitId, { amountMinor: 1.5 }))).toContain(
      '400 bad-input: amountMinor: must be',
    );
    expect(await messages(order(visitId, { amountMinor: 400 }))).toContain(
      '409 amount-changed: The amount has changed',
    );
    expect(await messages(order(crypto.randomUUID()))).toContain('404 not-found');
    expect(await messages(send('payments/none/mail', { email: 'nobody' }))).toContain(
      '400 bad-input: email: is not an email address',
    );
    terminal.connection = 'DISCONNECTED';
    expect(await messages(order(visitId))).toContain(
      '503 terminal-away: The card terminal cannot be reached',
    );
    const { status } = await fetch(`${url}/api/kiosk/payments`, { method: 'POST', body: '{}' });
    expect(status).toBe(400);
    const elsewhere = await send('payments', {}, { origin: 'https://elsewhere.example' });
    expect(elsewhere.body.messages).toEqual([expect.stringContaining('from this page')]);
    const site = await fetch(`${url}/api/kiosk/site`, { method: 'DELETE' });
    expect(site.status).toBe(400);
  });
});
