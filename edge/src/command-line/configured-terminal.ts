import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { readConfig } from '../config/read-config.ts';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import type { Terminal, TerminalConnection, TerminalStatus } from '../terminal/terminal.ts';
import { createTerminal } from '../terminal/terminal-kinds.ts';
import type { Shell } from './shell.ts';

const SETTLE_TIMEOUT_MS = 20_000;

/** Prints what was found: as JSON, or one value a line without the empty ones. */
export function printFound(found: object, json: boolean, shell: Shell): void {
  if (json) {
    shell.print(JSON.stringify(found));
    return;
  }
  for (const [name, value] of Object.entries(found)) {
    if (value === null || value === '') continue;
    if (Array.isArray(value)) for (const line of value) shell.print(`  ${line}`);
    else if (typeof value === 'object') printFound(value, json, shell);
    else shell.print(`${name}: ${value}`);
  }
}

export function isWell(connection: TerminalConnection): boolean {
  return connection === 'CONNECTED' || connection === 'ACTIVE';
}

/** Connects to the configured terminal; an exit code, with a complaint, where there is none, or a daemon uses it. */
export async function withTerminal<T>(
  shell: Shell,
  use: (driver: Terminal, status: TerminalStatus) => Promise<T>,
): Promise<{ id: string; found: T } | ExitCode> {
  const config = readConfig(shell.environment);
  if (config.terminal === null) {
    shell.complain('There is no card terminal in the configuration.');
    return EXIT.wrongUsage;
  }
  if (await isAnswering(config.dataDir)) {
    shell.complain(
      'The daemon runs, and a terminal has one connection at a time: stop it, or use terminal status.',
    );
    return EXIT.failed;
  }
  const { dataDir, site } = config;
  const parts = { dataDir, currency: site.currency, clock: systemClock, log: createLog('edge', 'silent') };
  const driver = createTerminal(config.terminal, parts);
  const settled = whenSettled(driver);
  driver.start();
  try {
    return { id: config.terminal.id, found: await use(driver, await settled) };
  } finally {
    await driver.stop();
  }
}

/** The status when the driver is ready, was refused, or has found nothing after a while. */
function whenSettled(driver: Terminal): Promise<TerminalStatus> {
  return new Promise((resolve) => {
    const timer = setTimeout(settle, SETTLE_TIMEOUT_MS);
    const unsubscribe = driver.onStatus(({ connection, problem }) => {
      if (connection === 'CONNECTED' || connection === 'LOGINFAILED') settle();
      else if (problem !== null && connection !== 'ACTIVE') settle();
    });
    function settle(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve(driver.status());
    }
  });
}

/** A killed daemon leaves its key behind. */
async function isAnswering(dataDir: string): Promise<boolean> {
  const key = readTechnicianKey(dataDir);
  if (!key) return false;
  try {
    await fetch(new URL('/health', key.url), { signal: AbortSignal.timeout(2000) });
    return true;
  } catch {
    return false;
  }
}
