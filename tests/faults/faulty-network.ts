import { type Network, type NetworkOptions, startNetwork } from '../harness/network.ts';
import { type FaultyLine, startFaultyLine } from './faulty-line.ts';
import { QUICK_CARS } from './steady-traffic.ts';

/** A network with a line between site and broker that a test can cut. */
export interface FaultyNetwork extends Network {
  readonly line: FaultyLine;
}

/** Cuts follow each other faster here than anywhere else: the site is back in time for the next one. */
const MAX_RECONNECT_MS = 200;

/** @param options `mqttUrl`: another broker than the cloud's own */
export async function startFaultyNetwork({
  mqttUrl,
  ...options
}: Pick<NetworkOptions, 'cloudEnv' | 'edgeEnv' | 'settings' | 'terminal'> & {
  mqttUrl?: string;
} = {}): Promise<FaultyNetwork> {
  const line = await startFaultyLine();
  const network = await startNetwork({
    ...options,
    settings: { ...QUICK_CARS, ...options.settings },
    cloudLink: { maxReconnectMs: MAX_RECONNECT_MS },
    mqttLine: (ownUrl) => line.to(mqttUrl ?? ownUrl),
  }).catch(async (error: unknown) => {
    await line.stop();
    throw error;
  });
  return {
    ...network,
    line,
    async stop() {
      await network.stop();
      await line.stop();
    },
  };
}
