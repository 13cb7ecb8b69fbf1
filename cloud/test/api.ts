import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Visit, VisitStep } from '@hlid/protocol/records/visit';
import { ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { desc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { z } from 'zod';
import { seedApiKey } from '../src/people/auth/seed-api-key.ts';
import { SESSION_LIFE_MS } from '../src/people/auth/session-life.ts';
import { issueToken, type SessionHolder } from '../src/people/auth/tokens.ts';
import { AccessPoints } from '../src/platform/access-points/access-points.ts';
import { Banks } from '../src/platform/banks/banks.ts';
import { CommandSender } from '../src/platform/broker/command-sender.ts';
import { SiteBoards } from '../src/platform/broker/site-boards.ts';
import { CardGateways } from '../src/platform/card-gateways/card-gateways.ts';
import { readConfig } from '../src/platform/config.ts';
import type { OnPrepared } from '../src/platform/db/connection.ts';
import { openDb, openMigratedDb } from '../src/platform/db/libsql-db.ts';
import { ScanThread } from '../src/platform/db/scan-thread.ts';
import { remoteScans } from '../src/platform/db/scans.ts';
import { WorkerScans } from '../src/platform/db/worker-scans.ts';
import type { AccountRole, OperatorRights, TokenRole } from '../src/platform/http/caller.ts';
import type { CloudContext } from '../src/platform/http/cloud-env.ts';
import { ErrorBodySchema } from '../src/platform/http/errors.ts';
import { createApp } from '../src/program/app.ts';
import { startScanThread as startFromSource } from '../src/program/scans/scan-entry.ts';
import { scanJob } from '../src/program/scans/scan-jobs.ts';
import { insertAccount } from '../src/records/accounts/account-store.ts';
import type { AccountOptions } from '../src/records/accounts/account-table.ts';
import { auditTable } from '../src/records/audit/audit-table.ts';
import { driverTable } from '../src/records/drivers/driver-table.ts';
import { visitTable } from '../src/records/visits/visit-table.ts';
import { openPackages } from '../src/sites/rollouts/package-files.ts';
import { pictureFiles } from '../src/stays/photos/storage/open-pictures.ts';
import { ingestVisit } from '../src/stays/visits/intake/ingest-visit.ts';
import { TestBus } from './bus.ts';
import { sampleVisit } from './sample-events.ts';

export const API_KEY = 'the-api-key-of-the-tests';

const built = process.env['HLID_PROGRAMS_BUILT'];
/** The scan worker, built before the tests: from source, each thread compiles again what it runs. */
const SCAN_WORKER = built === undefined ? null : new URL(`../${built}/scan-worker.js`, import.meta.url);

/** A thread for scans that is there soon. */
export function startScanThread(path: string, onGone: (reason: Error) => void): ScanThread {
  return SCAN_WORKER === null ? startFromSource(path, onGone) : new ScanThread(path, onGone, SCAN_WORKER);
}

/** A site as it was added, with its secret. */
export interface AddedSite extends Json {
  id: string;
  code: string;
  secret: string;
}

/** A database with the API key, an operator and a site, before a test changes it. */
interface Prepared {
  file: Buffer;
  /** The token of the operator. */
  operator: string;
  site: AddedSite;
}

/** It is made once per process: to make its tables takes longer than most tests. */
let prepared: Promise<Prepared> | undefined;

async function prepare(): Promise<Prepared> {
  const api = await openTestApi(null);
  const { operator, site } = api;
  // Everything is in the one file then.
  await api.db.close();
  const file = readFileSync(api.file);
  await api.close();
  return { file, operator, site };
}

/** A JSON object of an answer, for tests to look into. */
export type Json = Record<string, unknown>;

/** The answer of the API. */
export interface Answer {
  status: number;
  location: string | null;
  headers: Headers;
  body: Json;
}

export interface AccountFields extends Partial<OperatorRights> {
  customerId?: string;
  options?: AccountOptions;
  id?: string;
}

export interface CallOptions {
  body?: unknown;
  /** A bearer token; the operator's where it is not given, none where it is null. */
  token?: string | null;
  headers?: Record<string, string>;
}

/**
 * The whole HTTP API on a real database file, with one site and an operator.
 *
 * @param given replaces parts of the usual context
 * @param onPrepared gets the text of every statement, those of scans too, which run here then
 */
export async function createTestApi(given: Partial<CloudContext> = {}, onPrepared?: OnPrepared) {
  prepared ??= prepare();
  return await openTestApi(await prepared, given, onPrepared);
}

/** @param first null: there is no database yet, and what every test has is made */
async function openTestApi(
  first: Prepared | null,
  given: Partial<CloudContext> = {},
  onPrepared?: OnPrepared,
) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-api-'));
  const dbPath = join(folder, 'cloud.db');
  if (first !== null) writeFileSync(dbPath, first.file);
  const open = first === null ? openDb : openMigratedDb;
  const db = await open(dbPath, onPrepared && { onPrepared });
  let now: UtcTime = '2026-11-21T12:00:00.000Z';
  const clock = { now: () => new Date(now) };
  const log = pino({ level: 'silent' });
  const bus = new TestBus();
  const commands = new CommandSender({ bus, clock, log, lifeMs: 200, deviceLifeMs: 2000 });
  commands.start();
  const boards = new SiteBoards({ bus, clock, log, patienceMs: 200 });
  boards.start();
  const context: CloudContext = {
    db,
    scans: onPrepared ? remoteScans(scanJob, async () => db) : new WorkerScans(dbPath, log, startScanThread),
    clock,
    log,
    pictures: pictureFiles(join(folder, 'pictures')),
    packages: openPackages({ dataDir: folder, s3: null }),
    commands,
    boards,
    cardGateways: new CardGateways([], null, { clock, log, dataDir: folder }),
    accessPoints: new AccessPoints(new Map(), null),
    banks: new Banks(new Map()),
    vehicleRegistry: null,
    publicUrl: () => 'https://hlid.example',
    siteMqttUrl: (host) => `mqtts://${host}:8883`,
    siteMqttCa: () => null,
    enrolmentMinutes: 60,
    retention: readConfig({ HLID_DATA_DIR: folder }).retention,
    trustedProxies: [],
    allowInternalWebhooks: false,
    electronicId: null,
    testElectronicId: false,
    operatorsNeedSecondFactor: false,
    installation: { sendsMail: false, makesBackups: false, hasDatabaseServer: false },
    trainer: null,
    ...given,
  };
  const app = createApp(context);
  if (first === null) await seedApiKey(db, API_KEY, clock);

  /** An account of that role, without a password. @returns its token */
  async function account(role: AccountRole, fields: AccountFields = {}): Promise<string> {
    const { customerId = null, options = {}, id = randomUUID(), ...rights } = fields;
    return await db.write(async ({ q }) => {
      const dates = { createdAt: now, modifiedAt: now };
      const made = { id, role, name: `${role}`, status: 'active', options, customerId } as const;
      await insertAccount(q, { ...made, ...dates, ...rights });
      const issued = await issueToken(q, { accountId: id, deviceUuid: null }, { from: now, until: null });
      return issued.token;
    });
  }

  /** A new token of an account that is there. */
  async function renewed(accountId: string): Promise<string> {
    return await db.write(async ({ q }) => {
      const issued = await issueToken(q, { accountId, deviceUuid: null }, { from: now, until: null });
      return issued.token;
    });
  }

  /**
   * A session in the browser of an account that is there.
   *
   * @returns what its browser sends
   */
  async function session(
    accountId: string,
    fields: Partial<SessionHolder> = {},
  ): Promise<Record<string, string>> {
    const usual = {
      isSession: true,
      scope: null,
      loginId: null,
      method: 'password',
      address: 'here',
      agent: null,
      usedAt: now,
      steppedUpAt: now,
    } satisfies Omit<SessionHolder, 'accountId'>;
    const life = { from: now, until: utcTime(Date.parse(now) + SESSION_LIFE_MS) };
    const { token } = await db.write(
      async ({ q }) => await issueToken(q, { ...usual, ...fields, accountId }, life),
    );
    return { cookie: `__Host-hlid=${token}`, 'sec-fetch-site': 'same-origin' };
  }

  async function roleToken(role: TokenRole): Promise<string> {
    return await db.write(async ({ q }) => {
      return (await issueToken(q, { role, name: `a ${role}` }, { from: now, until: null })).token;
    });
  }

  /** A driver with an account. @returns its id and its token */
  async function driver(email = `${randomUUID()}@example.is`): Promise<{ id: string; token: string }> {
    return await db.write(async ({ q }) => {
      const id = randomUUID();
      await q.insert(driverTable).values({ id, email, language: 'is', createdAt: now, usedAt: now });
      const { token } = await issueToken(q, { driverId: id }, { from: now, until: null });
      return { id, token };
    });
  }

  /** The token of one camera, for the query of its import. */
  async function photoToken(cameraId: string): Promise<string> {
    return await db.write(async ({ q }) => {
      return (await issueToken(q, { cameraId, name: 'a camera' }, { from: now, until: null })).token;
    });
  }

  /** A token that is good for GET of that path, for its query. */
  async function locationToken(path: string): Promise<string> {
    return await db.write(async ({ q }) => {
      return (await issueToken(q, { path }, { from: now, until: null })).token;
    });
  }

  const operator = first?.operator ?? (await account('operator', { id: 'the-operator' }));

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { body, token = operator, headers = {} } = options;
    const response = await app.request(path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const answered = isJson ? z.record(z.string(), z.unknown()).parse(JSON.parse(text)) : {};
    if (isJson && response.status >= 400) checkCodes(`${method} ${path}`, answered);
    return {
      status: response.status,
      location: response.headers.get('location'),
      headers: response.headers,
      body: answered,
    };
  }

  /** The record that a call made, read at its address. */
  async function made(
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<Json & { id: string }> {
    const answer = await call('POST', path, { ...options, body });
    if (answer.status !== 303 || answer.location === null) throw new Error(JSON.stringify(answer.body));
    const followed = await call('GET', answer.location, options);
    return z.looseObject({ id: z.string() }).parse(followed.body);
  }

  /** The plates of a list, in its order. */
  async function plates(path: string, options: CallOptions = {}): Promise<(string | null)[]> {
    const { body } = await call('GET', path, options);
    const rows = z.array(z.looseObject({ plate: z.string().nullable() })).parse(body['data']);
    return rows.map(({ plate }) => plate);
  }

  async function addSite(name: string, timeZone = 'Atlantic/Reykjavik'): Promise<AddedSite> {
    const answer = await call('POST', '/sites', { body: { name, timeZone, currency: 'ISK' } });
    return z.looseObject({ id: z.string(), code: z.string(), secret: z.string() }).parse(answer.body);
  }
  const site = first?.site ?? (await addSite('Harbour'));

  /** The changes that a site gets, after a number. */
  async function changes(of = site, after = 0): Promise<SiteChangeBody[]> {
    const answer = await call('GET', `/edge/changes?after=${after}`, { token: `${of.id}.${of.secret}` });
    return ChangeBatchSchema.parse(answer.body).changes.map(({ change }) => change);
  }

  /** The newest change of a site's feed. */
  async function lastChange(of = site): Promise<SiteChangeBody | undefined> {
    return (await changes(of)).at(-1);
  }

  /** A visit as its site reports it. */
  async function visit(
    fields: Partial<Visit> = {},
    options: { siteId?: string; step?: VisitStep; feedAt?: number } = {},
  ): Promise<Visit> {
    const startedAt = fields.startedAt ?? '2026-11-21T08:00:00.000Z';
    const whole = sampleVisit({ startedAt, createdAt: startedAt, ...fields });
    const { siteId = site.id, step = null, feedAt = 0 } = options;
    const place = { siteId, eventId: randomUUID(), at: now };
    await db.write((tx) => ingestVisit(tx, place, { visit: whole, step, feedAt }));
    return whole;
  }

  /** Gives a visit to a customer, as custody of its vehicle does. */
  async function giveVisit(id: string, customerId: string): Promise<void> {
    await db.write(async ({ q }) => {
      await q.update(visitTable).set({ customerId }).where(eq(visitTable.id, id));
    });
  }

  return {
    /** The database's. */
    file: join(folder, 'cloud.db'),
    db,
    /** The bus at which tests act as sites. */
    bus,
    /** The path for a second process on the same database. */
    dbPath,
    clock,
    context,
    giveVisit,
    app,
    site,
    operator,
    account,
    renewed,
    session,
    roleToken,
    driver,
    photoToken,
    locationToken,
    call,
    made,
    plates,
    addSite,
    changes,
    lastChange,
    visit,
    now: () => now,
    wait(ms: number) {
      now = utcTime(Date.parse(now) + ms);
    },
    /** The audit log, newest first. */
    audited: () => db.read(async (q) => await q.select().from(auditTable).orderBy(desc(auditTable.at))),
    async close() {
      boards.stop();
      await context.scans.close();
      await db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function isSentAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

export type TestApi = Awaited<ReturnType<typeof createTestApi>>;

const CodedSchema = z.looseObject({
  messages: ErrorBodySchema.shape.messages,
  codes: ErrorBodySchema.shape.codes,
});

/**
 * No refusal leaves without codes: one for each message. The calls of drivers' pages have a separate code.
 */
function checkCodes(call: string, refused: Json): void {
  if (/ \/pay\/api\//.test(call)) return;
  const { messages, codes } = CodedSchema.parse(refused);
  const isCoded = codes.length === messages.length && codes.every(({ code }) => code !== 'in-words');
  if (!isCoded) throw new Error(`${call} is refused without codes: ${JSON.stringify(refused)}`);
}
