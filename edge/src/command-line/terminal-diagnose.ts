import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { isWell, printFound, withTerminal } from './configured-terminal.ts';
import type { Shell } from './shell.ts';

export const terminalDiagnose = defineCommand({
  name: 'terminal diagnose',
  summary: 'Test the card terminal: login, self-test, and whether it reports its latest payment',
  about: `No money moves. Stop the daemon first: a terminal has one connection at a time. If "tellsNewest" is not true, each payment
whose connection was cut waits for a person.`,
  examples: ['terminal diagnose'],
  run: ({ json }, shell: Shell) => diagnose(json, shell),
});

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
    ok: well,
    id,
    ...status,
    selfTest,
    reportsNewest: newest.kind !== 'unavailable',
    newest: newest.kind === 'transaction' ? newest.transaction.reference : null,
  };
  printFound(found, json, shell);
  return well ? EXIT.done : EXIT.failed;
}
