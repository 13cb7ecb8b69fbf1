import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { DeviceState } from '@hlid/protocol/records/device';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { alarmMailJob } from '../../integration/alarms/mail-alarms.ts';
import { linkWatchJob } from '../../integration/alarms/watch-links.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { KEPT_CHANGES } from '../../records/devices/device-store.ts';
import { deviceChangeTable } from '../../records/devices/device-table.ts';
import { writePresence } from '../../records/sites/site-store.ts';
import { DeviceSchema } from './device.ts';
import { DeviceActionsSchema } from './device-actions.ts';

type DeviceChanged = Extract<SiteEventBody, { type: 'device.changed' }>;

let api: TestApi;
let epoch: string;
let seq: number;
beforeEach(async () => {
  api = await createTestApi();
  epoch = randomUUID();
  seq = 0;
  await connect(true);
});
afterEach(() => api.close());

/** The site reports that it is there, or its last will reports that it is gone. */
async function connect(connected: boolean, siteId = api.site.id): Promise<void> {
  const nothing = { seq: 0, feedAt: 0, feedHash: null, software: null, clockAheadMs: 0 };
  const sent = { siteId, connected, since: api.now(), epoch, ...nothing };
  await api.db.write(({ q }) => writePresence(q, sent));
}

/** The site reports the state of its devices. */
async function reportChanges(...changes: Partial<DeviceChanged>[]): Promise<void> {
  const events = changes.map((change) => {
    const body: DeviceChanged = {
      type: 'device.changed',
      kind: 'camera',
      deviceId: 'in-1',
      state: 'ok',
      detail: '',
      since: api.now(),
      ...change,
    };
    const event = { seq: ++seq, at: api.now(), body };
    return { ok: true as const, seq, event };
  });
  const applied = await applyBatch(api.db, api.context.clock, { siteId: api.site.id, epoch, events });
  expect(applied.rejected).toEqual([]);
}

async function devices() {
  const { status, body } = await api.call('GET', `/sites/${api.site.id}/devices`);
  expect(status).toBe(200);
  return z.array(DeviceSchema.extend({ actions: DeviceActionsSchema })).parse(body['data']);
}
const summary = async () => (await api.call('GET', `/sites/${api.site.id}`)).body['devices'];
const integrationEvents = async () => {
  const { body } = await api.call('GET', '/webhooks/events');
  return z
    .array(z.looseObject({ type: z.string(), subject: z.looseObject({ id: z.string(), path: z.string() }) }))
    .parse(body['data'])
    .filter(({ type }) => type.startsWith('device.'))
    .map(({ type, subject }) => [type, subject.id, subject.path]);
};
const run = (work: ReturnType<typeof linkWatchJob>) =>
  work.work({ now: api.now(), signal: new AbortController().signal });

describe('the devices of a site', () => {
  it('are shown as the site last said, with what to do and how they were', async () => {
    const since = utcTime(Date.parse(api.now()) - MINUTE_MS);
    await reportChanges({}, { kind: 'disk', deviceId: 'site' });
    await reportChanges({ state: 'silent', detail: 'nothing heard for 9 min', since });
    const [camera, disk] = await devices();
    expect(camera).toMatchObject({
      kind: 'camera',
      id: 'in-1',
      state: 'silent',
      since,
      detail: 'nothing heard for 9 min',
      alarm: true,
      advice: { en: expect.stringContaining('power and network') },
      changes: [{ state: 'silent' }, { state: 'ok' }],
      actions: ['try-again', 'picture'],
    });
    expect(disk).toMatchObject({ kind: 'disk', state: 'ok', alarm: false, advice: null, actions: [] });
    expect(await summary()).toEqual({ total: 2, alarms: 1, worst: 'silent' });
    const { body } = await api.call('GET', '/sites');
    expect(body['data']).toMatchObject([{ id: api.site.id, devices: { alarms: 1 } }]);
  });

  it('of a site that is away are not known, but for its link', async () => {
    await reportChanges({ state: 'silent' }, { kind: 'link', deviceId: 'site' });
    api.wait(MINUTE_MS);
    await connect(false);
    const away = api.now();
    expect(await devices()).toMatchObject([
      { kind: 'camera', state: 'unknown', since: away, alarm: false, lastKnown: { state: 'silent' } },
      { kind: 'link', state: 'unreachable', since: away, alarm: true },
    ]);
    expect(await summary()).toEqual({ total: 2, alarms: 1, worst: 'unreachable' });
  });

  it('that are taken away are forgotten', async () => {
    await reportChanges({ state: 'failing' });
    await reportChanges({ state: 'gone' });
    expect(await devices()).toEqual([]);
    expect(await summary()).toEqual({ total: 0, alarms: 0, worst: null });
  });

  it('do not gather changes without end', async () => {
    const states: DeviceState[] = Array.from({ length: 2 * KEPT_CHANGES }, (_, n) =>
      n % 2 === 0 ? 'ok' : 'silent',
    );
    await reportChanges(...states.map((state) => ({ state })));
    const kept = await api.db.read(async (q) => await q.select().from(deviceChangeTable));
    expect(kept).toHaveLength(KEPT_CHANGES);
    expect((await devices())[0]?.changes).toHaveLength(20);
  });

  it('of a site of the version before have no time of their own', async () => {
    await reportChanges({ state: 'clock-off' });
    expect((await devices())[0]).toMatchObject({ state: 'clock-off', since: api.now() });
  });

  it('are for operators only, and of a site that is there', async () => {
    const path = `/sites/${api.site.id}/devices`;
    const customer = await api.account('customer', { customerId: 'acme' });
    for (const token of [customer, await api.roleToken('kiosk'), `${api.site.id}.${api.site.secret}`]) {
      expect((await api.call('GET', path, { token })).status).toBe(403);
    }
    expect((await api.call('GET', path, { token: null })).status).toBe(401);
    expect((await api.call('GET', `/sites/${randomUUID()}/devices`)).status).toBe(404);
    const other = await api.addSite('Airport');
    await reportChanges({ state: 'silent' });
    const { body } = await api.call('GET', `/sites/${other.id}/devices`);
    expect(body['data']).toEqual([]);
  });
});

describe('integrators', () => {
  it('get one event each when an alarm is raised, changes and ends', async () => {
    await reportChanges(
      { state: 'unknown' },
      { state: 'ok' },
      { state: 'silent' },
      { state: 'silent', detail: 'still' },
    );
    await reportChanges({ state: 'failing' }, { state: 'ok' }, { state: 'ok' });
    const path = `/sites/${api.site.id}/devices`;
    expect(await integrationEvents()).toEqual([
      ['device.alarm', 'camera:in-1', path],
      ['device.alarm', 'camera:in-1', path],
      ['device.recovered', 'camera:in-1', path],
    ]);
  });
});

describe('a site that is away', () => {
  it('is an alarm after five minutes, which ends when it has been back for two', async () => {
    await reportChanges({ kind: 'link', deviceId: 'site' });
    await connect(false);
    api.wait(4 * MINUTE_MS);
    await run(linkWatchJob(api.db));
    expect(await integrationEvents()).toEqual([]);
    api.wait(2 * MINUTE_MS);
    const work = linkWatchJob(api.db);
    expect(await work.isDue?.(api.now())).toBe(true);
    for (const _ of ['once', 'and again']) await run(work);
    expect(await work.isDue?.(api.now())).toBe(false);
    await connect(true);
    api.wait(3 * MINUTE_MS);
    for (const _ of ['once', 'and again']) await run(work);
    expect((await integrationEvents()).map(([type, id]) => [type, id])).toEqual([
      ['device.alarm', 'link:site'],
      ['device.recovered', 'link:site'],
    ]);
    expect(await devices()).toMatchObject([{ kind: 'link', state: 'ok' }]);
  });

  it('is none when it never was here, or its secret is no longer good', async () => {
    await api.addSite('Airport');
    await connect(false);
    await api.call('DELETE', `/sites/${api.site.id}/credentials`);
    api.wait(HOUR_MS);
    expect(await linkWatchJob(api.db).isDue?.(api.now())).toBe(false);
  });
});

describe('mail of alarms', () => {
  const mailing = () =>
    alarmMailJob({ db: api.db, to: ['vakt@example.is', 'ops@example.is'], language: 'en' });
  const mails = async () => {
    const { body } = await api.call('GET', '/mail');
    return z
      .array(z.looseObject({ id: z.string(), to: z.string(), subject: z.string() }))
      .parse(body['data']);
  };

  it('lists all raised alarms once', async () => {
    await reportChanges(
      { state: 'silent', detail: 'nothing heard' },
      { kind: 'disk', deviceId: 'site', state: 'low' },
    );
    for (const _ of ['once', 'and again']) await run(mailing());
    const sent = await mails();
    expect(sent.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      ['ops@example.is', 'Harbour needs attention'],
      ['vakt@example.is', 'Harbour needs attention'],
    ]);
    const { body } = await api.call('GET', `/mail/${sent[0]?.id}`);
    expect(body['text']).toContain('Camera in-1: silent, since 2026-11-21T12:00:00.000Z');
    expect(body['text']).toContain('Disk: little space left');
    await reportChanges({ state: 'ok' }, { state: 'silent' });
    await run(mailing());
    expect(await mails()).toHaveLength(4);
  });

  it('names devices as people do, and by their ids where they have no name', async () => {
    await api.made('/cameras', {
      siteId: api.site.id,
      location: 'entrance',
      remoteId: 'in-2',
      name: 'North entrance',
    });
    await reportChanges(
      { state: 'silent', deviceId: 'in-2', name: 'Entrance 2' },
      { state: 'silent', deviceId: 'in-3', name: 'Entrance 3' },
      { state: 'silent', deviceId: 'in-4' },
      { state: 'failing', kind: 'gate', deviceId: 'out-1', name: 'Exit 1' },
      { state: 'unreachable', kind: 'terminal', deviceId: 'kiosk-1', name: 'Pay station' },
      { state: 'silent', kind: 'kiosk', deviceId: 'site' },
    );
    expect((await devices()).map(({ id, name }) => [id, name])).toContainEqual(['kiosk-1', 'Pay station']);
    await run(mailing());
    const [mail] = await mails();
    const { body } = await api.call('GET', `/mail/${mail?.id}`);
    const named = String(body['text']).match(/^[A-Z][^:\n(]*(?=: )/gm);
    expect(named?.sort()).toEqual([
      'Camera Entrance 3',
      'Camera North entrance',
      'Camera in-4',
      'Card terminal Pay station',
      'Gate Exit 1',
      'Kiosk screen',
    ]);
  });

  it('leaves out alarms that are old', async () => {
    await reportChanges({ state: 'silent' });
    api.wait(7 * HOUR_MS);
    expect(await mailing().isDue?.(api.now())).toBe(false);
  });
});
