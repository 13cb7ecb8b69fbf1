import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '@hlid/cloud/db/libsql-db';
import { ChangeBatchSchema } from '@hlid/protocol/envelope';
import { KioskPaymentSchema } from '@hlid/protocol/kiosk-api';
import { PAY_PATHS } from '@hlid/protocol/pay-paths';
import { isUnderWay } from '@hlid/protocol/payment';
import { MINUTE_MS } from '@hlid/protocol/utc-time';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';
import { checkOnlineBooks } from './online-books.ts';
import { type Browser, payOnPage } from './page-driver.ts';
import { type FaultyProvider, PAYING_PROVIDERS } from './paying-providers.ts';

const PRICE = 500;
/** With each provider; in each of them the cloud is killed twice. */
const ROUNDS = Number(process.env['HLID_PAYMENT_KILLS'] ?? 1);
/** The scripted provider lives in the cloud, and cannot outlive it. */
const [, ...PROVIDERS] = PAYING_PROVIDERS;
const KILLS = ROUNDS * PROVIDERS.length * 2;
const CARS_AT_ONCE = 3;
/** Longer than every lease, pause and late arrival. */
const LONG_MS = 10 * MINUTE_MS;
const CLOCK_AHEAD = new URL('../harness/clock-ahead.mjs', import.meta.url).href;

const FoundSchema = z.object({ visits: z.array(z.object({ id: z.string() })).min(1) });
const WaitingSchema = z.looseObject({ data: z.array(z.unknown()) });

let folder: string;
let ahead = 0;
let providers: FaultyProvider[];
let terminal: ZvtTerminal;
let network: Network;

// The providers and the terminal live on in this process. Leases last for minutes: instead of waiting, the clock of the
// cloud and of the providers is set ahead.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-kills-'));
  const clock = { now: () => new Date(Date.now() + ahead) };
  providers = await Promise.all(PROVIDERS.map((start) => start(clock, folder, PRICE)));
  terminal = await startZvtTerminal({ answerMs: 200 });
  const cardGateways = providers.map(({ config }) => config);
  const file = join(folder, 'cloud.yaml');
  writeFileSync(file, stringify({ cardGateways, cardGateway: cardGateways[0]?.kind }));
  network = await startNetwork({
    settings: { entryGraceMinutes: 0 },
    terminal: { ...terminal.config, id: 'pos-1' },
    cloudLink: { maxReconnectMs: 300 },
    cloudEnv: {
      HLID_CLOUD_CONFIG: file,
      HLID_TRUSTED_PROXIES: '127.0.0.1',
      NODE_OPTIONS: `--import=${CLOCK_AHEAD}`,
      CLOCK_AHEAD_FILE: join(folder, 'clock'),
    },
  });
});
afterAll(async () => {
  await network?.stop();
  await terminal?.close();
  await Promise.all(providers?.map((provider) => provider.close()) ?? []);
  rmSync(folder, { recursive: true, force: true });
});

function setClockAhead(byMs: number): void {
  for (const provider of providers) provider.release();
  ahead += byMs;
  writeFileSync(join(folder, 'clock'), String(ahead));
}

let browsers = 0;
/** Behind a proxy, from an address of its own. What a cloud that is dead does not answer is null. */
function browser(onCall: (path: string) => void): Browser {
  browsers += 1;
  const headers = { 'x-forwarded-for': `10.0.${browsers >> 8}.${browsers & 255}` };
  const signal = () => AbortSignal.timeout(20_000);
  return {
    async post(path, body) {
      onCall(path);
      const json = { ...headers, 'content-type': 'application/json' };
      const url = new URL(path, network.cloud.httpUrl());
      const sent = { method: 'POST', headers: json, body: JSON.stringify(body), signal: signal() };
      return await fetch(url, sent)
        .then((answer) => answer.json())
        .catch(() => null);
    },
    async postForm(url, fields) {
      onCall(url);
      const sent = { method: 'POST', headers, body: new URLSearchParams(fields), signal: signal() };
      await fetch(url, sent).catch(() => null);
    },
  };
}

/** Kills the cloud a moment after some call, often one that charges a card, and starts it again. */
function killSomewhere(random: SeededRandom) {
  const counted = random.chance(0.6) ? PAY_PATHS.finish : '';
  let left = random.between(1, counted === '' ? 6 * CARS_AT_ONCE : CARS_AT_ONCE);
  const laterMs = random.between(0, 40);
  let restarted: Promise<unknown> | null = null;
  const strike = async () => {
    await network.cloud.kill();
    setClockAhead(3 * MINUTE_MS);
    await network.cloud.start();
  };
  return {
    onCall(path: string) {
      if (!path.includes(counted) || --left !== 0) return;
      restarted = new Promise((resolve) => setTimeout(resolve, laterMs)).then(strike);
    },
    /** Kills now, if there were fewer calls. */
    async end() {
      restarted ??= strike();
      await restarted;
    },
  };
}

async function kiosk<Schema extends z.ZodType>(schema: Schema, path: string, body?: object) {
  const response = await fetch(new URL(`/api/kiosk/${path}`, network.edge.localUrl()), {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  });
  return schema.safeParse(await response.json()).data ?? null;
}

/** At the kiosk, by card, unless the visit is paid already. */
async function payAtKiosk(plate: string): Promise<void> {
  const visit = (await kiosk(FoundSchema, `visits?plate=${plate}`))?.visits[0];
  const order = { visitId: visit?.id, amountMinor: PRICE, language: 'is' };
  const payment = await kiosk(KioskPaymentSchema, 'payments', order);
  if (payment === null) return;
  terminal.present(CARDS.visa);
  await waitFor(
    async () => {
      const now = await kiosk(KioskPaymentSchema, `payments/${payment.id}`);
      return now !== null && !isUnderWay(now.state);
    },
    { what: 'an end of the payment at the kiosk' },
  );
}

/** So different from each other that a camera does not take one for another. */
function plateOf(n: number): string {
  const letter = String.fromCharCode(65 + (n % 26));
  return letter.repeat(3) + String((n * 37) % 100).padStart(2, '0');
}

async function playRound(provider: FaultyProvider, random: SeededRandom, plates: string[]): Promise<void> {
  for (const plate of plates) await network.lane('in-1').passes(plate);
  await network.settled();
  const siteCode = network.site.siteId;
  for (let kill = 0; kill < 2; kill += 1) {
    const { onCall, end } = killSomewhere(random);
    const drivers = plates.flatMap((plate) =>
      Array.from({ length: random.chance(0.4) ? 2 : 1 }, () => plate),
    );
    const pays = drivers.map(async (plate) => {
      const own = browser(onCall);
      if (random.chance(0.25)) await provider.misbehave(random, own.postForm);
      await payOnPage(own, provider, random, { siteCode, plate });
    });
    const atKiosk = random.chance(0.7) ? [payAtKiosk(random.pick(['', ...plates]))] : [];
    await Promise.all([...pays, ...atKiosk]);
    await end();
    await provider.heal();
  }
  // As drivers do who come back to the page later.
  const again = plates.map((plate) =>
    payOnPage(
      browser(() => undefined),
      provider,
      random,
      { siteCode, plate },
    ),
  );
  await Promise.all(again);
}

/** Payments and refunds that the cloud still has something to do about. */
function openWork(): unknown {
  const db = new Database(join(network.folders.cloud, 'cloud.db'), { readonly: true });
  try {
    const work = `SELECT
      (SELECT count(*) FROM payment WHERE terminal_id IS NULL
        AND (state IN ('created', 'sent', 'unknown', 'approved') OR settled_twice))
      + (SELECT count(*) FROM online_refund WHERE state = 'ordered')`;
    return db.prepare(work).pluck().get();
  } finally {
    db.close();
  }
}

/** Time passes until the cloud has found out everything. */
async function heal(): Promise<void> {
  for (const provider of providers) await provider.heal();
  await network.settled(60_000);
  let rounds = 0;
  await waitFor(
    async () => {
      if (rounds++ % 80 === 0) setClockAhead(LONG_MS);
      return openWork() === 0;
    },
    { what: 'an outcome of every payment', withinMs: 60_000, detail: () => network.cloud.tail() },
  );
  await network.settled();
}

it(`a cloud that is killed ${KILLS} times while web and kiosk pay: books agree, and nobody pays twice`, async () => {
  const seed = Number(process.env['HLID_PAYMENT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`Kills during payments: HLID_PAYMENT_SEED=${seed}`);
  const random = seededRandom(seed);
  const plates: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const provider of providers) {
      const body = { settings: { cardGateway: provider.config.kind } };
      await network.operator.ask('PUT', `/sites/${network.site.siteId}`, body);
      const cars = Array.from({ length: CARS_AT_ONCE }, (_, n) => plateOf(plates.length + n));
      plates.push(...cars);
      await playRound(provider, random, cars);
    }
  }
  await heal();
  const { siteId, secret } = network.site;
  const answer = await fetch(new URL('/edge/changes?after=0', network.cloud.httpUrl()), {
    headers: { authorization: `Bearer ${siteId}.${secret}` },
  });
  const { changes } = ChangeBatchSchema.parse(await answer.json());
  const taken = providers.reduce((sum, provider) => sum + provider.takenMinor(), 0);
  const db = await openDb(join(network.folders.cloud, 'cloud.db'));
  try {
    const ends = await checkOnlineBooks(
      db,
      taken,
      changes.map(({ change }) => change),
    );
    console.info(
      `Kills during payments: ${JSON.stringify(ends)}, ${terminal.book.totalMinor()} kr. at the terminal`,
    );
    const charges = providers.reduce((sum, provider) => sum + provider.charges(), 0);
    expect(charges + terminal.book.totalMinor(), 'payments at all').toBeGreaterThan(0);
  } finally {
    await db.close();
  }
  expect(WaitingSchema.parse((await network.operator.ask('GET', '/payments')).body).data).toEqual([]);
  expect(providers.flatMap((provider) => provider.complaints())).toEqual([]);
  for (const plate of plates) {
    const [visit] = await network.operator.visits({ plate });
    const leaves = await network.lane('out-1').passes(plate);
    const isPaid = (visit?.due?.amount ?? 0) === 0;
    expect(leaves, plate).toMatchObject(isPaid ? { open: true, reason: 'paid' } : { reason: 'need-payment' });
  }
});
