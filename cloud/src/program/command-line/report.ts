import { systemClock } from '@hlid/node/clock';
import { fetchErrorCause } from '@hlid/node/errors';
import { configurationOutline, journalWarnings, machineOutline } from '@hlid/node/support-report';
import { messageOf } from '@hlid/protocol/base/fault';
import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { type CloudConfig, configPath, readConfig } from '../../platform/config.ts';
import { SOFTWARE } from '../../platform/software.ts';

const MONITOR_MS = 10_000;

export const report = defineCommand({
  name: 'report',
  summary: 'Print what support needs: versions, health, sizes, warnings; no plates, names or secrets',
  about:
    'JSON. Read it before you send it. It also works while no cloud runs. Health needs `monitor` in the configuration. Of the configuration it has the keys, numbers and switches, and of addresses only the host.',
  examples: ['report > report.json'],
  async run(_given, { environment, print }) {
    const config = readConfig(environment);
    const content = {
      at: systemClock.now().toISOString(),
      software: SOFTWARE,
      machine: machineOutline(config.dataDir),
      configuration: configurationOutline(configPath(environment)),
      health: await readHealth(config.monitor),
      warnings: journalWarnings('hlid-cloud'),
    };
    print(JSON.stringify(content, null, 2));
    return EXIT.done;
  },
});

/** The cloud's own word; a text where there is none. */
async function readHealth(monitor: CloudConfig['monitor']): Promise<unknown> {
  if (monitor === null) return 'not configured (monitor)';
  const url = `http://${monitor.host}:${monitor.port}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MONITOR_MS) });
    return await response.json();
  } catch (error) {
    return `${url} does not answer: ${messageOf(fetchErrorCause(error))}`;
  }
}
