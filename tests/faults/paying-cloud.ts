import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OnlineJournal } from '@hlid/cloud/paying/online-payments/online-journal';
import { PaymentResolver } from '@hlid/cloud/paying/online-payments/payment-resolver';
import { CardGateways } from '@hlid/cloud/platform/card-gateways/card-gateways';
import type { CardGateway } from '@hlid/cloud/platform/card-gateways/gateway';
import { createApp } from '@hlid/cloud/program/app';
import { createTestApi } from '@hlid/cloud/test/api';
import { pino } from 'pino';
import type { SeededRandom } from '../sim/seeded-random.ts';
import type { Browser } from './page-driver.ts';
import { type FaultyProvider, PAYING_PROVIDERS } from './paying-providers.ts';

const STEPS = ['begin', 'authenticate', 'readReturn', 'verify', 'charge', 'findOut', 'refund'] as const;
/** `before charge`: the process dies with its order unsent; `after charge`: before it receives the answer. */
type Death = `${'before' | 'after'} ${(typeof STEPS)[number]}`;
const DEATHS = STEPS.flatMap((step) => [`before ${step}`, `after ${step}`] as const);

/** A cloud with a process that can die at each call to its provider. */
export interface PayingCloud {
  readonly api: Awaited<ReturnType<typeof createTestApi>>;
  readonly provider: FaultyProvider;
  readonly price: number;
  readonly productId: string;
  /** Makes the browser of another driver at each call. */
  browser(): Browser;
  resolve(): Promise<void>;
  dieSomewhere(random: SeededRandom): void;
  /** Whether a death is ordered that has not come yet. */
  willDie(): boolean;
  /** A new process, on the same database. The one before may still be at work, as another cloud. */
  restart(): void;
  /** All that the cloud has written: its files and its log. */
  written(): Buffer[];
  close(): Promise<void>;
}

/** @param which of the providers */
export async function startPayingCloud(which: number): Promise<PayingCloud> {
  const price = 500;
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const folder = mkdtempSync(join(tmpdir(), 'hlid-paying-'));
  let now = () => new Date();
  const clock = { now: () => now() };
  const start = PAYING_PROVIDERS[which % PAYING_PROVIDERS.length] ?? PAYING_PROVIDERS[0];
  const provider = await start(clock, folder, price);
  const deaths: { at: Death | null } = { at: null };
  const makeGateways = () => {
    const made = new CardGateways([{ id: 'gateway', config: provider.config }], 'gateway', {
      clock,
      log,
      dataDir: folder,
    });
    makeMortal(made.get('gateway'), deaths);
    return made;
  };
  const api = await createTestApi({ cardGateways: makeGateways(), log });
  now = () => api.clock.now();
  const product = { type: 'default', price, vehicleCategory: 'light', productCode: 'P' };
  const { id: productId } = await api.made('/products', product);
  const makeProcess = () => {
    const context = { ...api.context, cardGateways: makeGateways(), log };
    return { app: createApp(context), resolver: new PaymentResolver(context, new OnlineJournal(context)) };
  };
  let running = makeProcess();
  let browsers = 0;

  return {
    api,
    provider,
    price,
    productId,
    browser() {
      browsers += 1;
      const address = `10.0.${browsers >> 8}.${browsers & 255}`;
      // Each browser has a separate address: these tests do not concern the limits of attempts.
      const env = { incoming: { socket: { remoteAddress: address } } };
      return {
        async post(path, body) {
          const headers = { 'content-type': 'application/json' };
          const request = { method: 'POST', headers, body: JSON.stringify(body) };
          return await (await running.app.request(path, request, env)).json();
        },
        async postForm(url, fields) {
          const { pathname } = new URL(url);
          await running.app.request(pathname, { method: 'POST', body: new URLSearchParams(fields) }, env);
        },
      };
    },
    resolve: () => running.resolver.run(),
    dieSomewhere(random) {
      const [first, ...others] = DEATHS;
      if (first !== undefined) deaths.at = random.pick([first, ...others]);
    },
    willDie: () => deaths.at !== null,
    restart() {
      deaths.at = null;
      running = makeProcess();
    },
    written() {
      const files = [folder, join(api.dbPath, '..')].flatMap((each) =>
        readdirSync(each, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()),
      );
      return [
        Buffer.from(logged.join('')),
        ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
      ];
    },
    async close() {
      await provider.close();
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A process that dies never continues: no call returns to it. */
function makeMortal(gateway: CardGateway | null, deaths: { at: Death | null }): void {
  for (const step of STEPS) {
    const call: unknown = gateway?.[step];
    if (gateway === null || typeof call !== 'function') continue;
    const dies = (moment: Death) => {
      if (deaths.at !== moment) return null;
      deaths.at = null;
      return new Promise<never>(() => undefined);
    };
    Object.defineProperty(gateway, step, {
      value: async (...given: unknown[]) => {
        await dies(`before ${step}`);
        const answer: unknown = await call.apply(gateway, given);
        await dies(`after ${step}`);
        return answer;
      },
    });
  }
}

/** Waits until the work is over, or its process has died: then nothing more comes of it. */
export async function untilOver(cloud: PayingCloud, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void work.then(end, end);
  const mayDie = cloud.willDie();
  const deadline = performance.now() + 2000;
  while (!isOver && performance.now() < deadline) {
    if (mayDie && !cloud.willDie()) {
      // The others of that process go on for a moment at most.
      for (let turns = 0; turns < 50 && !isOver; turns += 1) await new Promise(setImmediate);
      return;
    }
    await new Promise(setImmediate);
  }
}
