import { defineCommand, EXIT, type ExitCode, flag } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import { isWell, printFound, withTerminal } from './configured-terminal.ts';
import { deviceLines, type ReportedDevice, readDevices } from './reported-device.ts';
import type { Shell } from './shell.ts';

/** The fields that are shown: the daemon may have another version than this tool. */
const HealthSchema = z.looseObject({ devices: z.array(z.unknown()).default([]) });

export const terminalStatus = defineCommand({
  name: 'terminal status',
  summary: 'Show the state of the card terminal: connected, logged in, ready, busy',
  about: `${DAEMON_WORDS} Exit codes: 0 it is ready or busy; 1 it is not, or nothing answers.
--direct connects to the terminal of the configuration, while no daemon runs.`,
  options: { direct: flag('connect to the terminal, not to the daemon') },
  examples: ['terminal status', 'terminal status --direct'],
  run: ({ options, json }, shell: Shell) =>
    options.direct ? showTerminal(json, shell) : showReported(json, shell),
});

async function showTerminal(json: boolean, shell: Shell): Promise<ExitCode> {
  const shown = await withTerminal(shell, async (_driver, status) => status);
  if (typeof shown === 'number') return shown;
  printFound({ id: shown.id, ...shown.found }, json, shell);
  return isWell(shown.found.connection) ? EXIT.done : EXIT.failed;
}

/** Prints the terminal's state as the running daemon reports it. */
async function showReported(json: boolean, shell: Shell): Promise<ExitCode> {
  // 503: the daemon reports that it is failing.
  const answer = await callDaemon(shell, '/health', { accepts: [503] });
  if (answer === null) return EXIT.failed;
  const device = readDevices(HealthSchema.parse(answer).devices).find(({ kind }) => kind === 'terminal');
  if (!device) {
    shell.complain('The daemon has no card terminal: there is none in its configuration.');
    return EXIT.wrongUsage;
  }
  if (json) shell.print(JSON.stringify(device));
  else for (const line of [...deviceLines(device), ...lastErrorLines(device)]) shell.print(line);
  return device.state === 'ok' ? EXIT.done : EXIT.failed;
}

/** An error does not raise an alarm at once, but who sets up the terminal needs to see it. */
function lastErrorLines({ lastError, detail }: ReportedDevice): string[] {
  return lastError && lastError.detail !== detail
    ? [`    last error ${lastError.at}: ${lastError.detail}`]
    : [];
}
