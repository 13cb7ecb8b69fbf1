import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listen } from '@hlid/node/listen';
import { ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requireAccess } from '../../../people/auth/require-access.ts';
import { issueToken } from '../../../people/auth/tokens.ts';
import { AccessPoints } from '../../../platform/access-points/access-points.ts';
import { CardGateways } from '../../../platform/card-gateways/card-gateways.ts';
import type { Db } from '../../../platform/db/db.ts';
import { openDb } from '../../../platform/db/libsql-db.ts';
import type { CloudEnv } from '../../../platform/http/cloud-env.ts';
import { requestLog } from '../../../platform/http/request-log.ts';
import { insertAccount } from '../../../records/accounts/account-store.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import { compactFeed } from '../../feed/compact-feed.ts';
import { edgeRoutes } from '../../feed/edge-routes.ts';
import { checkSiteSecret, SITE_LOCKED_OUT } from '../site-credentials.ts';
import { siteRoutes } from './site-routes.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const clock = { now: () => new Date(NOW) };
const SITE = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };

let folder: string;
let db: Db;
let server: Server;
let url: string;
let token: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-sites-'));
  db = await openDb(join(folder, 'cloud.db'));
  token = await db.write(async ({ q }) => {
    const account = { id: 'a1', role: 'operator', name: 'Ops', status: 'active' } as const;
    await insertAccount(q, { ...account, options: {}, customerId: null, createdAt: NOW, modifiedAt: NOW });
    return (await issueToken(q, { accountId: 'a1', deviceUuid: null }, { from: NOW, until: null })).token;
  });
  const log = pino({ level: 'silent' });
  const context = {
    db,
    clock,
    log,
    checkSiteSecret,
    cardGateways: new CardGateways([], null, { clock, log, dataDir: folder }),
    accessPoints: new AccessPoints(new Map(), null),
    publicUrl: () => 'https://hlid.example',
  };
  const app = new Hono<CloudEnv>();
  app.use(requestLog(context.log, null), requireAccess(context));
  app.route('/', siteRoutes(context)).route('/', edgeRoutes(context));
  server = createServer(getRequestListener(app.fetch));
  url = `http://${await listen(server, { host: '127.0.0.1', port: 0 }, 'none')}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await db.close();
  rmSync(folder, { recursive: true });
});

function call(
  method: string,
  path: string,
  { body, bearer = token }: { body?: unknown; bearer?: string } = {},
) {
  return fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The fields of an answer that the tests read. */
async function read(answer: Response) {
  const schema = z.looseObject({ id: z.string(), secret: z.string(), messages: z.array(z.string()) });
  return schema.partial().parse(await answer.json());
}

async function newSite(): Promise<{ id: string; secret: string; bearer: string }> {
  const { id = '', secret = '' } = await read(await call('POST', '/sites', { body: SITE }));
  return { id, secret, bearer: `${id}.${secret}` };
}

describe('sites', () => {
  it('are made with a secret that is shown once, and their defaults', async () => {
    const answer = await call('POST', '/sites', { body: { ...SITE, settings: { capacity: 40 } } });
    expect(answer.status).toBe(201);
    const made = await read(answer);
    expect(made).toMatchObject({ ...SITE, settings: { capacity: 40, opensUnreadable: true } });
    expect(made.secret).toMatch(/^[\w-]{43}$/);
    const { actions, ...shown } = z
      .looseObject({ actions: z.array(z.string()) })
      .parse(await (await call('GET', `/sites/${made.id}`)).json());
    expect(actions).toEqual([
      'edit',
      'set-limits',
      'archive',
      'delete',
      'enrol',
      'renew-secret',
      'revoke-secret',
    ]);
    expect(shown).toMatchObject({
      ...SITE,
      status: 'active',
      createdOn: NOW,
      presence: { connected: false, since: null, seq: 0, acknowledged: 0, feedAt: 0, lag: 1 },
    });
    expect(JSON.stringify(shown)).not.toContain(made.secret);
    const listed = await (await call('GET', '/sites')).json();
    expect(listed).toMatchObject({ total: 1, data: [shown] });
  });

  it('are refused with every mistake named', async () => {
    const body = { name: '', timeZone: 'Mars/Base', currency: 'kr', settings: { capacity: -1 }, more: 1 };
    const answer = await call('POST', '/sites', { body });
    expect(answer.status).toBe(400);
    const { messages = [] } = await read(answer);
    const places = messages.map((message) => message.split(':')[0]);
    expect(places).toEqual(expect.arrayContaining(['name', 'timeZone', 'currency', 'settings.capacity']));
  });

  it('change field by field, and get the change', async () => {
    const { id, bearer } = await newSite();
    const answer = await call('PUT', `/sites/${id}`, { body: { name: 'Old harbour' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/sites/${id}`]);
    expect(await answer.json()).toMatchObject({ ...SITE, name: 'Old harbour', presence: { lag: 2 } });
    const feed = ChangeBatchSchema.parse(
      await (await call('GET', '/edge/changes?after=1', { bearer })).json(),
    );
    expect(feed.changes).toMatchObject([{ n: 2, change: { kind: 'site', item: { name: 'Old harbour' } } }]);
  });

  it('that do not exist are not found', async () => {
    const answers = await Promise.all([
      call('GET', '/sites/none'),
      call('PUT', '/sites/none', { body: {} }),
      call('POST', '/sites/none/credentials'),
      call('DELETE', '/sites/none/credentials'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('lose their old secret with a new one, and every secret when revoked', async () => {
    const lockedOut: string[] = [];
    db.onAnnounced((names) => lockedOut.push(...names));
    const { id, bearer } = await newSite();
    lockedOut.length = 0;
    const status = async (secret: string) =>
      (await call('GET', '/edge/changes?after=0', { bearer: secret })).status;
    expect(await status(bearer)).toBe(200);
    const renewed = await call('POST', `/sites/${id}/credentials`);
    expect(renewed.status).toBe(201);
    const fresh = `${id}.${(await read(renewed)).secret}`;
    expect([await status(bearer), await status(fresh)]).toEqual([401, 200]);
    expect((await call('DELETE', `/sites/${id}/credentials`)).status).toBe(204);
    expect(await status(fresh)).toBe(401);
    expect(await (await call('GET', `/sites/${id}`)).json()).toMatchObject({ status: 'revoked' });
    expect(lockedOut).toEqual([`${SITE_LOCKED_OUT}${id}`, `${SITE_LOCKED_OUT}${id}`]);
  });
});

describe('what a site fetches', () => {
  const zone = (id: string) =>
    db.write((tx) =>
      publishChange(tx, 'all', { kind: 'zone', op: 'put', id, item: { id, name: 'Zóna', capacity: null } }),
    );

  it('is refused to others than sites, and sites are refused the rest', async () => {
    const { bearer } = await newSite();
    expect((await call('GET', '/edge/snapshot')).status).toBe(403);
    expect((await call('GET', '/edge/snapshot', { bearer: 'a.b' })).status).toBe(401);
    expect((await call('GET', '/sites', { bearer })).status).toBe(403);
  });

  it('comes in pages; 400 for what is no number, 410 for what is gone', async () => {
    const { id, bearer } = await newSite();
    for (const name of ['a', 'b', 'c']) await zone(name);
    const page = await (await call('GET', '/edge/changes?after=1&limit=2', { bearer })).json();
    expect(ChangeBatchSchema.parse(page)).toMatchObject({ changes: [{ n: 2 }, { n: 3 }], head: { n: 4 } });
    for (const query of ['', 'after=-1', 'after=x', 'after=0&limit=0', 'after=0&limit=1001']) {
      expect([query, (await call('GET', `/edge/changes?${query}`, { bearer })).status]).toEqual([query, 400]);
    }
    await compactFeed(db, id, 1);
    const gone = await call('GET', '/edge/changes?after=1', { bearer });
    expect([gone.status, (await read(gone)).messages]).toEqual([410, [expect.stringContaining('snapshot')]]);
  });

  it('is packed where that is accepted, and the same', async () => {
    const { bearer } = await newSite();
    await zone('a');
    const fetchRaw = (accept: string) =>
      new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${bearer}`, 'accept-encoding': accept };
        request(`${url}/edge/snapshot`, { headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(chunks) }),
          );
        }).end();
      });
    const [plain, packed] = await Promise.all([fetchRaw('identity'), fetchRaw('br, gzip')]);
    expect([plain.encoding, packed.encoding]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    const lines = plain.body.toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['head', 'site', 'zone', 'head', 'end']);
  });

  it('goes on for others while a reader stands still, and ends when it goes away', async () => {
    const { bearer } = await newSite();
    await db.write(async (tx) => {
      for (let at = 0; at < 4000; at++) {
        const item = { id: `z${at}`, name: 'x'.repeat(2000), capacity: null };
        await publishChange(tx, 'all', { kind: 'zone', op: 'put', id: item.id, item });
      }
    });
    const stop = new AbortController();
    const slow = await fetch(`${url}/edge/snapshot`, {
      headers: { Authorization: `Bearer ${bearer}`, 'Accept-Encoding': 'identity' },
      signal: stop.signal,
    });
    expect(slow.status).toBe(200);
    expect((await call('GET', '/edge/changes?after=4001', { bearer })).status).toBe(200);
    stop.abort();
    // The read that the snapshot holds ends: without that the database would not close.
    await db.close();
  });
});
