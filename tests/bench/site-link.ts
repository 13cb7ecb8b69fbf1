import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteCore } from '@hlid/edge/daemon/site-core';
import { GroupCommit } from '@hlid/edge/db/group-commit';
import { openSiteDb } from '@hlid/edge/db/site-db';
import { NO_LOOP } from '@hlid/edge/loop/loop-source';
import { EventLog } from '@hlid/edge/outbox/event-log';
import { RetentionSchema } from '@hlid/edge/retention/retention-config';
import { CameraSettingsSchema, SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { MAX_BATCH_EVENTS } from '@hlid/protocol/site-link/envelope';
import Database from 'libsql';
import { pino } from 'pino';
import { startCloud } from '../harness/cloud-program.ts';
import { edgeDocument, fourLanes } from '../harness/edge-document.ts';
import { startEdge } from '../harness/edge-program.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn } from '../harness/operator.ts';
import { createSite, registerCameras } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { plateOf } from './bench-plates.ts';

/** A full outbox on its way into the cloud, until the cloud has committed and acknowledged it. */
export interface LinkBench {
  visits: number;
  events: number;
  visitsPerSecond: number;
  floorVisitsPerSecond: number;
}

const SITE = { name: 'Bench', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
/** The tables that the events of a visit fill in the cloud. */
const TABLES = ['visit', 'visit_step', 'photo', 'passage_decision', 'gate_movement', 'integration_event'];

export async function benchLink(visits: number): Promise<LinkBench> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-'));
  const folders = { cloud: join(folder, 'cloud'), edge: join(folder, 'edge') };
  const lanes = fourLanes(newSecret);
  const operator = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const cloud = await startCloud({
    folder: folders.cloud,
    apiKey,
    operator,
    env: { HLID_LOG_LEVEL: 'warn' },
  });
  try {
    const access = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operator });
    const site = await createSite(access, SITE);
    await registerCameras(access, site.siteId, lanes);
    await mkdir(folders.edge);
    const events = await fillOutbox(folders.edge, lanes, visits);
    const edge = await startEdge({
      folder: folders.edge,
      document: edgeDocument({
        site: SITE,
        lanes,
        relayUrl: 'http://127.0.0.1:9',
        cloud: { httpUrl: cloud.httpUrl(), mqttUrl: cloud.mqttUrl(), ...site },
      }),
      env: { HLID_LOG_LEVEL: 'warn' },
    });
    const acknowledged = async () => {
      const { link } = (await (await fetch(new URL('/health', edge.localUrl()))).json()) as {
        link: { acknowledged: number };
      };
      return link.acknowledged;
    };
    const early = await waitFor(acknowledged, { what: 'the first acknowledgement', withinMs: 30_000 });
    const from = performance.now();
    await waitFor(async () => (await acknowledged()) >= events, {
      what: 'the cloud to have everything',
      withinMs: 120_000,
    });
    const seconds = (performance.now() - from) / 1000;
    const visitsPerSecond = (visits * (events - early)) / events / seconds;
    await edge.stop();
    await cloud.stop();
    const floorVisitsPerSecond = insertBare(join(folders.cloud, 'cloud.db'), join(folder, 'bare.db'), {
      visits,
      batches: Math.ceil(events / MAX_BATCH_EVENTS),
    });
    return { visits, events, visitsPerSecond, floorVisitsPerSecond };
  } finally {
    await cloud.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Cars in and out, as the daemon itself writes them down; returns how many events that made. */
async function fillOutbox(
  folder: string,
  lanes: ReturnType<typeof fourLanes>,
  visits: number,
): Promise<number> {
  const db = openSiteDb(join(folder, 'site.sqlite'));
  db.pragma('synchronous = OFF');
  let time = Date.parse('2026-01-05T08:00:00.000Z');
  const clock = { now: () => new Date(time) };
  const commit = new GroupCommit(db);
  const log = pino({ enabled: false });
  const core = new SiteCore(
    { db, commit, events: EventLog.open({ db, commit }), clock, log },
    {
      config: {
        site: { ...SITE, settings: SiteSettingsSchema.parse({}) },
        lanes: lanes.map(({ id, name, direction }) => ({
          id,
          name,
          direction,
          gate: {
            kind: 'http',
            mode: 'pulse',
            open: NOWHERE,
            releaseAfterMs: 1000,
            timeoutMs: 500,
            keepAlive: false,
          },
        })),
        cameras: lanes.map(({ id, cameraId, token }) => ({
          id: cameraId,
          lane: id,
          token,
          directionReliable: false,
          opensOnGroup: false,
          settings: CameraSettingsSchema.parse({}),
        })),
        retention: RetentionSchema.parse({}),
      },
      devices: new Map(
        lanes.map(({ id }) => [
          id,
          { gate: { pulse: async () => 'done' }, loops: { arrival: NO_LOOP, passed: NO_LOOP } },
        ]),
      ),
      cameraClocks: { clockBehindMs: () => 0, inDoubt: () => false, shift: () => undefined },
      deletePictures: async () => undefined,
    },
  );
  core.start();
  for (let visit = 0; visit < visits; visit++) {
    const plate = plateOf(visit);
    for (const cameraId of ['cam-in-1', 'cam-out-1']) {
      time += 9000;
      const read = {
        ...READ,
        plate,
        plateRaw: plate,
        eventKey: `${cameraId}-${visit}`,
        candidates: [{ plate, score: 0.95 }],
      };
      await core.reads.handle(
        cameraId,
        { kind: 'bench', reads: [read], heartbeat: false, pictures: [] },
        new Date(time),
      );
    }
  }
  await core.commit.run(() => undefined);
  await core.commit.run(() => undefined);
  const events = EventLog.open({ db, commit: new GroupCommit(db) }).lastSeq();
  db.close();
  return events;
}

const NOWHERE = { method: 'POST' as const, url: 'http://127.0.0.1:9/', headers: {}, body: '' };
const READ = {
  score: 0.95,
  country: 'IS',
  direction: 'unknown' as const,
  capturedAt: null,
  relatedKeys: [],
  late: false,
  parked: false,
};

/** libSQL reads a BLOB as an ArrayBuffer, and binds only a Buffer. */
function bindable(value: unknown): unknown {
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

/** The floor: the very rows that the cloud made, put by bare libSQL into the same tables, in as many transactions. */
function insertBare(
  cloudPath: string,
  path: string,
  { visits, batches }: { visits: number; batches: number },
): number {
  const cloud = new Database(cloudPath);
  const bare = new Database(path);
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  const names = TABLES.map((table) => `'${table}'`).join(', ');
  const schema = cloud
    .prepare(
      `SELECT sql FROM sqlite_master WHERE tbl_name IN (${names}) AND sql IS NOT NULL ORDER BY type DESC`,
    )
    .all() as { sql: string }[];
  for (const { sql } of schema) bare.exec(sql);
  const rows = TABLES.flatMap((table) => {
    const found = cloud.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all() as Record<string, unknown>[];
    const columns = Object.keys(found[0] ?? {});
    const insert = bare.prepare(
      `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    return found.map((row, at) => ({
      at: at / found.length,
      insert,
      values: Object.values(row).map(bindable),
    }));
  }).sort((a, b) => a.at - b.at);
  cloud.close();
  const perBatch = Math.ceil(rows.length / batches);
  const from = performance.now();
  for (let start = 0; start < rows.length; start += perBatch) {
    bare.exec('BEGIN IMMEDIATE');
    for (const { insert, values } of rows.slice(start, start + perBatch)) insert.run(...values);
    bare.exec('COMMIT');
  }
  const seconds = (performance.now() - from) / 1000;
  bare.close();
  return visits / seconds;
}
