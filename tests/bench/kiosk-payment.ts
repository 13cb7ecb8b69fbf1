import type http from 'node:http';
import { createApp } from '@hlid/edge/local-api/local-app';
import { accessPoints } from '@hlid/edge/local-api/on-site-access';
import { createSiteKiosk } from '@hlid/edge/local-api/site-kiosk';
import {
  KioskDueSchema,
  type KioskOrder,
  type KioskPayment,
  KioskPaymentSchema,
} from '@hlid/protocol/pages/kiosk-api';
import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import { createAdaptorServer } from '@hono/node-server';
import { pino } from 'pino';
import { startPayingSite } from '../faults/paying-site.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { plateOf } from './bench-plates.ts';
import { portOf } from './port-of.ts';

/**
 * The time until a card is held to the terminal, and until the bank has answered: as quick as both can be.
 */
const CARD_MS = 300;
const BANK_MS = 700;

/** How long payments took from the order of the kiosk to the approval in its hand; ms, ascending. */
export interface PaymentTimes {
  /** The time that the terminal itself needs for a payment. */
  terminalMs: number;
  /** All the rest of each: the database, the questions to the terminal, the line, the news to the kiosk. */
  oursMs: readonly number[];
}

/** Pays over the kiosk's own calls, with the real driver, desk, journal and disk, at a simulated terminal over TCP. */
export async function benchKioskPayment(howMany: number): Promise<PaymentTimes> {
  const terminal = { afterMs: CARD_MS, card: () => CARDS.visa };
  const paying = await startPayingSite({ bankMs: BANK_MS, byItself: terminal });
  const { site, payments } = paying;
  const kiosk = createSiteKiosk({
    config: { cloud: null },
    db: site.db,
    core: site.core,
    payments,
    link: null,
    pictures: { has: () => false, pictureOf: async () => null },
    clock: { now: () => new Date(site.now()) },
  });
  kiosk.start();
  const app = createApp(kiosk.routes, {
    secret: 'none',
    isTraining: () => false,
    accessPoint: accessPoints({ loopback: 'open' }).loopback,
    log: pino({ enabled: false }),
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as http.Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server)}`;
  try {
    await paying.ready();
    const oursMs: number[] = [];
    for (let payment = 0; payment < howMany; payment++) {
      const visitId = await paying.enter(plateOf(payment));
      const due = await fetch(url + KIOSK_PATHS.visit.replace(':visitId', visitId));
      const { amountMinor } = KioskDueSchema.parse(await due.json());
      const from = performance.now();
      await pay(url, { visitId, amountMinor, language: 'is' });
      oursMs.push(performance.now() - from - CARD_MS - BANK_MS);
      await paying.settled();
    }
    return { terminalMs: CARD_MS + BANK_MS, oursMs: oursMs.toSorted((a, b) => a - b) };
  } finally {
    kiosk.stop();
    server.closeAllConnections();
    server.close();
    await paying.close();
  }
}

/** Orders it and reads the news of it, as the page does, until it is approved. */
async function pay(url: string, order: KioskOrder): Promise<void> {
  const ordered = await fetch(url + KIOSK_PATHS.payments, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(order),
  });
  const { id } = KioskPaymentSchema.parse(await ordered.json());
  const away = new AbortController();
  const events = await fetch(`${url}${KIOSK_PATHS.payment.replace(':paymentId', id)}/events`, {
    signal: away.signal,
  });
  if (!events.body) throw new Error('there is no news of the payment');
  let text = '';
  for await (const chunk of events.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const { state } of frames.flatMap(paymentIn)) {
      if (state === 'approved' || state === 'settled') return away.abort();
      if (state !== 'created' && state !== 'sent') throw new Error(`the payment is ${state}`);
    }
  }
  throw new Error('the news of the payment ended');
}

function paymentIn(frame: string): KioskPayment[] {
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  return data === undefined ? [] : [KioskPaymentSchema.parse(JSON.parse(data))];
}
