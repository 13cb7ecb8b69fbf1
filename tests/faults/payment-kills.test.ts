import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KioskPaymentSchema } from '@hlid/protocol/pages/kiosk-api';
import { isUnderWay } from '@hlid/protocol/records/payment';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { listOf } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { CARDS, type SimCard } from '../sim/zvt-cards.ts';
import type { ZvtStep } from '../sim/zvt-faults.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';
import { cardNumbersIn } from './card-numbers.ts';
import { type RecordedLine, startRecordedLine } from './recorded-line.ts';

const PRICE = 500;
/** The terminal's step when the daemon is killed. What the daemon has on disk differs from step to step. */
const MOMENTS: readonly { step: ZvtStep; plate: string }[] = [
  { step: 'accepted', plate: 'ABX11' },
  { step: 'card', plate: 'KLM22' },
  { step: 'approval-sent', plate: 'RST33' },
  { step: 'answered', plate: 'VYZ44' },
  { step: 'stored', plate: 'PJD55' },
  { step: 'completed', plate: 'NHG66' },
];
/** Written by Node when it is asked to, as it does when it breaks down. */
const CRASH_REPORT = 'SIGUSR2';

const FoundSchema = z.object({ visits: z.array(z.object({ id: z.string() })) });
const InvoicesSchema = listOf(
  z.looseObject({
    id: z.string(),
    status: z.string(),
    visitId: z.string().nullable(),
    price: z.looseObject({ amount: z.int() }),
  }),
);

let crashes: string;
let line: RecordedLine;
let terminal: ZvtTerminal;
let network: Network;
let killAt: ZvtStep | null = null;

// The terminal lives on in this process. The daemon is a separate program, and is killed as a power cut
// would.
beforeAll(async () => {
  crashes = mkdtempSync(join(tmpdir(), 'hlid-crash-'));
  line = await startRecordedLine();
  terminal = await startZvtTerminal({
    answerMs: 500,
    async onStep(step) {
      if (step !== killAt) return;
      killAt = null;
      await network.edge.kill();
    },
  });
  network = await startNetwork({
    settings: { entryGraceMinutes: 0 },
    terminal: { ...terminal.config, id: 'pos-1' },
    mqttLine: line.to,
    cloudLink: { maxReconnectMs: 500 },
    edgeEnv: {
      HLID_LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--report-on-signal --report-signal=${CRASH_REPORT} --report-directory=${crashes}`,
    },
  });
});
afterAll(async () => {
  await network?.stop();
  await terminal?.close();
  await line?.stop();
  rmSync(crashes, { recursive: true, force: true });
});

async function call<Schema extends z.ZodType>(schema: Schema, path: string, body?: object) {
  const response = await fetch(new URL(`/api/kiosk/${path}`, network.edge.localUrl()), {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  });
  return schema.parse(await response.json());
}

async function enter(plate: string): Promise<string> {
  await network.lane('in-1').passes(plate);
  const { visits } = await call(FoundSchema, `visits?plate=${plate}`);
  return visits[0]?.id ?? '';
}

const payment = (id: string) => call(KioskPaymentSchema, `payments/${id}`);

/** Orders as soon as the terminal can, and holds a card to it. */
async function pay(visitId: string, card: SimCard): Promise<string> {
  const order = { visitId, amountMinor: PRICE, language: 'is' };
  const { id } = await waitFor(() => call(KioskPaymentSchema, 'payments', order), {
    what: 'a terminal that takes an order',
  });
  terminal.present(card);
  return id;
}

async function ended(id: string) {
  await waitFor(async () => !isUnderWay((await payment(id)).state), {
    what: 'a payment that is known',
    detail: () => network.edge.tail(),
  });
  return await payment(id);
}

it('a daemon that is killed at any moment of a payment finds out its outcome: no driver pays twice, and nothing is lost', async () => {
  for (const { step, plate } of MOMENTS) {
    const visitId = await enter(plate);
    const before = terminal.book.totalMinor();
    killAt = step;
    const id = await pay(visitId, CARDS.unmasked);
    await waitFor(() => !network.edge.running(), { what: `the daemon's end at ${step}` });
    await network.edge.start();
    const { state, needsPerson } = await ended(id);
    const taken = terminal.book.totalMinor() - before;
    expect({ step, paid: state === 'settled', needsPerson }).toEqual({
      step,
      paid: taken === PRICE,
      needsPerson: false,
    });
    expect(['settled', 'cancelled', 'reversed']).toContain(state);
    if (state !== 'settled') {
      expect((await ended(await pay(visitId, CARDS.visa))).state).toBe('settled');
    }
    expect(terminal.book.totalMinor() - before, step).toBe(PRICE);
    expect(await network.lane('out-1').passes(plate)).toMatchObject({ open: true, reason: 'paid' });
  }
  await network.settled();
  const { data } = await network.operator.call(InvoicesSchema, 'GET', '/invoices');
  const paid = data.filter(({ status }) => status === 'paid');
  expect(new Set(paid.map(({ visitId }) => visitId)).size).toBe(MOMENTS.length);
  expect(paid.map(({ price }) => price.amount)).toEqual(MOMENTS.map(() => PRICE));
  expect(terminal.book.totalMinor()).toBe(MOMENTS.length * PRICE);
});

it('unmasked card numbers reach no disk, log, message to the cloud or crash report', async () => {
  const visitId = await enter('PAN01');
  killAt = null;
  const id = await pay(visitId, CARDS.unmasked);
  expect((await ended(id)).state).toBe('settled');
  process.kill(network.edge.pid() ?? 0, CRASH_REPORT);
  await waitFor(() => readdirSync(crashes).some((name) => size(join(crashes, name)) > 0), {
    what: 'a crash report',
  });
  await network.settled();
  // The brand and the last four are there: it was looked for in the right places.
  expect(line.record().includes('"lastFour":"4242"')).toBe(true);
  const places = [
    ...[network.folders.edge, network.folders.cloud, crashes]
      .flatMap(filesBelow)
      .map((path) => [path, readFileSync(path)] as const),
    ['the log of the edge', network.edge.tail(Number.POSITIVE_INFINITY)] as const,
    ['the log of the cloud', network.cloud.tail(Number.POSITIVE_INFINITY)] as const,
    ['MQTT', line.record()] as const,
  ];
  expect(places.map(([place]) => place).join()).toMatch(
    /site\.sqlite-wal.*cloud\.db-wal|cloud\.db-wal.*site\.sqlite-wal/,
  );
  const found = places.flatMap(([place, content]) =>
    cardNumbersIn(content).map((number) => `${place}: ${number}`),
  );
  expect(found).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function size(path: string): number {
  return statSync(path).size;
}
