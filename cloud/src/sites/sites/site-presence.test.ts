import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestBus } from '../../../test/bus.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { type Actor, ALL_RIGHTS } from '../../platform/http/caller.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { createSite } from './change/change-sites.ts';
import { SitePresence } from './site-presence.ts';

const CONNECTED_AT = '2026-11-21T12:00:00.000Z';
const [FIRST_EPOCH, SECOND_EPOCH] = [randomUUID(), randomUUID()];
const OPERATOR: Actor = {
  caller: {
    kind: 'account',
    accountId: 'a1',
    role: 'operator',
    customerId: null,
    tokenId: 't1',
    rights: ALL_RIGHTS,
  },
  at: CONNECTED_AT,
  requestId: 'test',
};

let folder: string;
let db: Db;
let bus: TestBus;
let presence: SitePresence;
let siteId: string;
let now: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-presence-'));
  db = await openDb(join(folder, 'cloud.db'));
  bus = new TestBus();
  now = CONNECTED_AT;
  const clock = { now: () => new Date(now) };
  presence = new SitePresence({ db, bus, clock, log: pino({ level: 'silent' }), isOnlyOne: false });
  await presence.start();
  const settings = SiteSettingsSchema.parse({});
  const fields = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings };
  siteId = (await createSite(db, OPERATOR, fields)).site.id;
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const here = (fields: object = {}) => ({
  v: PROTOCOL_VERSION,
  online: true,
  epoch: FIRST_EPOCH,
  seq: 10,
  acknowledged: 10,
  feedAt: 3,
  feedMark: null,
  software: 'hlid-edge/test',
  at: CONNECTED_AT,
  ...fields,
});

async function known() {
  await presence.stop();
  return db.read((q) => readPresence(q, siteId));
}

it('a presence from the start of the connection does not overwrite later reports of the site', async () => {
  bus.deliver(siteId, 'presence', here());
  bus.deliver(siteId, 'down/ack', { v: PROTOCOL_VERSION, n: 250, hash: EMPTY_HASH });
  await presence.stop();
  now = '2026-11-21T13:00:00.000Z';
  bus.deliver(siteId, 'presence', here(), { retained: true });
  expect(await known()).toMatchObject({ connected: true, since: CONNECTED_AT, seq: 10, feedAt: 250 });
});

it('what the site says itself stands, be it less than before: its disk may be an older one', async () => {
  bus.deliver(siteId, 'presence', here({ feedAt: 250 }));
  await presence.stop();
  bus.deliver(siteId, 'presence', here({ feedAt: 100 }));
  expect(await known()).toMatchObject({ feedAt: 100 });
});

it('a presence retained of another epoch is the site that is there now', async () => {
  bus.deliver(siteId, 'presence', here({ feedAt: 250, seq: 900 }));
  await presence.stop();
  bus.deliver(siteId, 'presence', here({ epoch: SECOND_EPOCH, seq: 2 }), { retained: true });
  expect(await known()).toMatchObject({ epoch: SECOND_EPOCH, seq: 2, feedAt: 3 });
});

it('a retained presence reports a site that connected while no cloud was there', async () => {
  bus.deliver(siteId, 'presence', here(), { retained: true });
  expect(await known()).toMatchObject({ connected: true, since: CONNECTED_AT, seq: 10, feedAt: 3 });
});

it('measures the clock of a site when it connects, and never by a presence of long ago', async () => {
  bus.deliver(siteId, 'presence', here({ at: '2026-11-21T11:44:00.000Z' }));
  expect(await known()).toMatchObject({ clockAheadMs: -16 * MINUTE_MS });
  now = '2026-11-21T13:00:00.000Z';
  bus.deliver(siteId, 'presence', here({ at: '2026-11-21T11:44:00.000Z' }), { retained: true });
  expect(await known()).toMatchObject({ clockAheadMs: -16 * MINUTE_MS });
});
