import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { isWell, printFound, withTerminal } from './configured-terminal.ts';
import type { Shell } from './shell.ts';

export const terminalDiagnose = defineCommand({
  name: 'terminal diagnose',
  summary: 'Try the card terminal: log in, its own diagnosis, what it remembers of its newest payment',
  about: `It moves no money. The daemon must not run: a terminal talks to one at a time.
"tellsNewest" must be true, or a payment whose line was cut waits for a person.`,
  examples: ['terminal diagnose'],
  run: ({ json }, shell: Shell) => diagnose(json, shell),
});

/** Logs in and tries what a site depends on; no money moves. */
async function diagnose(json: boolean, shell: Shell): Promise<ExitCode> {
  const shown = await withTerminal(shell, async (driver, status) => {
    const selfTest = (await driver.diagnose?.()) ?? null;
    const newest = await driver.lastResult();
    return { status, selfTest, newest, after: driver.status() };
  });
  if (typeof shown === 'number') return shown;
  const { id } = shown;
  const { status, selfTest, newest, after } = shown.found;
  const well = isWell(after.connection) && selfTest?.problem == null && newest.kind !== 'unavailable';
  const found = {
    ...{ ok: well, id, ...status, selfTest },
    tellsNewest: newest.kind !== 'unavailable',
    newest: newest.kind === 'transaction' ? newest.transaction.reference : null,
  };
  printFound(found, json, shell);
  return well ? EXIT.done : EXIT.failed;
}
