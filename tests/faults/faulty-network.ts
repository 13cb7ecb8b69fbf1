import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Network, startNetwork } from '../harness/network.ts';
import { type FaultyLine, startFaultyLine } from './faulty-line.ts';

/** A cloud and a site whose MQTT runs through a line that can be cut, with data that a test can look into. */
export interface FaultyNetwork {
  network: Network;
  line: FaultyLine;
  folders: { cloud: string; edge: string };
  stop(): Promise<void>;
}

/** Cuts follow each other faster here than anywhere else: the site is back in time for the next one. */
const MAX_RECONNECT_MS = 200;

/** @param given `mqttUrl`: another broker than the cloud's own */
export async function startFaultyNetwork(
  given: { cloudEnv?: Record<string, string>; edgeEnv?: Record<string, string>; mqttUrl?: string } = {},
): Promise<FaultyNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-faults-'));
  const folders = { cloud: join(folder, 'cloud'), edge: join(folder, 'edge') };
  const line = await startFaultyLine();
  const network = await startNetwork({
    cloudEnv: { HLID_DATA_DIR: folders.cloud, ...given.cloudEnv },
    edgeEnv: { HLID_DATA_DIR: folders.edge, ...given.edgeEnv },
    cloudLink: { maxReconnectMs: MAX_RECONNECT_MS },
    mqttLine: (mqttUrl) => line.to(given.mqttUrl ?? mqttUrl),
  }).catch(async (error: unknown) => {
    await line.stop();
    throw error;
  });
  return {
    network,
    line,
    folders,
    async stop() {
      await network.stop();
      await line.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
