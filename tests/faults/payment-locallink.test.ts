import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocallinkTerminalSchema } from '@hlid/edge/terminal/locallink/locallink-options';
import { LocallinkTerminal as LocallinkDriver } from '@hlid/edge/terminal/locallink/locallink-terminal';
import { systemClock } from '@hlid/node/clock';
import type { Payment } from '@hlid/protocol/records/payment';
import { expect, it } from 'vitest';
import { type LocallinkSim, startLocallinkTerminal } from '../sim/locallink-terminal.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { orderThrough, untilOver } from './order-through.ts';
import { type PluggedDriver, type SiteAtTerminal, startSiteAtTerminal } from './paying-site.ts';

const RUNS = 80;
/**
 * The number of simultaneous sites, since much of a payment is waiting for the terminal; each call is a
 * handshake at both ends.
 */
const SITES = 4;
const PRICE = 500;
const NUMBER = '4556737586899855';
const CALLS = ['sell', 'look', 'cancel', 'reverse', 'status', 'x-report'] as const;
const DAEMON_STEPS = ['created', 'sent', 'asked', 'approval', 'approved', 'ended'] as const;

/** A wire of which each daemon has its own: nothing comes of a dead one's calls. */
async function openWire(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((till) => {
    const terminal = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [till, terminal],
      [terminal, till],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface LocallinkSite extends SiteAtTerminal {
  readonly sim: LocallinkSim;
  folders: string[];
}

async function startLocallinkSite(): Promise<LocallinkSite> {
  const sim = await startLocallinkTerminal({ stepMs: 3 });
  const folders: string[] = [];
  const wires = [
    await openWire(sim.port),
    ...(await Promise.all(Array.from({ length: 40 }, () => openWire(sim.port)))),
  ];
  let next = 0;

  /** The next daemon does not see writes of a dead one. */
  function plug(): PluggedDriver {
    const folder = mkdtempSync(join(tmpdir(), 'hlid-locallink-books-'));
    const before = folders.at(-1);
    if (before !== undefined) cpSync(`${before}.kept`, folder, { recursive: true });
    folders.push(folder);
    const wire = wires[next++];
    if (!wire) throw new Error('more daemons than wires');
    return {
      driver: ({ log }) =>
        new LocallinkDriver(
          LocallinkTerminalSchema.parse({
            kind: 'locallink',
            id: 'pos-1',
            host: '127.0.0.1',
            port: wire.port,
            terminalId: '34550576',
            trust: { sha256: sim.sha256 },
            pairingCode: '3499',
            amountDigits: 2,
            replyTimeoutMs: 1500,
          }),
          { currency: 'ISK', dataDir: folder, clock: systemClock, log },
          {
            connection: { checkMs: 150, retryMs: 10, maxRetryMs: 60 },
            follow: { pollMs: 5, cancelMs: 20, silenceMs: 500 },
            stopTimeoutMs: 200,
            lateMs: 20,
          },
        ),
      cut() {
        wire.cut();
        cpSync(folder, `${folder}.kept`, { recursive: true });
      },
    };
  }

  async function close(): Promise<void> {
    for (const wire of wires) wire.cut();
    await sim.stop();
  }

  const at = await startSiteAtTerminal({ plug, close, flushes: false });
  return Object.assign(at, { sim, folders });
}

type Fault = (pay: LocallinkSite, random: SeededRandom, visitId: string) => void | Promise<void>;

const FAULTS: readonly [Fault, ...Fault[]] = [
  () => undefined,
  (pay, random) => {
    const [acts, midAnswer] = [random.chance(0.5), random.chance(0.3)];
    const fault = random.chance(0.7)
      ? { kind: 'dropped' as const, acts, midAnswer }
      : { kind: 'silent' as const, acts };
    pay.sim.fail(random.pick(CALLS), fault, random.pick([1, 2, 5]));
  },
  (pay, random) => {
    pay.dieAt = random.pick(DAEMON_STEPS);
  },
  (pay, random) => {
    pay.sim.books.habits.retells = random.pick<Record<string, string>>([
      { currencyCode: '978' },
      { totalAmount: String(PRICE) },
      { terminalId: '11111111' },
    ]);
  },
  // The driver changes his mind, in time or not.
  async (pay, random) => {
    pay.sim.books.habits.approvesAfterCancel = random.chance(0.5);
    await someTime(random);
    await pay.changeMind();
  },
  async (pay, random) => {
    await someTime(random);
    pay.sim.restart(random.chance(0.7));
  },
  // Another payer has paid for it meanwhile.
  async (pay, random, visitId) => {
    await someTime(random);
    pay.payElsewhere(visitId);
  },
];

/** A fault strikes anywhere in a payment. */
async function someTime(random: SeededRandom): Promise<void> {
  for (let turns = random.between(0, 60); turns > 0; turns--) await new Promise(setImmediate);
}

async function runOne(pay: LocallinkSite, random: SeededRandom, run: number): Promise<string> {
  await pay.ready();
  const visitId = await pay.enter(`BK${String(run).padStart(4, '0')}`);
  const fault = random.pick(FAULTS);
  pay.sim.present(
    random.chance(0.1) ? { responseCode: '05' } : { number: NUMBER, isUnmasked: random.chance(0.5) },
  );
  await orderThrough(pay, visitId, () => fault(pay, random, visitId));
  await untilOver(pay);
  pay.sim.heal();
  if (pay.dead) await pay.restart();
  pay.dieAt = null;
  await pay.settled();
  Object.assign(pay.sim.books.habits, { retells: {}, approvesAfterCancel: false });
  return visitId;
}

async function keepBooks(seed: number, runs: number): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const pay = await startLocallinkSite();
  const ends: Record<string, number> = {};
  const count = (what: string) => {
    ends[what] = (ends[what] ?? 0) + 1;
  };
  try {
    for (let run = 0; run < runs; run++) {
      const before = pay.sim.books.booked().length;
      const visitId = await runOne(pay, random, run);
      const own = pay.all().filter((payment) => payment.visitId === visitId);
      const taken = pay.sim.books.booked().length - before;
      const settled = own.filter(({ state }) => state === 'settled');
      const messages = () => pay.log.slice(-12).join('') + JSON.stringify(own);
      for (const { state } of own) count(state);
      if (own.some(({ needsPerson }) => needsPerson)) {
        count('person');
        // No driver is kept in for it or pays again, and a person settles it.
        expect(pay.visit(visitId)?.flags, messages()).toContain('payment-unknown');
        for (const { id } of own)
          await pay.payments.recordFinding(id, taken > 0 ? 'booked' : 'not-booked', 'technician');
        continue;
      }
      expect(settled.length, messages()).toBe(taken);
      expect(pay.visit(visitId)?.flags, messages()).toEqual([]);
      expect(
        pay.settlements(visitId).filter(({ id }) => settled.some((each) => each.id === id)),
      ).toHaveLength(taken);
      expect(pay.visit(visitId)?.unitsMet, messages()).toBeLessThanOrEqual(1);
    }
    const booked = pay.sim.books.booked().length * PRICE;
    const settledMinor = pay
      .all()
      .filter(({ state }) => state === 'settled')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    expect(settledMinor, 'terminal and journal').toBe(booked);
    const reported = new Map<string, Payment>();
    for (const { body } of pay.site.events()) {
      if (body.type === 'payment.changed') reported.set(body.payment.id, body.payment);
    }
    expect([...reported.values()], 'events and journal').toEqual(pay.all());
    const folders = [pay.site.folder, ...pay.folders];
    const files = folders.flatMap((folder) =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')),
    );
    expect([...files, ...pay.log].filter((text) => text.includes(NUMBER))).toEqual([]);
    return ends;
  } finally {
    await pay.close();
    for (const folder of pay.folders) {
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}.kept`, { recursive: true, force: true });
    }
  }
}

it(`the books agree over ${RUNS} payments with LocalLink in which anything goes wrong`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const all = await Promise.all(
    Array.from({ length: SITES }, (_, site) => keepBooks(seed + site, RUNS / SITES)),
  ).catch((error: unknown) => {
    throw new Error(`With seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
  const ends = (state: string) => all.reduce((sum, each) => sum + (each[state] ?? 0), 0);
  // It was about something.
  expect(ends('settled')).toBeGreaterThan(RUNS / 4);
  expect(ends('cancelled')).toBeGreaterThan(0);
});
