import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '@hlid/cloud/platform/db/db';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type AheadClock, aheadClock } from '../harness/ahead-clock.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';
import { payAtKiosk } from './kiosk-driver.ts';
import { changesFor, checkInvoiceNumbers, checkOnlineBooks, countOpenWork } from './online-books.ts';
import { type Browser, browserAt, payOnPage } from './page-driver.ts';
import { type FaultyProvider, PAYING_PROVIDERS } from './paying-providers.ts';
import { atRandom } from './steady-traffic.ts';

const PRICE = 500;
/** The rounds with each provider; in each of them the cloud is killed twice. */
const ROUNDS = Number(process.env['HLID_PAYMENT_KILLS'] ?? 1);
/** The scripted provider lives in the cloud, and cannot outlive it. */
const [, ...PROVIDERS] = PAYING_PROVIDERS;
const KILLS = ROUNDS * PROVIDERS.length * 2;
const CARS_AT_ONCE = 3;
/** Longer than every lease, pause and late arrival. */
const LONG_MS = 10 * MINUTE_MS;

const WaitingSchema = z.looseObject({ data: z.array(z.unknown()) });

let folder: string;
let ahead = 0;
let cloudClock: AheadClock;
let providers: FaultyProvider[];
let terminal: ZvtTerminal;
let network: Network;

// The providers and the terminal live on in this process. Leases last for minutes: instead of waiting, the clock of the
// cloud and of the providers is set ahead.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-kills-'));
  cloudClock = aheadClock(join(folder, 'clock'));
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
      ...cloudClock.env,
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
  cloudClock.set(ahead);
}

const browser = (onCall?: (path: string) => void): Browser => browserAt(network.cloud.httpUrl(), onCall);

/** Kills the cloud a moment after some call, often one that charges a card, and starts it again. */
function killSomewhere(random: SeededRandom) {
  const counted = random.chance(0.6) ? PAY_PATHS.finish : '';
  let left = random.between(1, counted === '' ? 6 * CARS_AT_ONCE : CARS_AT_ONCE);
  let restarted: Promise<unknown> | null = null;
  const strike = async () => {
    await network.cloud.kill();
    setClockAhead(3 * MINUTE_MS);
    await network.cloud.start();
  };
  return {
    onCall(path: string) {
      if (!path.includes(counted) || --left !== 0) return;
      restarted = atRandom(random, 0, 40).then(strike);
    },
    /** Kills now, if there were fewer calls. */
    async end() {
      restarted ??= strike();
      await restarted;
    },
  };
}

/** Makes plates so different that a camera does not confuse them. */
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
    const atKiosk = random.chance(0.7)
      ? [
          payAtKiosk(
            { edge: network.edge, terminal },
            { plate: random.pick(['', ...plates]), amountMinor: PRICE },
          ),
        ]
      : [];
    await Promise.all([...pays, ...atKiosk]);
    await end();
    await provider.heal();
  }
  // Drivers come back to the page later.
  const again = plates.map((plate) => payOnPage(browser(), provider, random, { siteCode, plate }));
  await Promise.all(again);
}

/** Time passes until the cloud has found out everything. */
async function heal(db: Db): Promise<void> {
  for (const provider of providers) await provider.heal();
  await network.settled(60_000);
  let rounds = 0;
  await waitFor(
    async () => {
      if (rounds++ % 80 === 0) setClockAhead(LONG_MS);
      return (await countOpenWork(db)) === 0;
    },
    { what: 'an outcome of every payment', withinMs: 60_000, detail: () => network.cloud.tail() },
  );
  await network.settled();
}

it(`a cloud that is killed ${KILLS} times while web and kiosk pay: books agree, and no driver pays twice`, async () => {
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
  const db = await openDb(join(network.folders.cloud, 'cloud.db'));
  try {
    await heal(db);
    const taken = providers.reduce((sum, provider) => sum + provider.takenMinor(), 0);
    const ends = await checkOnlineBooks(db, taken, await changesFor(network));
    console.info(
      `Kills during payments: ${JSON.stringify(ends)}, ${terminal.book.totalMinor()} kr. at the terminal`,
    );
    // The kiosk's payments have invoices too, and none of a payment that failed takes a number.
    expect(await checkInvoiceNumbers(db)).toBeGreaterThan(0);
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
