import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Card } from '@hlid/cloud/platform/card-gateways/card';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type CloudProgram, type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { codeForms, formsIn, numberForms } from '../harness/secret-forms.ts';
import { waitFor } from '../harness/wait.ts';
import { type HranaServer, startHranaServer } from '../sim/hrana-server.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';
import { startValitorRig, type ValitorRig } from '../sim/valitor-gateway-rig.ts';
import { type Browser, payOnPage } from './page-driver.ts';
import { type RecordedLine, startRecordedLine } from './recorded-line.ts';

/** American Express: its security code has four digits. */
const CANARY = { number: '378282246310005', ccv: '0739', expire: '12/35' };
const FORMS = [...numberForms(CANARY.number), ...codeForms(CANARY.ccv)];
/** Written by Node when it is asked to, as when it breaks down. */
const REPORT = 'SIGUSR2';
const CRASH = new URL('../harness/crash-on-signal.mjs', import.meta.url).href;
const CRASHES: { how: string; signal: NodeJS.Signals; reports: boolean }[] = [
  { how: 'an exception that nobody catches', signal: 'SIGALRM', reports: true },
  { how: 'full memory', signal: 'SIGVTALRM', reports: true },
  { how: 'an abort', signal: 'SIGABRT', reports: false },
];
/** A driver to whom nothing unusual happens. */
const CALM: SeededRandom = {
  next: () => 0.5,
  between: (low) => low,
  pick: (from) => from[1] ?? from[0],
  chance: (probability) => probability > 0.5,
};

let folder: string;
let crashes: string;
let database: HranaServer;
let line: RecordedLine;
let valitor: ValitorRig;
let operated: OperatedCloud;
let cloud: CloudProgram;
let siteId: string;
const secrets = { HLID_VALITOR_PAY_API_KEY: '' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-crashes-'));
  crashes = join(folder, 'crashes');
  mkdirSync(crashes);
  database = await startHranaServer(join(folder, 'remote.db'));
  line = await startRecordedLine();
  valitor = await startValitorRig();
  const { apiKey, ...settings } = valitor.settings;
  secrets.HLID_VALITOR_PAY_API_KEY = String(apiKey);
  const file = join(folder, 'cloud.yaml');
  writeFileSync(file, stringify({ cardGateways: [{ ...settings, timeoutMs: 20_000 }] }));
  const writes = [`--report-directory=${crashes}`];
  const asked = [`--report-on-signal`, `--report-signal=${REPORT}`];
  const broken = ['--report-uncaught-exception', '--report-on-fatalerror', '--max-old-space-size=512'];
  operated = await startOperatedCloud({
    folder: join(folder, 'cloud'),
    env: {
      ...secrets,
      HLID_CLOUD_CONFIG: file,
      HLID_LOG_LEVEL: 'trace',
      HLID_DATABASE_URL: line.to(database.url),
      HLID_DATABASE_TOKEN: database.token,
      NODE_OPTIONS: [...writes, ...asked, ...broken, `--import=${CRASH}`].join(' '),
    },
  });
  ({ cloud } = operated);
  const plan = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
  ({ siteId } = await createSite(operated.operator, plan));
  await addDefaultProducts(operated.operator);
});
afterAll(async () => {
  valitor?.release();
  await cloud?.stop();
  await Promise.all([line?.stop(), database?.close(), valitor?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const browser: Browser = {
  async post(path, body) {
    const sent = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return await fetch(new URL(path, cloud.httpUrl()), sent)
      .then((answer) => answer.json())
      .catch(() => null);
  },
  async postForm(url, fields) {
    await fetch(url, { method: 'POST', body: new URLSearchParams(fields) }).catch(() => null);
  },
};

async function enter(plate: string): Promise<void> {
  const startedOn = new Date(Date.now() - 3_600_000).toISOString();
  const made = await operated.operator.ask('POST', '/visits', { plate, startedOn, siteId });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(400);
}

async function pay(plate: string): Promise<void> {
  const card = Card.read(CANARY);
  if (!(card instanceof Card)) throw new Error(card.mistakes.join());
  const { sessionId, answerChallenge } = valitor;
  const provider = { sessionId, answerChallenge, source: async () => ({ kind: 'card', card }) as const };
  await payOnPage(browser, provider, CALM, { siteCode: siteId, plate });
}

/** A new report in the crash folder, once it is whole. */
async function newReport(known: readonly string[]): Promise<void> {
  await waitFor(
    () => {
      const name = readdirSync(crashes).find((each) => !known.includes(each));
      return name !== undefined && readFileSync(join(crashes, name), 'utf8').trimEnd().endsWith('}');
    },
    { what: 'a report', detail: () => cloud.tail() },
  );
}

const isSent = () => valitor.simulator.requests.some(({ path }) => path === '/payment/cardpayment');

describe('a cloud that crashes while a card is charged', () => {
  it.each(CRASHES)('writes nothing of the card in a crash by $how', async ({ signal, reports }) => {
    const plate = `${signal.slice(3, 6)}11`;
    await enter(plate);
    valitor.simulator.requests.length = 0;
    valitor.holdNextCharge();
    const paying = pay(plate);
    await waitFor(isSent, { what: 'a charge at the provider', detail: () => cloud.tail() });
    const known = readdirSync(crashes);
    const pid = cloud.pid() ?? 0;
    process.kill(pid, REPORT);
    await newReport(known);
    const asked = readdirSync(crashes);
    process.kill(pid, signal);
    await waitFor(() => !cloud.running(), { what: `the end of the cloud by ${signal}` });
    if (reports) await newReport(asked);
    valitor.release();
    await paying;
    await cloud.start();
  });

  it('pays the next, and leaves no trace of card or code on a disk, in a log, in a report or on the way to the database', async () => {
    await enter('NXT22');
    await pay('NXT22');
    const invalid = { ...CANARY, expire: '13/30', number: [CANARY.number] };
    for (const card of [CANARY, invalid, CANARY.number]) {
      const order = { vehicle: 'NXT22', provider: 'valitor-pay', card };
      for (const path of ['/payments/init', '/purchase-product', '/payments/process/finalize']) {
        const headers = { 'x-api-key': operated.apiKey, 'content-type': 'application/json' };
        const key = { 'idempotency-key': crypto.randomUUID() };
        await fetch(new URL(path, cloud.httpUrl()), {
          method: 'POST',
          headers: { ...headers, ...key },
          body: JSON.stringify(order),
        });
      }
    }
    const places = [
      ...filesBelow(folder).map((path) => [path, readFileSync(path)] as const),
      ['the log', Buffer.from(cloud.tail(Number.POSITIVE_INFINITY))] as const,
      ['the line to the database', line.record()] as const,
    ];
    const names = places.map(([name]) => name).join('\n');
    for (const name of ['remote.db-wal', 'report.']) expect(names).toContain(name);
    expect(cloud.tail(Number.POSITIVE_INFINITY)).toMatch(
      /A defect that nobody catches(.|\n)*heap out of memory/,
    );
    // The last four digits are there: it was looked for in the right places.
    expect(line.record().includes('0005')).toBe(true);
    const found = places.flatMap(([name, content]) =>
      formsIn(content, FORMS).map((form) => `${name}: ${form}`),
    );
    expect(found).toEqual([]);
  });

  it('a report names no secret of the environment', async () => {
    for (const path of filesBelow(crashes)) {
      const report = readFileSync(path);
      for (const secret of [
        operated.apiKey,
        operated.operatorLogin.password,
        database.token,
        ...Object.values(secrets),
      ]) {
        expect(report.includes(secret), path).toBe(false);
      }
    }
  });
});

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((path) => statSync(path).isFile());
}
