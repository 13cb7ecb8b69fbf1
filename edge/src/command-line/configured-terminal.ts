import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import { readConfig } from '../read-config.ts';
import type { Terminal, TerminalConnection, TerminalStatus } from '../terminal/terminal.ts';
import { createTerminal } from '../terminal/terminal-kinds.ts';
import type { Shell } from './shell.ts';

const PATIENCE_MS = 20_000;

/** One thing a line; what is not there is left out of words. */
export function printFound(said: object, json: boolean, shell: Shell): void {
  if (json) {
    shell.print(JSON.stringify(said));
    return;
  }
  for (const [name, value] of Object.entries(said)) {
    if (value === null || value === '') continue;
    if (Array.isArray(value)) for (const line of value) shell.print(`  ${line}`);
    else if (typeof value === 'object') printFound(value, json, shell);
    else shell.print(`${name}: ${value}`);
  }
}

export function isWell(connection: TerminalConnection): boolean {
  return connection === 'CONNECTED' || connection === 'ACTIVE';
}

/** Asks the terminal of the configuration; an exit code, with a complaint, where there is none, or a daemon has it. */
export async function withTerminal<T>(
  shell: Shell,
  look: (driver: Terminal, status: TerminalStatus) => Promise<T>,
): Promise<{ id: string; found: T } | ExitCode> {
  const config = readConfig(shell.environment);
  if (config.terminal === null) {
    shell.complain('The configuration names no card terminal.');
    return EXIT.wrongUsage;
  }
  if (await isAnswering(config.dataDir)) {
    shell.complain(
      'The daemon runs, and a terminal talks to one at a time: stop it, or ask terminal status.',
    );
    return EXIT.failed;
  }
  const { dataDir, site } = config;
  const parts = { dataDir, currency: site.currency, clock: systemClock, log: createLog('edge', 'silent') };
  const driver = createTerminal(config.terminal, parts);
  const settled = whenSettled(driver);
  driver.start();
  try {
    return { id: config.terminal.id, found: await look(driver, await settled) };
  } finally {
    await driver.stop();
  }
}

/** The status once the driver has come as far as it comes: ready, refused, or still nobody there after a while. */
function whenSettled(driver: Terminal): Promise<TerminalStatus> {
  return new Promise((resolve) => {
    const timer = setTimeout(settle, PATIENCE_MS);
    const forget = driver.onStatus(({ connection, problem }) => {
      if (connection === 'CONNECTED' || connection === 'LOGINFAILED') settle();
      else if (problem !== null && connection !== 'ACTIVE') settle();
    });
    function settle(): void {
      clearTimeout(timer);
      forget();
      resolve(driver.status());
    }
  });
}

/** A key that a killed daemon has left behind is nobody's. */
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
