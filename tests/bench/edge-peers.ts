import { join } from 'node:path';
import { openSiteDb } from '@hlid/edge/db/site-db';
import { PermitStore } from '@hlid/edge/site-lists/permit-store';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { startEdge } from '../harness/edge-program.ts';
import type { BenchBroker } from './bench-broker.ts';
import { benchPermit, plateOf } from './bench-plates.ts';
import { startFloorProgram } from './floor-program.ts';
import type { TimedGates } from './gate-times.ts';

/** A program that takes cameras' documents and moves gates: ours, or one to compare it with. */
export interface EdgePeer {
  name: string;
  /** The address to which cameras post. */
  url(): string;
  pid(): number;
  /** Whether the broker has received that many cars: a peer must not postpone it. */
  hasSent(cars: number): boolean | Promise<boolean>;
  stop(): Promise<void>;
}

/** Our daemon, which can be started again. */
export interface OurEdge extends EdgePeer {
  start(): Promise<void>;
}

const SITE = {
  name: 'Bench',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: { passageWindowMs: 100 },
};
const LinkSchema = z.object({ link: z.object({ seq: z.number(), acknowledged: z.number() }) });

export async function startOurs(plan: {
  folder: string;
  permits: number;
  gates: TimedGates;
  broker: BenchBroker;
}): Promise<OurEdge> {
  const { folder, permits, gates, broker } = plan;
  const siteId = `bench-${permits}`;
  // No server answers over HTTP: there is nothing to fetch.
  const cloud = { httpUrl: 'http://127.0.0.1:9', mqttUrl: broker.url, siteId, secret: 'not asked for' };
  const document = gates.document(SITE, cloud);
  const edge = await startEdge({ folder, document, env: { HLID_LOG_LEVEL: 'error' } });
  await edge.stop();
  const db = openSiteDb(join(folder, 'site.sqlite'));
  const list = new PermitStore(db);
  db.transaction(() => {
    for (let permit = 0; permit < permits; permit++) list.put(benchPermit(permit));
  })();
  db.close();
  await edge.restart();
  return {
    name: 'ours',
    url: edge.cameraUrl,
    pid: () => edge.pid() ?? 0,
    async hasSent(cars) {
      const answer = await fetch(new URL('/health', edge.localUrl()));
      const { link } = LinkSchema.parse(await answer.json());
      return link.seq === link.acknowledged && link.seq > cars;
    },
    start: async () => void (await edge.start()),
    stop: async () => void (await edge.stop()),
  };
}

/** The permits as floor and Node-RED look them up. */
export function writePlates(path: string, permits: number): void {
  const db = new Database(path);
  db.exec('CREATE TABLE permit (plate TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO permit VALUES (?)');
  db.transaction(() => {
    for (let permit = 0; permit < permits; permit++) insert.run(plateOf(permit));
  })();
  db.close();
}

/** The plan for a program that is not ours. */
export interface BarePlan {
  /** A folder for the program's own files. */
  folder: string;
  /** The database that `writePlates` has written. */
  dbPath: string;
  relayUrl: string;
  broker: BenchBroker;
}

export async function startFloor(plan: BarePlan): Promise<EdgePeer> {
  const { dbPath, relayUrl, broker } = plan;
  const { url, pid, stop } = await startFloorProgram('floor-edge.ts', [dbPath, relayUrl, broker.url]);
  const hasSent = (cars: number) => broker.received('floor/up').messages === cars;
  return { name: 'floor', url: () => url, pid: () => pid, hasSent, stop };
}
