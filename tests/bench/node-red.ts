import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../harness/wait.ts';
import type { BarePlan, EdgePeer } from './edge-peers.ts';
import { freePort, installPeer } from './peer-program.ts';

const HOME = fileURLToPath(new URL('node-red', import.meta.url));
const PROGRAM = join(HOME, 'node_modules/node-red/red.js');
const SQLITE = join(HOME, 'node_modules/sqlite3/build/Release/node_sqlite3.node');

export function nodeRedIsInstalled(): boolean {
  return existsSync(PROGRAM) && existsSync(SQLITE);
}

/** Fetches Node-RED and its SQLite node into `tests/bench/node-red/node_modules`, where nothing else looks. */
export function installNodeRed(): void {
  installPeer('Node-RED', HOME, nodeRedIsInstalled);
}

/**
 * Node-RED with the flow of `node-red/flows.json`, which names what it leaves out. It looks the plate up,
 * stores the decision as durably as ours, switches the relay by HTTP and informs the cloud by MQTT. It is
 * lean: it has no editor and no log.
 */
export async function startNodeRed({ folder, dbPath, relayUrl, broker }: BarePlan): Promise<EdgePeer> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  await copyFile(join(HOME, 'flows.json'), join(folder, 'flows.json'));
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: port,
    flowFile: 'flows.json',
    httpAdminRoot: false,
    disableEditor: true,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'error', metrics: false, audit: false } },
  };
  const settingsFile = join(folder, 'settings.cjs');
  await writeFile(settingsFile, `module.exports = ${JSON.stringify(settings)};\n`);
  const child = spawn(process.execPath, [PROGRAM, '--userDir', folder, '--settings', settingsFile], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      HLID_BENCH_DB: dbPath,
      HLID_BENCH_RELAY: relayUrl,
      HLID_BENCH_MQTT_PORT: new URL(broker.url).port,
    },
  });
  const gone = once(child, 'close');
  const stop = async () => {
    child.kill();
    await gone;
  };
  const ready = () => {
    if (child.exitCode !== null) throw new Error('Node-RED has ended');
    return broker.received('node-red/ready').last || null;
  };
  const durable = await waitFor(ready, { what: 'Node-RED', withinMs: READY_WITHIN_MS }).catch(String);
  if (durable !== DURABLE) {
    await stop();
    throw new Error(`Node-RED did not start, or would not write as durably as we do: ${durable}`);
  }
  return {
    name: 'Node-RED',
    url: () => `http://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    hasSent: (cars) => broker.received('node-red/up').messages === cars,
    stop,
  };
}
const READY_WITHIN_MS = 60_000;
const DURABLE = '[{"journal_mode":"wal","synchronous":2}]';
