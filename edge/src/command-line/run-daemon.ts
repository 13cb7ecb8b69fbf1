import { once } from 'node:events';
import { Fault, isFault } from '@hlid/protocol/fault';
import { systemClock } from '../clock.ts';
import { createEdge } from '../edge.ts';
import { LOG_EVENTS } from '../events.ts';
import { createLog } from '../log.ts';
import { readConfig } from '../read-config.ts';
import { SOFTWARE } from '../software.ts';
import { within } from '../within.ts';
import type { ExitCode, Shell } from './shell.ts';

/** How long the daemon may take to put its things in order when it is told to stop. */
const STOPPED_WITHIN_MS = 10_000;

/**
 * Runs the daemon until SIGTERM or SIGINT. Throws Fault 'config-invalid' where it is told something that cannot be: a
 * file with mistakes, a port that is taken.
 */
export async function runDaemon(environment: Shell['environment']): Promise<ExitCode> {
  const config = readConfig(environment);
  const log = createLog(config.logLevel);
  // Listened for from the beginning: a signal that comes while the daemon starts is not lost.
  const told = Promise.race(
    (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      await once(process, signal);
      return signal;
    }),
  );
  // What nobody expected ends the process, as it should; the log says why.
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ event: LOG_EVENTS.edgeFailed, err: error }));
  try {
    const edge = createEdge(config, { log, clock: systemClock });
    try {
      const urls = await edge.start();
      // At whatever level: whoever started it waits for this line.
      log.child({}, { level: 'info' }).info({ event: LOG_EVENTS.edgeReady, ...urls, software: SOFTWARE });
      log.info({ event: LOG_EVENTS.edgeStopping, signal: await told });
    } finally {
      await within(edge.stop(), STOPPED_WITHIN_MS, () => {
        throw new Fault('deadline-passed', `not stopped within ${STOPPED_WITHIN_MS} ms`);
      });
    }
    log.info({ event: LOG_EVENTS.edgeStopped });
    return 0;
  } catch (error) {
    if (isFault(error, 'config-invalid')) throw error;
    log.fatal({ event: LOG_EVENTS.edgeFailed, err: error });
    return 1;
  }
}
