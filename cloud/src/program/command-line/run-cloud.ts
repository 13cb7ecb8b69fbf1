import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { stopSignal } from '@hlid/node/stop-signal';
import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { readConfig } from '../../platform/config.ts';
import { EVENTS } from '../../platform/events.ts';
import { SOFTWARE } from '../../platform/software.ts';

export const runCloud = defineCommand({
  name: '',
  summary: 'Run the cloud until it is stopped (SIGTERM or Ctrl-C)',
  isService: true,
  examples: ['', 'HLID_CLOUD_PORT=0'],
  async run(_given, { environment, complain }) {
    const config = readConfig(environment);
    const log = createLog('cloud', config.logLevel);
    // Help and config check need not load what the cloud is made of.
    const { Cloud } = await import('../cloud.ts');
    const cloud = new Cloud(config, { log, clock: systemClock, showOnce: complain });
    const stopping = stopSignal();
    const urls = await cloud.start();
    // The parent process waits for this line, at any log level.
    log
      .child({}, { level: 'info' })
      .info({ event: EVENTS.ready, ...urls, dataDir: config.dataDir, software: SOFTWARE });
    log.info({ event: EVENTS.stopping, signal: await stopping });
    await cloud.stop();
    log.info({ event: EVENTS.stopped });
    return EXIT.done;
  },
});
