import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { pause } from '@hlid/node/pause';
import { stopSignal } from '@hlid/node/stop-signal';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { isFault } from '@hlid/protocol/base/fault';
import { EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { SOFTWARE } from '../base/software.ts';
import type { EdgeConfig } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { Edge } from '../daemon/edge.ts';
import type { Shell } from './shell.ts';

/** A disk that damages database after database gets new ones slowly; meanwhile gates open as without a disk. */
const REPLACE_EVERY_MS = 20 * MINUTE_MS;

/**
 * Runs the daemon until SIGTERM or SIGINT. Throws Fault 'config-invalid' where the configuration has mistakes, or names
 * a port that is in use.
 */
export async function runDaemon(environment: Shell['environment']): Promise<ExitCode> {
  const config = readConfig(environment);
  const log = createLog('edge', config.logLevel);
  // Signals are caught from the beginning: one that comes while the daemon starts is not lost.
  const stopping = stopSignal();
  // An unexpected error ends the process; the log has the reason.
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ event: LOG_EVENTS.edgeFailed, err: error }));
  try {
    await runEdges(config, { log, stopping });
    log.info({ event: LOG_EVENTS.edgeStopped });
    return EXIT.done;
  } catch (error) {
    if (isFault(error, 'config-invalid')) throw error;
    log.fatal({ event: LOG_EVENTS.edgeFailed, err: error });
    return EXIT.failed;
  }
}

/**
 * Runs the edge until a signal comes, and starts it again when its database must be replaced. The ports
 * stay the same, since cameras and kiosks use them.
 */
async function runEdges(
  first: EdgeConfig,
  { log, stopping }: { log: Logger; stopping: Promise<NodeJS.Signals> },
): Promise<void> {
  let config = first;
  for (;;) {
    const startedAt = performance.now();
    const edge = new Edge(config, { log, clock: systemClock });
    const replacing = new AbortController();
    try {
      const urls = await edge.start();
      // The line is written at every log level: the program that started the daemon waits for it.
      log.child({}, { level: 'info' }).info({ event: LOG_EVENTS.edgeReady, ...urls, software: SOFTWARE });
      const replaced = edge.databaseChanged.then(async () => {
        const waitMs = Math.max(0, startedAt + REPLACE_EVERY_MS - performance.now());
        // The first replacement is not delayed.
        if (config !== first) await pause(waitMs, { signal: replacing.signal });
        return null;
      });
      const signal = await Promise.race([stopping, replaced]);
      log.info({ event: LOG_EVENTS.edgeStopping, signal });
      config = {
        ...config,
        edgePort: portOf(urls.localUrl),
        cameraPort: portOf(urls.cameraUrl),
        ...(config.cameraTls &&
          urls.cameraTlsUrl !== null && {
            cameraTls: { ...config.cameraTls, port: portOf(urls.cameraTlsUrl) },
          }),
      };
      if (signal !== null) return;
    } finally {
      replacing.abort();
      await edge.stop();
    }
  }
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === 'https:' ? 443 : 80));
}
