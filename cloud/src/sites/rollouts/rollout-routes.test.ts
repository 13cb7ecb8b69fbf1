import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { type EdgeUpgradeReport, UpgradeOrderSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Answer, createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { addPackages, askForOrder, packageBytes, SIGNATURE } from '../../../test/packages.ts';
import { eq } from '../../platform/db/sql.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { sitePresenceTable } from '../../records/sites/site-table.ts';
import { rolloutRun } from './advance-rollout.ts';

type Site = TestApi['site'];

let api: TestApi;
/** The three sites are of ring 1, 2 and 2. */
let first: Site;
let second: Site;
let third: Site;

beforeEach(async () => {
  api = await createTestApi();
  first = api.site;
  second = await api.addSite('Airport');
  third = await api.addSite('Mall');
  await api.call('PUT', `/sites/${first.id}`, { body: { upgradeRing: 1 } });
  for (const { id } of [first, second, third]) await connect(id);
  await addPackages(api, '0.3.0');
});
afterEach(() => api.close());

async function connect(siteId: string, connected = true): Promise<void> {
  const since = api.now();
  await api.db.write(async ({ q }) => {
    await q
      .insert(sitePresenceTable)
      .values({ siteId, connected, since })
      .onConflictDoUpdate({ target: sitePresenceTable.siteId, set: { connected, since } });
  });
}

const RolloutSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  ring: z.number().nullable(),
  sites: z.array(z.looseObject({ siteId: z.string(), outcome: z.string() })),
});

async function start(body: Json = {}): Promise<z.infer<typeof RolloutSchema>> {
  const started = await api.call('POST', '/rollouts', { body: { version: '0.3.0', ...body } });
  expect(started.status, JSON.stringify(started.body)).toBe(303);
  return RolloutSchema.parse(started.body);
}

async function look(id: string) {
  const rollout = RolloutSchema.parse((await api.call('GET', `/rollouts/${id}`)).body);
  const outcomes = [first, second, third].map(
    (site) => rollout.sites.find(({ siteId }) => siteId === site.id)?.outcome,
  );
  return { ...rollout, outcomes };
}

/** @returns its order, or null */
async function ask(site: Site, report: Partial<EdgeUpgradeReport> = {}) {
  const { status, body } = await askForOrder(api, site, report);
  expect(status).toBe(200);
  return UpgradeOrderSchema.nullable().parse(body['order']);
}

type Outcome = NonNullable<EdgeUpgradeReport['upgrade']>['outcome'];

async function report(site: Site, orderId: string | undefined, outcome: Outcome, version = '0.1.0') {
  api.wait(1000);
  const reason = outcome === 'went-back' ? 'camera in-1 did not answer' : null;
  return await ask(site, {
    version,
    upgrade: { orderId: orderId ?? '', outcome, reason, at: api.now() },
  });
}

/** A site goes the whole way. */
async function upgrade(site: Site): Promise<void> {
  const order = await ask(site);
  expect(order).not.toBeNull();
  for (const outcome of ['downloading', 'working', 'installing'] as const)
    await report(site, order?.id, outcome);
  await report(site, order?.id, 'done', '0.3.0');
}

async function pass(ms: number): Promise<void> {
  api.wait(ms);
  const run = rolloutRun({ db: api.db, alarms: { to: ['vakt@example.is'], language: 'en' } });
  if (await run.isDue?.(api.now())) await run.work({ now: api.now(), signal: AbortSignal.timeout(10_000) });
}

const codesOf = ({ body }: Answer) =>
  z
    .array(z.looseObject({ code: z.string() }))
    .parse(body['codes'])
    .map(({ code }) => code);

it('goes ring by ring, with time between them, until all sites have the version', async () => {
  const { id, outcomes } = await look((await start()).id);
  expect(outcomes).toEqual(['ordered', 'waiting', 'waiting']);
  expect(await ask(second)).toBeNull();
  await upgrade(first);
  expect(await look(id)).toMatchObject({
    state: 'running',
    ring: 1,
    rings: [1, 2],
    outcomes: ['done', 'waiting', 'waiting'],
    pause: null,
    ringOverAt: api.now(),
    counts: [
      { outcome: 'waiting', sites: 2 },
      { outcome: 'done', sites: 1 },
    ],
    sites: [
      { name: 'Harbour', ring: 1, from: '0.1.0', version: '0.3.0', connected: true, reason: null },
      { name: 'Airport', ring: 2, from: null, version: '0.1.0' },
      { name: 'Mall', ring: 2, version: null },
    ],
  });
  await pass(24 * HOUR_MS - MINUTE_MS);
  expect((await look(id)).outcomes).toEqual(['done', 'waiting', 'waiting']);
  await pass(MINUTE_MS);
  expect((await look(id)).outcomes).toEqual(['done', 'ordered', 'ordered']);
  await upgrade(second);
  // An operator installed it by hand meanwhile.
  expect(await ask(third, { version: '0.3.0' })).toBeNull();
  expect(await look(id)).toMatchObject({
    state: 'done',
    overAt: api.now(),
    outcomes: ['done', 'done', 'up-to-date'],
  });
  const audited = (await api.audited()).filter(({ subject }) => subject === 'rollout');
  expect(audited.map(({ action }) => action).sort()).toEqual([
    'rollout.begin-ring',
    'rollout.begin-ring',
    'rollout.done',
    'rollout.ring-over',
    'rollout.start',
  ]);
  expect((await api.call('GET', '/rollouts')).body).toMatchObject({
    total: 1,
    data: [{ id, state: 'done' }],
  });
});

it('notifies the pages that are open, and integrators', async () => {
  const { id } = await start();
  const { body } = await api.call('GET', '/webhooks/events?after=0');
  expect(body['data']).toContainEqual(
    expect.objectContaining({
      type: 'rollout.changed',
      siteId: null,
      subject: { id, path: `/rollouts/${id}` },
    }),
  );
});

describe('is refused', () => {
  it('while another one is not over', async () => {
    const { id } = await start();
    const other = await api.call('POST', '/rollouts', { body: { version: '0.3.0' } });
    expect([other.status, codesOf(other)]).toEqual([409, ['rollout-not-over']]);
    expect((await api.call('POST', `/rollouts/${id}/end`)).body).toMatchObject({ state: 'ended' });
    await start();
  });

  it('without a package of the version', async () => {
    const refused = await api.call('POST', '/rollouts', { body: { version: '0.4.0' } });
    expect([refused.status, codesOf(refused)]).toEqual([409, ['no-package']]);
  });

  it('for sites that are not there, or are revoked', async () => {
    await api.call('DELETE', `/sites/${third.id}/credentials`);
    const body = { version: '0.3.0', siteIds: [first.id, third.id, 'nobody'] };
    const refused = await api.call('POST', '/rollouts', { body });
    expect([refused.status, codesOf(refused)]).toEqual([400, ['no-site-of-id', 'no-site-of-id']]);
    expect((await start()).sites.map(({ siteId }) => siteId)).toEqual([first.id, second.id]);
  });

  it('with a package that a person removes meanwhile', async () => {
    const { id } = await start();
    const [found] = z
      .array(z.looseObject({ id: z.string() }))
      .parse((await api.call('GET', '/edge-packages')).body['data']);
    const kept = await api.call('DELETE', `/edge-packages/${found?.id}`);
    expect([kept.status, codesOf(kept)]).toEqual([409, ['package-in-use']]);
    await api.call('POST', `/rollouts/${id}/end`);
    expect((await api.call('DELETE', `/edge-packages/${found?.id}`)).status).toBe(204);
  });
});

describe('a site that goes back', () => {
  async function wentBack() {
    const { id } = await start({ soakHours: 0, siteIds: [second.id, third.id] });
    const [one, other] = [await ask(second), await ask(third)];
    await report(third, other?.id, 'working');
    await report(second, one?.id, 'went-back');
    return { id, one, other };
  }

  it('pauses the rollout at once, and the operators have mail of it, once', async () => {
    const { id, other } = await wentBack();
    expect(await look(id)).toMatchObject({
      state: 'paused',
      pause: {
        reason: 'site-failed',
        siteId: second.id,
        siteName: 'Airport',
        outcome: 'went-back',
        ring: 2,
        at: api.now(),
        by: null,
      },
      outcomes: [undefined, 'went-back', 'working'],
    });
    // Orders that have not begun are withheld; installations go on.
    expect(await ask(third)).toBeNull();
    expect(await report(third, other?.id, 'installing')).toMatchObject({ id: other?.id });
    await pass(MINUTE_MS);
    await pass(MINUTE_MS);
    const mails = await api.db.read(
      async (q) => await q.select().from(mailTable).where(eq(mailTable.kind, 'alarm')),
    );
    expect(mails).toMatchObject([{ to: 'vakt@example.is', subject: 'The upgrade to 0.3.0 is paused' }]);
    expect(mails[0]?.text).toContain(
      'Airport went back to the former version.\n(camera in-1 did not answer)',
    );
  });

  it('is left out when a person resumes', async () => {
    const { id, other } = await wentBack();
    expect((await api.call('POST', `/rollouts/${id}/resume`)).body).toMatchObject({
      state: 'running',
      pause: null,
    });
    expect(await ask(third)).toMatchObject({ id: other?.id });
    expect(await ask(second)).toBeNull();
    await report(third, other?.id, 'done', '0.3.0');
    expect(await look(id)).toMatchObject({ state: 'done', outcomes: [undefined, 'went-back', 'done'] });
  });

  it('gets another order when a person tries again', async () => {
    const { id, one } = await wentBack();
    const again = await api.call('POST', `/rollouts/${id}/retry`, { body: { siteId: second.id } });
    expect(again.body).toMatchObject({ state: 'paused' });
    await api.call('POST', `/rollouts/${id}/resume`);
    // The old report is of the former order.
    const order = await report(second, one?.id, 'went-back');
    expect(order).not.toBeNull();
    expect(order?.id).not.toBe(one?.id);
    expect((await look(id)).outcomes).toEqual([undefined, 'ordered', 'working']);
    const busy = await api.call('POST', `/rollouts/${id}/retry`, { body: { siteId: second.id } });
    expect([busy.status, codesOf(busy)]).toEqual([409, ['nothing-to-retry']]);
    const other = await api.call('POST', `/rollouts/${id}/retry`, { body: { siteId: first.id } });
    expect([other.status, codesOf(other)]).toEqual([400, ['no-site-of-id']]);
  });
});

it('a ring of which no site takes the version pauses the rollout; resumed, it goes on', async () => {
  const { id } = await start({ soakHours: 0 });
  expect(await ask(first, { acceptsOrders: false })).toBeNull();
  expect(await look(id)).toMatchObject({
    state: 'paused',
    pause: { reason: 'ring-failed', ring: 1, siteId: null },
    sites: [{ outcome: 'skipped', reason: 'accepts-no-orders' }, {}, {}],
  });
  await api.call('POST', `/rollouts/${id}/resume`);
  expect(await look(id)).toMatchObject({
    state: 'running',
    ring: 2,
    outcomes: ['skipped', 'ordered', 'ordered'],
  });
  expect(await ask(second, { architecture: null })).toBeNull();
  expect((await look(id)).sites[1]).toMatchObject({
    siteId: second.id,
    outcome: 'skipped',
    reason: 'no-package',
  });
});

it('a site that is away keeps its order and holds up no other site', async () => {
  await connect(first.id, false);
  await connect(second.id, false);
  const { id } = await start({ soakHours: 0, siteIds: [second.id, third.id] });
  await upgrade(third);
  await pass(MINUTE_MS);
  expect(await look(id)).toMatchObject({ state: 'running', outcomes: [undefined, 'ordered', 'done'] });
  await connect(second.id);
  await upgrade(second);
  expect(await look(id)).toMatchObject({ state: 'done' });
});

it('no more sites have their orders than at once are allowed', async () => {
  await start({ maxAtOnce: 1, siteIds: [second.id, third.id] });
  const order = await ask(second);
  expect([order?.version, await ask(third)]).toEqual(['0.3.0', null]);
  await report(second, order?.id, 'refused');
  expect(await ask(third)).not.toBeNull();
});

it('sites that ask at the same moment do not all have an order', async () => {
  await start({ maxAtOnce: 1, siteIds: [second.id, third.id] });
  const orders = await Promise.all([ask(second), ask(third)]);
  expect(orders.filter((order) => order !== null)).toHaveLength(1);
});

it('the version itself is the outcome, where the report of it was lost', async () => {
  const { id } = await start();
  const order = await ask(first);
  await report(first, order?.id, 'installing', '0.3.0');
  expect((await look(id)).outcomes[0]).toBe('installing');
  await ask(first, { version: '0.3.0' });
  expect((await look(id)).outcomes[0]).toBe('done');
});

it('when it is ended, orders are withdrawn, and sites that install go on', async () => {
  const { id } = await start({ siteIds: [second.id, third.id] });
  const [one, other] = [await ask(second), await ask(third)];
  await report(second, one?.id, 'installing');
  await report(third, other?.id, 'downloading');
  await api.call('POST', `/rollouts/${id}/end`);
  expect((await look(id)).outcomes).toEqual([undefined, 'installing', 'withdrawn']);
  expect(await ask(third)).toBeNull();
  expect((await bytesOf(third, other?.id)).status).toBe(404);
  // A newer rollout does not keep its outcome from being recorded.
  await addPackages(api, '0.4.0');
  await start({ version: '0.4.0' });
  await report(second, one?.id, 'done', '0.3.0');
  expect((await look(id)).outcomes).toEqual([undefined, 'done', 'withdrawn']);
  for (const call of ['pause', 'resume', 'end']) {
    const refused = await api.call('POST', `/rollouts/${id}/${call}`);
    expect([refused.status, codesOf(refused)]).toEqual([409, ['rollout-over']]);
  }
});

it('a person pauses it, and resumes it', async () => {
  const { id } = await start();
  const paused = await api.call('POST', `/rollouts/${id}/pause`);
  expect(paused.body).toMatchObject({
    state: 'paused',
    pause: { reason: 'person', by: 'account:the-operator', byName: 'operator' },
  });
  expect(await ask(first)).toBeNull();
  const again = await api.call('POST', `/rollouts/${id}/pause`);
  expect([again.status, again.body['pause']]).toEqual([200, paused.body['pause']]);
  await api.call('POST', `/rollouts/${id}/resume`);
  expect(await ask(first)).not.toBeNull();
});

async function bytesOf(site: Site, orderId: string | undefined, headers: Record<string, string> = {}) {
  const answer = await api.app.request(`/edge/upgrade/${orderId}/package`, {
    headers: { authorization: `Bearer ${site.id}.${site.secret}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('the package', () => {
  const whole = Buffer.from(packageBytes('0.3.0 amd64')).toString();

  it('is that of the order and of the site’s architecture, whole or in part', async () => {
    await start();
    const order = await ask(first);
    expect(order).toMatchObject({ version: '0.3.0', bytes: whole.length, signature: SIGNATURE });
    const all = await bytesOf(first, order?.id);
    expect([all.status, all.text, all.headers.get('content-length')]).toEqual([
      200,
      whole,
      `${whole.length}`,
    ]);
    const rest = await bytesOf(first, order?.id, { range: 'bytes=10-' });
    expect([rest.status, rest.text]).toEqual([206, whole.slice(10)]);
    expect(rest.headers.get('content-range')).toBe(`bytes 10-${whole.length - 1}/${whole.length}`);
    expect((await bytesOf(first, order?.id, { range: `bytes=${whole.length}-` })).status).toBe(416);
    const other = { range: 'bytes=10-', 'if-range': '"another"' };
    expect((await bytesOf(first, order?.id, other)).status).toBe(200);
    const tag = all.headers.get('etag') ?? '';
    expect((await bytesOf(first, order?.id, { ...other, 'if-range': tag })).status).toBe(206);
  });

  it('is none of another site, of an order that is over, or of none', async () => {
    await start({ siteIds: [first.id] });
    const order = await ask(first);
    expect((await bytesOf(second, order?.id)).status).toBe(404);
    expect((await bytesOf(first, randomUUID())).status).toBe(404);
    await report(first, order?.id, 'refused');
    expect((await bytesOf(first, order?.id)).status).toBe(404);
  });

  it('is not there, where its file is lost: the site asks again', async () => {
    await start();
    const order = await ask(first);
    await api.context.packages.delete('hlid-edge_0.3.0_amd64.deb');
    expect((await bytesOf(first, order?.id)).status).toBe(404);
  });
});

it('a site keeps its ring when something else of it changes', async () => {
  const path = `/sites/${first.id}`;
  expect((await api.call('GET', path)).body).toMatchObject({ upgradeRing: 1 });
  expect((await api.call('PUT', path, { body: { name: 'Port' } })).body).toMatchObject({ upgradeRing: 1 });
  expect((await api.call('GET', `/sites/${second.id}`)).body).toMatchObject({ upgradeRing: 2 });
  expect((await api.call('PUT', path, { body: { upgradeRing: 10 } })).status).toBe(400);
  const changes = (await api.audited()).filter(({ action }) => action === 'site.update');
  expect(changes.map(({ before, after }) => [ringIn(before), ringIn(after)]).sort()).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

function ringIn(shown: unknown): number {
  return z.looseObject({ upgradeRing: z.int() }).parse(shown).upgradeRing;
}
