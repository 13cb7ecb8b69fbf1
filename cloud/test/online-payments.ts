import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Visit } from '@hlid/protocol/records/visit';
import { eq } from 'drizzle-orm';
import { type Logger, pino } from 'pino';
import { OnlineJournal } from '../src/paying/online-payments/online-journal.ts';
import { findOnlinePayment } from '../src/paying/online-payments/online-payment-store.ts';
import { OnlinePayments } from '../src/paying/online-payments/online-payments.ts';
import type { Payer } from '../src/paying/online-payments/payer.ts';
import { PaymentResolver } from '../src/paying/online-payments/payment-resolver.ts';
import type { PaymentOrder } from '../src/paying/online-payments/payment-steps.ts';
import { Card } from '../src/platform/card-gateways/card.ts';
import { CardGateways } from '../src/platform/card-gateways/card-gateways.ts';
import type { CardGateway, CardSource } from '../src/platform/card-gateways/gateway.ts';
import { TestBook } from '../src/platform/card-gateways/testing/test-book.ts';
import type { Script } from '../src/platform/card-gateways/testing2/scripted-gateway.ts';
import { visitTable } from '../src/records/visits/visit-table.ts';
import { createTestApi, type TestApi } from './api.ts';
import { scriptedCard } from './scripted-card.ts';

export type { Script };

/** The event secret of the gateway `testing2`. */
export const EVENT_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export const DRIVER: Payer = { kind: 'driver', id: 'link-1' };
export const BROWSER = { ip: '192.0.2.7', userAgent: 'Firefox', acceptHeader: '*/*', language: 'is' };

/** The card that plays a script, as a driver types it. */
export function card(script: Script = 'approve', expire = '12/35'): CardSource & { kind: 'card' } {
  const read = Card.read({ number: scriptedCard(script), ccv: '123', expire });
  if (!(read instanceof Card)) throw new Error(read.mistakes.join());
  return { kind: 'card', card: read };
}

const MORTAL_CALLS = ['begin', 'readReturn', 'charge', 'findOut', 'refund', 'forget'] as const;
/** `before charge`: the process dies with its order unsent; `after charge`: before it receives the answer. */
export type Death = `${'before' | 'after'} ${(typeof MORTAL_CALLS)[number]}`;

interface Deaths {
  at: Death | null;
}

/** A process that dies never goes on: no call returns to it. */
function makeMortal(gateway: CardGateway | null, deaths: Deaths): void {
  for (const name of MORTAL_CALLS) {
    const call: unknown = gateway?.[name];
    if (gateway === null || typeof call !== 'function') continue;
    Object.defineProperty(gateway, name, {
      writable: true,
      value: async (...given: unknown[]) => {
        if (deaths.at === `before ${name}`) return await never(deaths);
        const answer: unknown = await call.apply(gateway, given);
        return deaths.at === `after ${name}` ? await never(deaths) : answer;
      },
    });
  }
}

function never(deaths: Deaths): Promise<never> {
  deaths.at = null;
  return new Promise(() => undefined);
}

/** The API with the two test gateways, `testing2` for all, and a product of 500 kr. for a unit. */
export async function createOnlineRig(options: { log?: Logger; cardInput?: 'card' | 'encrypted' } = {}) {
  const { log = pino({ level: 'silent' }), cardInput = 'card' } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'hlid-online-'));
  let api: TestApi | null = null;
  const clock = { now: () => api?.clock.now() ?? new Date() };
  const named = [
    { id: 'testing', config: { kind: 'testing' } },
    { id: 'testing2', config: { kind: 'testing2', cardInput }, eventSecret: EVENT_SECRET },
  ] as const;
  const deaths: Deaths = { at: null };
  const gateways = (ids: readonly string[] = ['testing', 'testing2']) => {
    const configured = named.filter(({ id }) => ids.includes(id));
    const made = new CardGateways(configured, 'testing2', { clock, log, dataDir });
    for (const id of made.ids()) makeMortal(made.get(id), deaths);
    return made;
  };
  api = await createTestApi({ cardGateways: gateways(), log });
  const test = api;
  const body = { type: 'default', price: 500, vatRate: 24, vehicleCategory: 'light', productCode: 'P' };
  const product = (await test.made('/products', body)).id;
  const make = (ids?: readonly string[]) => {
    const context = { ...test.context, cardGateways: gateways(ids), log };
    return {
      payments: new OnlinePayments(context),
      resolver: new PaymentResolver(context, new OnlineJournal(context)),
    };
  };
  let running = make();
  const order = (
    visit: Pick<Visit, 'id'>,
    script: Script = 'approve',
    more: Partial<PaymentOrder> = {},
  ): PaymentOrder => ({
    vehicle: { visitId: visit.id },
    source: card(script),
    browser: BROWSER,
    language: 'is' as const,
    ...more,
  });
  return {
    api: test,
    product,
    dataDir,
    get payments() {
      return running.payments;
    },
    get resolver() {
      return running.resolver;
    },
    /** The calls at which the running process dies next. */
    deaths,
    /** A new process on the same database and the same provider. @param ids its gateways; absent: both */
    restart(ids?: readonly string[]) {
      running = make(ids);
    },
    another: make,
    /** The context for other parts of a cloud on the same database and provider. */
    contextOfRun: () => ({ ...test.context, cardGateways: gateways(), log }),
    /** The provider's books, read from its file. */
    book: (kind = 'testing2') => new TestBook(dataDir, kind),
    order,
    /** A visit that its driver pays for online. @returns the payment's id, and the provider's id of it */
    async paid(plate: string): Promise<{ id: string; transactionId: string }> {
      const visit = await test.visit({ plate });
      const stepped = await running.payments.purchase(DRIVER, order(visit));
      if (!stepped.ok) throw new Error(stepped.reason);
      const { id } = stepped.payment;
      const found = await test.db.read((q) => findOnlinePayment(q, id));
      return { id, transactionId: found?.online.booking?.transactionId ?? '' };
    },
    visitRow: (id: string) =>
      test.db.read(async (q) => await q.select().from(visitTable).where(eq(visitTable.id, id)).get()),
    async close() {
      await test.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export type OnlineRig = Awaited<ReturnType<typeof createOnlineRig>>;
