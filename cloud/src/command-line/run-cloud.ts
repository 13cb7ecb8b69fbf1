import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { EVENTS } from '../events.ts';
import { createLog } from '../log.ts';

export const runCloud = defineCommand({
  name: '',
  summary: 'Run the cloud until it is stopped (SIGTERM or Ctrl-C)',
  isService: true,
  examples: ['', 'HLID_CLOUD_PORT=0'],
  async run(_given, { environment, complain }) {
    const config = readConfig(environment);
    const log = createLog(config.logLevel);
    // Help and config check need not load what the cloud is made of.
    const { createCloud } = await import('../cloud.ts');
    const cloud = createCloud(config, { log, clock: systemClock, showOnce: complain });
    const asked = new Promise<string>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
    });
    const { httpUrl, mqttUrl } = await cloud.start();
    // Whoever started the program waits for this line, at whatever level it logs.
    log.child({}, { level: 'info' }).info({ event: EVENTS.ready, httpUrl, mqttUrl, dataDir: config.dataDir });
    log.info({ event: EVENTS.stopping, signal: await asked });
    await cloud.stop();
    log.info({ event: EVENTS.stopped });
    return EXIT.done;
  },
});
