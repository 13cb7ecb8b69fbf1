import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startCloud } from '../harness/cloud-program.ts';
import { LoginViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn } from '../harness/operator.ts';
import { createSite } from '../harness/provision.ts';
import { type BenchRow, ms } from './bench-table.ts';
import { type BodySchema, worstBodies, worstDocuments, worstFiles } from './worst-bodies.ts';

/** A person does not notice a pause of this length. */
const GOAL_MS = 50;
/**
 * The shortest of several tries counts: other work of the machine is no pause of the cloud. More tries follow
 * while all are long.
 */
const USUAL_SIZE = { tries: 2, maxTries: 10, maxRequests: Number.POSITIVE_INFINITY };
const WITHIN_MS = 60_000;
const WORST_SHOWN = 8;

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: BodySchema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, BodySchema> };
}

interface Pause {
  route: string;
  what: string;
  status: number;
  pauseMs: number;
}

/** How long one request can hold up all others: the worst bodies of every operation, and the longest pause of each. */
export async function benchPauses(add: (row: BenchRow) => void, size = USUAL_SIZE): Promise<void> {
  const { tries: minTries, maxTries, maxRequests } = size;
  const pauses: Pause[] = [];
  await withProbedCloud(async (cloud) => {
    for await (const request of worstRequests(cloud)) {
      if (pauses.length >= maxRequests) break;
      const tries: { status: number; pauseMs: number }[] = [];
      while (
        tries.length < minTries ||
        (tries.length < maxTries && tries.every(({ pauseMs }) => pauseMs > GOAL_MS))
      ) {
        tries.push(await cloud.measure(request));
      }
      const [shortest = { status: 0, pauseMs: 0 }] = tries.toSorted((a, b) => a.pauseMs - b.pauseMs);
      pauses.push({ route: `${request.method} ${request.route}`, what: request.what, ...shortest });
    }
  });
  const worst = pauses.toSorted((a, b) => b.pauseMs - a.pauseMs);
  for (const { route, what, status, pauseMs } of worst.slice(0, WORST_SHOWN)) {
    console.log(`  ${ms(pauseMs)}: ${route} with ${what} (${status})`);
  }
  const [longest] = worst;
  if (longest === undefined) throw new Error('there was nothing to measure');
  add({
    work: `cloud, longest pause by one of ${pauses.length} requests: ${longest.route} with ${longest.what}`,
    ours: ms(longest.pauseMs),
    against: ms(GOAL_MS),
    ratio: longest.pauseMs / GOAL_MS,
    goal: { atMost: 1 },
  });
}

interface WorstRequest {
  method: string;
  /** The route as the API description writes it. */
  route: string;
  path: string;
  what: string;
  contentType: string | null;
  body: Buffer | null;
  /** The header that replaces the operator's. */
  authorization?: string;
}

interface ProbedCloud {
  document: Document;
  siteCredentials: string;
  call(method: string, path: string, body: unknown): Promise<unknown>;
  measure(request: WorstRequest): Promise<{ status: number; pauseMs: number }>;
}

async function withProbedCloud(work: (cloud: ProbedCloud) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-'));
  const operator = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const portFile = join(folder, 'probe-port');
  const env = {
    NODE_OPTIONS: `--import ${new URL('loop-probe.mjs', import.meta.url).href}`,
    HLID_BENCH_PROBE: portFile,
    HLID_LOG_LEVEL: 'error',
  };
  const cloud = await startCloud({ folder, apiKey, operator, env });
  try {
    const access = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operator });
    const plan = { name: 'Bench', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
    const { siteId, secret } = await createSite(access, plan);
    const newToken = async () => {
      const login = await fetch(new URL('/auth/login', cloud.httpUrl()), {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ device_uuid: randomUUID(), provider: 'password', ...operator }),
      });
      return LoginViewSchema.parse(await login.json()).access_token;
    };
    let token = await newToken();
    const probe = `http://127.0.0.1:${await readFile(portFile, 'utf8')}/`;
    const longest = async () => Number(await (await fetch(probe)).text());
    await work({
      document: (await (await fetch(new URL('/openapi.json', cloud.httpUrl()))).json()) as Document,
      siteCredentials: `${siteId}.${secret}`,
      call: async (method, path, body) => (await access.ask(method, path, Object(body))).body,
      async measure({ method, path, contentType, body, authorization }) {
        const send = async () => {
          await longest();
          const headers = { authorization: authorization ?? `Bearer ${token}`, 'x-api-key': apiKey };
          const response = await fetch(new URL(path, cloud.httpUrl()), {
            method,
            headers: { ...headers, ...(contentType && { 'content-type': contentType }) },
            ...(body !== null && { body: new Uint8Array(body) }),
            redirect: 'manual',
            signal: AbortSignal.timeout(WITHIN_MS),
          });
          await response.arrayBuffer();
          return { status: response.status, pauseMs: await longest() };
        };
        const measured = await send();
        if (measured.status !== 401) return measured;
        // One of the requests before ended the session.
        token = await newToken();
        return await send();
      },
    });
  } finally {
    await cloud.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** They would end the measurement: its own token is withdrawn, its site, or its data. */
const LEFT_OUT = /^(POST \/sites\/\{id\}\/(lanes|gates)|DELETE |POST \/retention)/;

/** Each is made when it is measured: their bodies are large. */
async function* worstRequests(cloud: ProbedCloud): AsyncGenerator<WorstRequest> {
  const { document } = cloud;
  const lookup = (ref: string): BodySchema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const ids = await makeRows(cloud, lookup);
  for (const [route, item] of Object.entries(document.paths)) {
    for (const [verb, { requestBody, parameters = [] }] of Object.entries(item)) {
      const method = verb.toUpperCase();
      if (LEFT_OUT.test(`${method} ${route}`)) continue;
      const path = pathOf(route, ids) + queryOf(parameters);
      const about = { method, route, path };
      const site = /^\/edge\/(pictures|changes|snapshot)/.test(route)
        ? { authorization: `Bearer ${cloud.siteCredentials}` }
        : {};
      const [contentType = null] = Object.keys(requestBody?.content ?? {});
      const schema = requestBody?.content[contentType ?? '']?.schema;
      if (contentType === null || schema === undefined) {
        yield { ...about, ...site, what: 'no body', contentType: null, body: null };
        continue;
      }
      for (const { what, body } of bodiesFor(route, schema, lookup)) {
        yield { ...about, ...site, what, contentType, body };
      }
    }
  }
}

function bodiesFor(route: string, schema: BodySchema, lookup: (ref: string) => BodySchema) {
  if (route.endsWith('/import')) return worstFiles();
  if (route === '/photos/{type}') return worstDocuments();
  if (route.startsWith('/edge/pictures')) return [{ what: 'a picture', body: Buffer.alloc(5_000_000, 0xff) }];
  return worstBodies(schema, lookup);
}

const IdSchema = z.looseObject({ id: z.string() });

/** One row of each kind, by the examples of the description; where there is none, paths name nothing. */
async function makeRows(
  cloud: ProbedCloud,
  lookup: (ref: string) => BodySchema,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [route, item] of Object.entries(cloud.document.paths)) {
    const schema = item['post']?.requestBody?.content['application/json']?.schema;
    if (schema === undefined || route.includes('{')) continue;
    const example = schema.example ?? (schema.$ref === undefined ? undefined : lookup(schema.$ref).example);
    const made = IdSchema.safeParse(await cloud.call('POST', route, example));
    if (made.success) ids.set(route, made.data.id);
  }
  return ids;
}

function pathOf(route: string, ids: ReadonlyMap<string, string>): string {
  const collection = route.replace(/\/\{.*/, '');
  const id = ids.get(collection) ?? ids.get(`${collection}s`) ?? 'none';
  return route
    .replace('{type}', 'open-alpr')
    .replace('{plate}', 'ABX12')
    .replaceAll(/\{\w+\}/g, id);
}

const QUERY: Readonly<Record<string, string>> = {
  'date.from': '2026-01-01',
  'date.to': '2026-12-31',
  'camera.id': 'none',
  plate: 'ABX12',
  readId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  kind: 'vehicle',
  after: '0',
};

function queryOf(parameters: NonNullable<Operation['parameters']>): string {
  const inQuery = parameters.filter(
    (one) => one.in === 'query' && (one.required || one.name === 'camera.id'),
  );
  return `?${new URLSearchParams(inQuery.map(({ name }) => [name, QUERY[name] ?? '1']))}`;
}
