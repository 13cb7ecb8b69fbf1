import { z } from 'zod';
import { systemClock } from '../clock.ts';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import { createLog } from '../log.ts';
import { readConfig } from '../read-config.ts';
import type { Terminal, TerminalConnection, TerminalStatus } from '../terminal/terminal.ts';
import { createTerminal } from '../terminal/terminal-kinds.ts';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import { deviceWords } from './device-words.ts';
import type { ExitCode, Shell } from './shell.ts';
import { type ToldDevice, toldDevices } from './told-device.ts';

const PATIENCE_MS = 20_000;

/** As far as it is shown; the daemon may be of another version than this tool. */
const HealthSchema = z.looseObject({ devices: z.array(z.unknown()).default([]) });

/** Says how the card terminal is, by the running daemon's word or the terminal's own. */
export async function terminalStatus(
  { direct, json }: Extract<Command, { kind: 'terminal-status' }>,
  shell: Shell,
): Promise<ExitCode> {
  if (direct) {
    const shown = await withTerminal(shell, async (_driver, status) => status);
    if (shown === null) return 2;
    tell({ id: shown.id, ...shown.found }, json, shell);
    return isWell(shown.found.connection) ? 0 : 1;
  }
  const daemon = findDaemon(shell);
  // What is failing says so with 503.
  const answer = daemon && (await askDaemon(daemon, shell, '/health', { accepts: [503] }));
  if (answer === null) return 2;
  const device = toldDevices(HealthSchema.parse(answer).devices).find(({ kind }) => kind === 'terminal');
  if (!device) {
    shell.complain('The daemon has no card terminal: its configuration names none.');
    return 2;
  }
  if (json) shell.print(JSON.stringify(device));
  else for (const line of [...deviceWords(device), ...lastErrorWords(device)]) shell.print(line);
  return device.state === 'ok' ? 0 : 1;
}

/** An error is no alarm at once: whoever sets the terminal up sees it all the same. */
function lastErrorWords({ lastError, detail }: ToldDevice): string[] {
  return lastError && lastError.detail !== detail
    ? [`    last error ${lastError.at}: ${lastError.detail}`]
    : [];
}

/** Logs in at the terminal and tries what a site depends on; no money moves. */
export async function terminalDiagnose(
  { json }: Extract<Command, { kind: 'terminal-diagnose' }>,
  shell: Shell,
): Promise<ExitCode> {
  const shown = await withTerminal(shell, async (driver, status) => {
    const selfTest = (await driver.diagnose?.()) ?? null;
    const newest = await driver.lastResult();
    return { status, selfTest, newest, after: driver.status() };
  });
  if (shown === null) return 2;
  const { id } = shown;
  const { status, selfTest, newest, after } = shown.found;
  const well = isWell(after.connection) && selfTest?.problem == null && newest.kind !== 'unavailable';
  const found = {
    ...{ ok: well, id, ...status, selfTest },
    tellsNewest: newest.kind !== 'unavailable',
    newest: newest.kind === 'transaction' ? newest.transaction.reference : null,
  };
  tell(found, json, shell);
  return well ? 0 : 1;
}

/** One thing a line; what is not there is left out of words. */
function tell(said: object, json: boolean, shell: Shell): void {
  if (json) {
    shell.print(JSON.stringify(said));
    return;
  }
  for (const [name, value] of Object.entries(said)) {
    if (value === null || value === '') continue;
    if (Array.isArray(value)) for (const line of value) shell.print(`  ${line}`);
    else if (typeof value === 'object') tell(value, json, shell);
    else shell.print(`${name}: ${value}`);
  }
}

function isWell(connection: TerminalConnection): boolean {
  return connection === 'CONNECTED' || connection === 'ACTIVE';
}

/** Null, with a complaint, where there is no terminal, or a daemon has it. */
async function withTerminal<T>(
  shell: Shell,
  look: (driver: Terminal, status: TerminalStatus) => Promise<T>,
): Promise<{ id: string; found: T } | null> {
  const config = readConfig(shell.environment);
  if (config.terminal === null) {
    shell.complain('The configuration names no card terminal.');
    return null;
  }
  if (await isAnswering(config.dataDir)) {
    shell.complain(
      'The daemon runs, and a terminal talks to one at a time: stop it, or ask terminal status.',
    );
    return null;
  }
  const { dataDir, site } = config;
  const parts = { dataDir, currency: site.currency, clock: systemClock, log: createLog('silent') };
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
