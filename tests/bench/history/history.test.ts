import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch } from '@hlid/cloud/integration/ingest/apply-batch';
import { readBatch } from '@hlid/cloud/integration/ingest/read-batch';
import { takePicture } from '@hlid/cloud/stays/photos/store-picture';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { jpeg } from '@hlid/edge/test/sample-pictures';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readableValue } from './compact-values.ts';
import { Country, type CountryPlan, PAID_DAYS } from './country.ts';
import { driveMolds, type MoldSet } from './drive-molds.ts';
import { type FilledHistory, fillHistory, type World } from './fill-history.ts';
import { makeWorld } from './make-world.ts';
import type { Rows } from './sample-site.ts';

const PLAN: CountryPlan = {
  visits: 120,
  sites: 3,
  companyCars: 12,
  days: 10,
  seed: 7,
  until: Date.parse('2026-11-20T15:00:00.000Z'),
};

describe('a generated history', () => {
  let molds: MoldSet;
  let api: TestApi;
  let world: World;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-history-'));
    molds = await driveMolds();
    api = await createTestApi();
    const call = async (method: string, path: string, body: object | string) => {
      if (typeof body === 'object' && path !== '/sites') return await api.made(path, body);
      const headers = typeof body === 'string' ? { 'content-type': 'text/csv' } : {};
      const options = { body: typeof body === 'string' ? Buffer.from(body) : body, headers };
      return (await api.call(method, path, options)).body;
    };
    world = await makeWorld(call, api.dbPath, new Country(PLAN));
    new Database(api.dbPath, { readonly: true }).exec(`VACUUM INTO '${join(folder, 'world.db')}'`);
  });
  afterAll(async () => {
    await api?.close();
    rmSync(folder, { recursive: true });
  });

  function fill(name: string, given: Partial<Parameters<typeof fillHistory>[2]> = {}) {
    const path = join(folder, name);
    copyFileSync(join(folder, 'world.db'), path);
    return { path, filled: fillHistory(path, PLAN, { molds, world, ...given }) };
  }

  it('has the rows that the cloud writes when the sites send the same visits', async () => {
    // A visit that begins in the cloud is no event of a site.
    const bySites = { ...molds, online: molds.kiosk, void: molds.owner };
    const events: SiteEvent[][] = world.sites.map(() => []);
    const { path } = fill('by-sites.db', {
      molds: bySites,
      onVisit: (site, sent) => {
        for (const { at, body } of sent) {
          const ofSite = events[site] ?? [];
          ofSite.push({ seq: ofSite.length + 1, at, body: JSON.parse(body) });
        }
      },
    });
    await send(api, world, events);
    const generated = rowsOf(path, world, events);
    expect(generated['visit']).toHaveLength(PLAN.visits);
    expect(generated['invoice']?.length).toBeGreaterThan(PLAN.visits / 3);
    expect(generated).toEqual(rowsOf(api.dbPath, world, events));
  });

  describe('of all kinds', () => {
    let path: string;
    let filled: FilledHistory;
    beforeAll(() => {
      ({ path, filled } = fill('all.db'));
    });

    it('is the same for the same seed', () => {
      const again = fill('again.db');
      expect(rowsOf(again.path, world)).toEqual(rowsOf(path, world));
    });

    it('agrees with its books', () => {
      const db = new Database(path, { readonly: true });
      const value = (sql: string) => db.prepare(sql).pluck().get();
      expect(value('SELECT count(*) FROM visit')).toBe(PLAN.visits);
      expect(value('SELECT count(*) FROM visit WHERE ended_at IS NULL')).toBe(filled.inside);
      expect(filled.inside).toBeGreaterThan(0);
      expect(value('SELECT sum(committed) FROM event_cursor')).toBe(filled.events);
      const issued = 'FROM invoice WHERE number IS NOT NULL';
      expect(value(`SELECT max(number) ${issued}`)).toBe(value(`SELECT count(*) ${issued}`));
      expect(value('SELECT last FROM invoice_series')).toBe(value(`SELECT count(*) ${issued}`));
      expect(value('SELECT sum(invoices) FROM income')).toBe(value(`SELECT count(*) ${issued}`));
      expect(value('SELECT sum(amount_minor) FROM income')).toBe(value(`SELECT sum(amount_minor) ${issued}`));
      const heads = "SELECT scope FROM feed_head WHERE scope <> '*'";
      const last = '(SELECT max(n) FROM feed_change WHERE site_id = scope)';
      expect(value(`${heads} AND n <> ${last}`)).toBeUndefined();
      const twice = `SELECT plate FROM visit v WHERE EXISTS (SELECT 1 FROM visit o WHERE o.plate = v.plate AND o.id <> v.id
        AND o.started_at <= coalesce(v.ended_at, '9') AND coalesce(o.ended_at, '9') >= v.started_at)`;
      expect(value(twice)).toBeUndefined();
      expect(db.pragma('foreign_key_check')).toEqual([]);
      db.close();
    });
  });

  it('has cars at all hours, more on working days than on Sundays, as many as were wanted', () => {
    const year: CountryPlan = { ...PLAN, visits: 20_000, sites: 40, companyCars: 100, days: 364 };
    const stays = [...new Country(year).days()].flat();
    expect(stays).toHaveLength(year.visits);
    const ofWeekday = (day: number) => stays.filter(({ startMs }) => new Date(startMs).getUTCDay() === day);
    expect(ofWeekday(3).length).toBeGreaterThan(ofWeekday(0).length * 1.1);
    expect(new Set(stays.map(({ startMs }) => new Date(startMs).getUTCHours())).size).toBe(24);
    const visitsOf = new Map<number, number>();
    for (const { car } of stays) visitsOf.set(car, (visitsOf.get(car) ?? 0) + 1);
    const counts = [...visitsOf.values()];
    // Regulars, and cars that come once.
    expect(Math.max(...counts)).toBeGreaterThan(30);
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(counts.length / 3);
    expect(stays.every(({ kind, days }) => PAID_DAYS[kind].includes(days))).toBe(true);
    expect(stays.every(({ startMs, endMs, days }) => Math.ceil((endMs - startMs) / DAY_MS) === days)).toBe(
      true,
    );
  });
});

/** Each event at its time, and each picture after its read, as they came while the molds were driven. */
async function send(api: TestApi, world: World, events: readonly SiteEvent[][]): Promise<void> {
  for (const [site, { id: siteId, epoch }] of world.sites.entries()) {
    for (const event of events[site] ?? []) {
      const clock = { now: () => new Date(event.at) };
      const batch = readBatch(Buffer.from(JSON.stringify({ v: 1, epoch, events: [event] })));
      if (!batch.ok) throw new Error(batch.reason);
      const { rejected } = await applyBatch(api.db, clock, { siteId, ...batch });
      expect(rejected).toEqual([]);
      const read = event.body.type === 'passage.decided' ? event.body.read : undefined;
      if (read === undefined || read === null) continue;
      const picture = { contentType: 'image/jpeg', bytes: new Uint8Array(jpeg(read.plate ?? '')) } as const;
      await takePicture({ ...api.context, clock }, { siteId, readId: read.id, kind: 'vehicle', picture });
    }
  }
}

/** All rows but those about the world itself, without what is random or a number in the order of arrival. */
function rowsOf(path: string, world: World, sent: readonly (readonly SiteEvent[])[] = []): Rows {
  const db = new Database(path, { readonly: true });
  const texts = [
    JSON.stringify([world.sites, sent]),
    world.product,
    world.operator,
    ...world.permits.values(),
  ];
  const known = new Set(texts.join().match(ID));
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const rows: Rows = {};
  for (const name of names.filter((table) => !OF_THE_WORLD.has(table))) {
    const ofTable = db.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[];
    rows[name] = ofTable
      .map((row) => plain(name, row, known))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  db.close();
  return rows;
}

/** Tables that sites and their visits do not write; `site_presence` comes with a connection. */
const OF_THE_WORLD = new Set([
  'account',
  'api_key',
  'audit',
  'camera',
  'custodian',
  'customer',
  'feed_item',
  'job',
  'login',
  'product',
  'product_version',
  'server_secret',
  'site',
  'site_presence',
  'token',
  'vehicle',
  'whitelist_entry',
  'zone',
  // Names of sites on invoices: the cloud numbers them by order of arrival, the generator has one.
  'invoice_snapshot',
  'sqlite_sequence',
  'loose_picture',
  'idempotency_key',
  '__drizzle_migrations',
]);
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** @param known ids that are the same each time; the others are made by the cloud, when it gets an event */
function plain(
  table: string,
  row: Record<string, unknown>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const columns = Object.entries(row).filter(([column]) => !IN_ORDER.has(`${table}.${column}`));
  return Object.fromEntries(
    columns.map(([column, value]) => {
      if (column === 'receipt_key' && value !== null) return [column, 'random'];
      const text = readableValue(table, column, value);
      if (typeof text !== 'string') return [column, text];
      const shown = text.replace(ID, (id) => (known.has(id) ? id : 'random'));
      return [column, shown.replaceAll(/"placeId":\d+/g, '"placeId":"by arrival"')];
    }),
  );
}

/** Numbers by order of arrival, and what is only known of a real connection. */
const IN_ORDER = new Set([
  'integration_event.n',
  'visit_step.id',
  'invoice.number',
  'event_cursor.digest',
  'event_cursor.at',
  'feed_change.mark',
]);
