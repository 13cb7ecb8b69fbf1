import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openSiteDb } from '@hlid/edge/db/site-db';
import { foldPlate } from '@hlid/protocol/plate';
import { Aedes } from 'aedes';
import Database from 'better-sqlite3';
import { startEdge } from '../stage/edge-program.ts';
import { plateOf } from './bench-plates.ts';
import { type LoadResult, median, postJson, runLoad } from './load.ts';

/** A decision at the edge, from the camera's document going in to the relay's request coming out. */
export interface DecisionBench {
  permits: number;
  connections: number;
  ours: LoadResult;
  floor: LoadResult;
}

const LANES = 10;
const ROUNDS = 3000;
const REPEATS = 3;
const TOKEN = 'bench-token-bench';

/** Measures our edge daemon and the floor in turns, with a list of so many permits. */
export async function benchDecision(permits: number, connections: number): Promise<DecisionBench> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-'));
  const relay = await startCountingRelay();
  const broker = await startBroker();
  const edge = await startOurs(join(folder, 'edge'), permits, relay.url);
  const floor = await startFloor(join(folder, 'floor.sqlite'), permits, relay.url, broker.url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let made = 0;
  const load = (url: string) =>
    runLoad(connections, ROUNDS, async (connection) => {
      const lane = `in-${connection % LANES}`;
      const opened = relay.nextOpening(lane);
      const target = new URL(`${url}/cameras/cam-${lane}/open-alpr?token=${TOKEN}`);
      const status = await postJson(target, document(plateOf(made), made++), agent);
      if (status !== 200) throw new Error(`the document was answered with ${status}`);
      await opened;
    });
  try {
    const ours: LoadResult[] = [];
    const bare: LoadResult[] = [];
    await load(edge.cameraUrl());
    await load(floor.url);
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      ours.push(await load(edge.cameraUrl()));
      bare.push(await load(floor.url));
    }
    return { permits, connections, ours: median(ours), floor: median(bare) };
  } finally {
    agent.destroy();
    await edge.stop();
    await floor.stop();
    await broker.stop();
    relay.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function document(plate: string, number: number): string {
  const now = Date.now();
  const candidates = [
    { plate, confidence: 93.1, matches_template: 0 },
    { plate: `${plate}1`, confidence: 81.4, matches_template: 0 },
  ];
  return JSON.stringify({
    version: 2,
    data_type: 'alpr_results',
    epoch_time: now,
    uuid: `BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH-1-${now}-${number}`,
    camera_id: 1,
    agent_uid: 'BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH',
    img_width: 1280,
    img_height: 720,
    processing_time_ms: 58.6,
    regions_of_interest: [{ x: 0, y: 0, width: 1280, height: 720 }],
    results: [
      {
        plate,
        confidence: 93.1,
        matches_template: 0,
        plate_index: 0,
        region: 'is',
        region_confidence: 88,
        processing_time_ms: 12.3,
        requested_topn: 10,
        coordinates: [
          { x: 682, y: 342 },
          { x: 805, y: 346 },
          { x: 801, y: 400 },
          { x: 680, y: 396 },
        ],
        candidates,
      },
    ],
  });
}

async function startOurs(folder: string, permits: number, relayUrl: string) {
  const lanes = Array.from({ length: LANES }, (_unused, lane) => `in-${lane}`);
  const document = {
    site: { name: 'Bench', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} },
    cameras: lanes.map((lane) => ({ id: `cam-${lane}`, lane, token: TOKEN })),
    lanes: lanes.map((lane) => ({
      id: lane,
      name: lane,
      direction: 'entry',
      gate: {
        kind: 'http',
        mode: 'pulse',
        open: { method: 'POST', url: `${relayUrl}/${lane}` },
        timeoutMs: 5000,
      },
    })),
  };
  const edge = await startEdge({ folder, document, env: { HLID_LOG_LEVEL: 'warn' } });
  await edge.stop();
  const db = openSiteDb(join(folder, 'site.sqlite'));
  const insert = db.prepare('INSERT INTO permit (id, plate_key, body) VALUES (?, ?, ?)');
  db.transaction(() => {
    for (let permit = 0; permit < permits; permit++) {
      const plate = plateOf(permit);
      const body = { id: `p${permit}`, plate, ...PERMIT };
      insert.run(body.id, foldPlate(plate), JSON.stringify(body));
    }
  })();
  db.close();
  await edge.restart();
  return edge;
}

const PERMIT = {
  effect: 'allow',
  type: 'permanent',
  visitId: null,
  activeFrom: null,
  expireAt: null,
  status: 'active',
  rules: [],
};

async function startFloor(path: string, permits: number, relayUrl: string, mqttUrl: string) {
  const db = new Database(path);
  db.exec('CREATE TABLE permit (plate TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO permit VALUES (?)');
  db.transaction(() => {
    for (let permit = 0; permit < permits; permit++) insert.run(plateOf(permit));
  })();
  db.close();
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', 'tests/bench/floor-edge.ts', path, relayUrl, mqttUrl],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (!child.stdout) throw new Error('unreachable: a pipe');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { port } = JSON.parse(String(line));
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** Resolves who waits for a lane when its relay is asked; the path is the lane. */
async function startCountingRelay() {
  const waiting = new Map<string, (() => void)[]>();
  const server = http.createServer((request, response) => {
    response.end();
    waiting.get((request.url ?? '').slice(1))?.shift()?.();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextOpening: (lane: string) =>
      new Promise<void>((resolve) => waiting.set(lane, [...(waiting.get(lane) ?? []), resolve])),
    stop: () => server.close(),
  };
}

async function startBroker() {
  const broker = await Aedes.createBroker();
  const server = createServer(broker.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      await new Promise<void>((resolve) => broker.close(resolve));
      server.close();
    },
  };
}
