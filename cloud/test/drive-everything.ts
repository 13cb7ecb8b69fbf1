import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { applyBatch } from '../src/integration/ingest/apply-batch.ts';
import { readLessons } from '../src/integration/training/read-lessons.ts';
import { OnlinePayments } from '../src/paying/online-payments/online-payments.ts';
import { AccessPoints } from '../src/platform/access-points/access-points.ts';
import { LESSONS } from '../src/platform/trainer.ts';
import { cloudRuns } from '../src/program/cloud-runs.ts';
import type { TestApi } from './api.ts';
import { type DescribedCall, draftsOf, makeCall } from './fuzz/calls.ts';
import { OWN_CUSTOMER } from './fuzz/people.ts';
import type { Schema } from './fuzz/schema-arbitrary.ts';
import { rowMakerOf, seedForFuzz } from './fuzz/seed.ts';
import { eventAt, sampleStay } from './sample-events.ts';
import { addCustomer } from './settlements.ts';

/** This file does everything that the cloud does with its database once, for tests. */

/** The OpenAPI document, as far as it is needed here. */
export interface ApiDocument {
  paths: Record<string, Record<string, DescribedCall['operation']>>;
  components: { schemas: Record<string, Schema> };
}

type Doing = (what: string) => void;

/** Rows of every kind, a customer with a national id among them, and a site's word on whole stays. */
export async function driveIngest(api: TestApi, doing: Doing): Promise<void> {
  doing('the seed');
  await seedForFuzz(api);
  await addCustomer(api, { billingMethod: 'daily' }, { ssn: SSN });
  doing('ingest');
  const stays = [sampleStay('ABX12'), sampleStay('MKJ45')].flat();
  const events = stays.map((body, n) => ({ ok: true as const, event: eventAt(n + 1, body) }));
  await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: randomUUID(), events });
}

const SSN = '1201603389';

/** Values of parameters that accept any text. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  plate: ['ABX12'],
  name: ['anna'],
  comment: ['x'],
  email: ['anna@example.is'],
  reason: ['Staff'],
  ssn: [SSN],
  collection: ['staff'],
  expire: ['true', 'false', '2026-11-21T12:00:00.000Z'],
  date: ['2026-11-21'],
  dueBefore: ['2026-11-21'],
  from: ['2026-11-01'],
  to: ['2026-11-30'],
  'date.from': ['2026-11-01T00:00:00.000Z'],
  'date.to': ['2026-11-30T00:00:00.000Z'],
  'card.lastFour': ['1234'],
  near: ['ABX12'],
  prefix: ['ABX'],
  'ended.from': ['2026-11-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  'ended.to': ['2026-11-30T00:00:00.000Z'],
  insideAt: ['2026-11-21T12:00:00.000Z'],
  asOf: ['2026-11-21'],
  currency: ['ISK'],
  at: ['2026-11-20T12:00:00.000Z'],
  country: ['DE'],
  region: ['BY'],
  year: ['2026'],
  'amount.min': ['100'],
  number: ['1'],
  columns: ['plate'],
  include: [],
  next: [],
  // How many there are does not change what is asked.
  limit: [],
  n: ['3'],
  after: ['0'],
  access_token: [],
  token: [],
};

type Given = readonly [name: string, value: string];

/** The lessons of a training installation, on what the seed has. */
export async function driveLessons(api: TestApi, doing: Doing): Promise<void> {
  doing('the lessons');
  const startedOn = '2026-11-01T00:00:00.000Z';
  const car = { siteId: api.site.id, plate: 'ABX12', readAs: 'ABX1', otherPlate: 'MKJ45' };
  const device = { kind: 'terminal', id: 'pos-1' } as const;
  const runs = LESSONS.map((lesson) => ({ lesson, startedOn, ...car, device }));
  await api.db.read((q) => readLessons(q, runs, 'account:the-operator'));
}

/** Every list with each of its filters and each two of them, for operators and for people of a customer. */
export async function driveLists(
  api: TestApi,
  { paths, components }: ApiDocument,
  doing: Doing,
): Promise<void> {
  const customer = await api.account('customer', { customerId: OWN_CUSTOMER });
  const camera = await api.made('/cameras', {
    name: 'In',
    siteId: api.site.id,
    location: 'exit',
    remoteId: 'cam',
  });
  const ids: Record<string, string> = { siteId: api.site.id, board: api.site.id, 'camera.id': camera.id };
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || path.includes('{') || path.startsWith('/edge')) continue;
    const parameters = get.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
    const [required = [], optional = []] = [true, false].map((isRequired) =>
      parameters
        .filter((parameter) => (parameter.required ?? false) === isRequired)
        .map(({ name, schema }) =>
          valuesOf(name, schema, components.schemas).map((value): Given => [name, ids[name] ?? value]),
        ),
    );
    const single = optional.flat();
    const pairs = PAIRED.has(path) ? pairsOf(single) : [];
    const hasNext = parameters.some(({ name }) => name === 'next');
    for (const given of [[], ...single.map((one) => [one]), ...pairs]) {
      const cursors = !hasNext ? [null] : given.length < 2 ? [null, OLDER, NEWER] : [OLDER];
      for (const cursor of cursors) {
        const next: Given[] = cursor === null ? [] : [['next', cursor]];
        const query = new URLSearchParams([...required.flat(), ...given, ...next].map(([...one]) => one));
        for (const token of [api.operator, customer]) {
          const who = token === customer ? ' by a customer' : '';
          doing(`GET ${path}?${given.map((one) => one.join('=')).join('&')}${who}`);
          const { status, body } = await api.call('GET', `${path}?${query}`, { token });
          // Two that do not go together are refused.
          const isAnswered =
            status < 400 || status === 401 || status === 410 || status === 403 || given.length > 1;
          if (given.length === 0 && BY_ONE_FILTER.has(path)) continue;
          if (!isAnswered && !IN_PAIRS.has(given[0]?.[0] ?? '')) {
            throw new Error(`${path}?${query}: ${JSON.stringify(body)}`);
          }
        }
      }
    }
  }
}

/** Parameters that are accepted only together with another one. */
const IN_PAIRS = new Set(['subjectId']);
/** Lists that are asked for by one filter, and are refused without. */
const BY_ONE_FILTER = new Set(['/drivers']);

/** Lists of what traffic makes. */
const PAIRED = new Set([
  '/visits',
  '/photos',
  '/invoices',
  '/visit/whitelist',
  '/audit',
  '/vehicles',
  '/custodians',
]);

function pairsOf(single: readonly Given[]): Given[][] {
  return single.flatMap((one, n) =>
    single.slice(n + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other]])),
  );
}

function valuesOf(name: string, schema: Schema, schemas: Record<string, Schema>): readonly string[] {
  const { enum: values, type, format } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  if (values !== undefined) return values.map(String);
  if (type === 'boolean') return ['true', 'false'];
  const texts = TEXTS[name] ?? ['an-id'];
  return format === 'date' ? texts.map((text) => text.slice(0, 10)) : texts;
}

const OLDER = cursorTo('older');
const NEWER = cursorTo('newer');

function cursorTo(go: 'older' | 'newer'): string {
  return Buffer.from(JSON.stringify([go, 0, '2026-11-21T12:00:00.000Z', 'id'])).toString('base64url');
}

/** Every operation a few times, by those who may. */
export async function driveOperations(
  api: TestApi,
  { paths, components }: ApiDocument,
  doing: Doing,
): Promise<void> {
  const lookup = (ref: string): Schema => components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      const method = verb.toUpperCase();
      const make = rowMakerOf(method, path);
      const call = { method, path, operation };
      for (const [n, draft] of fc.sample(draftsOf(call, lookup), { numRuns: 5, seed: 1 }).entries()) {
        doing(`${method} ${path}`);
        await makeCall(api, call, { ...draft, others: null, fitsRow: true }, (await make?.(api, n)) ?? {});
      }
    }
  }
}

/** Everything that is done by the clock. */
export async function driveRuns({ context, now }: TestApi, doing: Doing): Promise<void> {
  const mailer = { send: async () => ({ ok: true }) as const, close: () => undefined };
  const onlinePayments = new OnlinePayments(context);
  const taken = { kind: 'accepted', reference: 'taken' } as const;
  const point = { submit: async () => taken, status: async () => taken };
  const accessPoints = new AccessPoints(new Map([['http', point]]), 'http');
  const own = { onlinePayments, accessPoints, databaseFile: null, tlsFiles: [], backup: null };
  const parts = { ...context, ...own };
  for (const run of cloudRuns(parts, mailer, {
    to: ['vakt@example.is'],
    language: 'is',
  })) {
    doing(`the run ${run.name}`);
    await run.isDue?.(now());
    await run.work({ now: now(), signal: AbortSignal.timeout(10_000) });
  }
}
