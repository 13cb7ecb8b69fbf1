import { defineCommand, EXIT, type ExitCode, flag } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import { isWell, printFound, withTerminal } from './configured-terminal.ts';
import { deviceWords } from './device-words.ts';
import type { Shell } from './shell.ts';
import { type ToldDevice, toldDevices } from './told-device.ts';

/** As far as it is shown; the daemon may be of another version than this tool. */
const HealthSchema = z.looseObject({ devices: z.array(z.unknown()).default([]) });

export const terminalStatus = defineCommand({
  name: 'terminal status',
  summary: 'Show how the card terminal is: connected, logged in, ready, at work',
  about: `${DAEMON_WORDS} Exit codes: 0 it is ready or at work; 1 it is not, or nobody could be asked.
--direct asks the terminal of the configuration itself, while no daemon runs.`,
  options: { direct: flag('not by way of the daemon') },
  examples: ['terminal status', 'terminal status --direct'],
  run: ({ options, json }, shell: Shell) =>
    options.direct ? askTerminal(json, shell) : askAboutTerminal(json, shell),
});

async function askTerminal(json: boolean, shell: Shell): Promise<ExitCode> {
  const shown = await withTerminal(shell, async (_driver, status) => status);
  if (typeof shown === 'number') return shown;
  printFound({ id: shown.id, ...shown.found }, json, shell);
  return isWell(shown.found.connection) ? EXIT.done : EXIT.failed;
}

/** By the running daemon's word. */
async function askAboutTerminal(json: boolean, shell: Shell): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  // What is failing says so with 503.
  const answer = daemon && (await askDaemon(daemon, shell, '/health', { accepts: [503] }));
  if (answer === null) return EXIT.failed;
  const device = toldDevices(HealthSchema.parse(answer).devices).find(({ kind }) => kind === 'terminal');
  if (!device) {
    shell.complain('The daemon has no card terminal: its configuration names none.');
    return EXIT.wrongUsage;
  }
  if (json) shell.print(JSON.stringify(device));
  else for (const line of [...deviceWords(device), ...lastErrorWords(device)]) shell.print(line);
  return device.state === 'ok' ? EXIT.done : EXIT.failed;
}

/** An error is no alarm at once: whoever sets the terminal up sees it all the same. */
function lastErrorWords({ lastError, detail }: ToldDevice): string[] {
  return lastError && lastError.detail !== detail
    ? [`    last error ${lastError.at}: ${lastError.detail}`]
    : [];
}
