import { isFault, messageOf } from '@hlid/protocol/fault';
import { systemClock } from './clock.ts';
import { createCloud } from './cloud.ts';
import { readConfig } from './config.ts';
import { EVENTS } from './events.ts';
import { createLog } from './log.ts';

/** Wrong configuration; nothing was started. */
const EXIT_CONFIG = 2;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const cloud = createCloud(config, {
    log,
    clock: systemClock,
    showOnce: (text) => process.stderr.write(`${text}\n`),
  });
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const { httpUrl, mqttUrl } = await cloud.start();
  // Whoever started the program waits for this line, at whatever level it logs.
  log.child({}, { level: 'info' }).info({ event: EVENTS.ready, httpUrl, mqttUrl, dataDir: config.dataDir });
  log.info({ event: EVENTS.stopping, signal: await asked });
  await cloud.stop();
  log.info({ event: EVENTS.stopped });
}

// What it writes is for nobody else on this machine: the database, its copies and the pictures name plates.
process.umask(0o077);
try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = isFault(error, 'config-invalid') ? EXIT_CONFIG : 1;
}
