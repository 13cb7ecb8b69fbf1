import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '@hlid/cloud/platform/db/db';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { openRemoteDb } from '@hlid/cloud/platform/db/remote-db';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { aheadClock } from '../harness/ahead-clock.ts';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { type Mosquitto, startSharedBroker } from '../harness/mosquitto.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import type { Sqld } from '../harness/sqld.ts';
import { waitFor } from '../harness/wait.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { payAtKiosk } from './kiosk-driver.ts';
import { changesFor, checkInvoices, checkOnlineBooks, countOpenWork } from './online-books.ts';
import { browserAt, payOnPage } from './page-driver.ts';
import { type FaultyProvider, PAYING_PROVIDERS } from './paying-providers.ts';
import { atRandom, type Pay, type SteadyTraffic, startTraffic } from './steady-traffic.ts';

const PRICE = 500;
const SETTLED_WITHIN_MS = 120_000;
/** Longer than every lease and pause. */
const LONG_MS = 10 * MINUTE_MS;
/** The number of reads of what is open before more time passes. */
const LOOKS = 80;
/** A driver reloads the page until it has the car, which its site has reported a moment ago, or gives up and stays. */
const PAGE_TRIES = 20;
const RELOAD_MS = [20, 80] as const;

const HealthSchema = z.looseObject({ status: z.string(), faults: z.array(z.string()) });
export type CloudHealth = z.infer<typeof HealthSchema>;

/** The last is at a simulator, which outlives clouds. */
const startProvider = PAYING_PROVIDERS.at(-1) ?? PAYING_PROVIDERS[0];

/** Two clouds on one database, one stock broker between them and a site, and drivers who pay. */
export interface CloudPair {
  readonly network: FaultyNetwork;
  readonly broker: Mosquitto;
  readonly clouds: readonly [CloudProgram, CloudProgram];
  readonly operators: readonly [Operator, Operator];
  /** Sets the clock of one of the clouds ahead, or back by less than nothing. */
  setClock(which: 0 | 1, aheadMs: number): void;
  /** The answer of one for monitoring. */
  health(which: number): Promise<CloudHealth>;
  /** Their database. The caller closes it. */
  openDb(): Promise<Db>;
  /** Cars without end. Those of the first lanes pay at the kiosk, those of the second ones on the page of either cloud. */
  startTraffic(seed: number): SteadyTraffic;
  /**
   * Ends the traffic, waits until nothing is on its way and nothing is open, and compares all books: every visit once, every
   * invoice once.
   */
  checkBooks(traffic: SteadyTraffic): Promise<void>;
  stop(): Promise<void>;
}

/** @param database a libSQL server; null: a file in the folder that both clouds have */
export async function startCloudPair(database: Sqld | null): Promise<CloudPair> {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-pair-'));
  const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const next of stops.splice(0).reverse()) await next();
  };
  try {
    return await startParts(database, { folder, stops, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  database: Sqld | null,
  { folder, stops, stop }: { folder: string; stops: (() => Promise<unknown>)[]; stop(): Promise<void> },
): Promise<CloudPair> {
  const clocks = [aheadClock(join(folder, 'clock-0')), aheadClock(join(folder, 'clock-1'))] as const;
  const aheadMs: [number, number] = [0, 0];
  const providerClock = { now: () => new Date(Date.now() + Math.max(...aheadMs)) };
  const terminal = await startZvtTerminal({ answerMs: 200 });
  stops.push(() => terminal.close());
  const provider = await startProvider(providerClock, folder, PRICE);
  stops.push(() => provider.close());
  const broker = await startSharedBroker();
  stops.push(() => broker.stop());

  const config = join(folder, 'cloud.yaml');
  writeFileSync(config, stringify({ cardGateways: [provider.config], cardGateway: provider.config.kind }));
  const env = {
    HLID_CLOUD_CONFIG: config,
    HLID_TRUSTED_PROXIES: '127.0.0.1',
    HLID_BROKER_URL: broker.url,
    HLID_MONITOR_PORT: '0',
    ...database?.env,
  };
  const network = await startFaultyNetwork({
    cloudEnv: { ...env, ...clocks[0].env },
    mqttUrl: broker.url,
    settings: { entryGraceMinutes: 0 },
    terminal: { ...terminal.config, id: 'pos-1' },
  });
  stops.push(() => network.stop());
  const { folders, apiKey, operatorLogin } = network;
  const second = await startCloud({
    // A database at a server is all that two clouds have in common.
    folder: database === null ? folders.cloud : `${folders.cloud}-2`,
    apiKey,
    operator: operatorLogin,
    env: { ...env, ...clocks[1].env },
  });
  stops.push(() => second.stop());
  const clouds = [network.cloud, second] as const;
  const secondOperator = await logIn({ cloudUrl: second.httpUrl(), apiKey, ...operatorLogin });
  const setClock = (which: 0 | 1, byMs: number) => {
    aheadMs[which] = byMs;
    clocks[which].set(byMs);
  };
  const open = async () => {
    if (database === null) return await openDb(join(folders.cloud, 'cloud.db'));
    const { HLID_DATABASE_URL: url = '', HLID_DATABASE_TOKEN: token = null } = database.env;
    return await openRemoteDb({ url, token });
  };
  const pays = [kioskPayer({ network, terminal }), pagePayer({ network, clouds, provider })] as const;

  async function heal(db: Db): Promise<void> {
    await provider.heal();
    await network.settled(SETTLED_WITHIN_MS);
    let looks = 0;
    await waitFor(
      async () => {
        if (++looks % LOOKS === 0)
          for (const which of [0, 1] as const) setClock(which, aheadMs[which] + LONG_MS);
        return (await countOpenWork(db)) === 0;
      },
      { what: 'an outcome of every payment', withinMs: SETTLED_WITHIN_MS, detail: () => clouds[0].tail() },
    );
    await network.settled(SETTLED_WITHIN_MS);
  }

  return {
    network,
    broker,
    clouds,
    operators: [network.operator, secondOperator],
    setClock,
    openDb: open,
    stop,
    async health(which) {
      const answer = await fetch(`${clouds[which]?.ready()['monitorUrl']}/health`);
      return HealthSchema.parse(await answer.json());
    },
    startTraffic: (seed) => startTraffic(network, seed, pays),
    async checkBooks(traffic) {
      await traffic.stop();
      const db = await open();
      try {
        await heal(db);
        await checkBooks(folders, traffic.accepted, db);
        await checkOnlineBooks(db, provider.takenMinor(), await changesFor(network));
        await checkInvoices(db);
      } finally {
        await db.close();
      }
      expect(terminal.book.totalMinor() + provider.takenMinor(), 'payments at all').toBeGreaterThan(0);
      expect(provider.complaints()).toEqual([]);
    },
  };
}

function kioskPayer({ network, terminal }: { network: FaultyNetwork; terminal: ZvtTerminal }): Pay {
  return (plate) => payAtKiosk({ edge: network.edge, terminal }, { plate, amountMinor: PRICE });
}

function pagePayer({
  network,
  clouds,
  provider,
}: {
  network: FaultyNetwork;
  clouds: readonly [CloudProgram, CloudProgram];
  provider: FaultyProvider;
}): Pay {
  const siteCode = network.site.siteId;
  return async (plate, random) => {
    for (let tries = 0; tries < PAGE_TRIES; tries++) {
      const browser = browserAt(random.pick(clouds).httpUrl());
      if (await payOnPage(browser, provider, random, { siteCode, plate })) return;
      await atRandom(random, ...RELOAD_MS);
    }
  };
}
