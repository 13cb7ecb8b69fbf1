import { pause } from '@hlid/node/pause';
import type { LastResult } from '../terminal.ts';
import type { CommandRunner } from './dialogue.ts';
import { RESULT } from './result-codes.ts';
import { isBusy, problemOfCommand, runZvtCommand, type ZvtCommandResult } from './run-zvt-command.ts';
import { transactionOf } from './status-information.ts';
import { repeatReceipt } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** A busy terminal is asked again soon: a payment without its answer may need a person afterwards. */
const BUSY_TRIES = 3;
const BUSY_MS = 300;

/** 06 20 answers with the status-information of the newest transaction; not every terminal has that. */
export async function askNewestBooking(
  dialogues: CommandRunner,
  known: { terminalId: string | null },
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<LastResult> {
  const result = await askUnlessBusy(dialogues, options);
  const { end, facts } = result;
  if (end.kind !== 'completed') return { kind: 'unavailable', problem: problemOfCommand(result) };
  if (!facts) return { kind: 'unavailable', problem: 'the terminal does not report its newest transaction' };
  if (facts.resultCode === null) {
    return { kind: 'unavailable', problem: 'the terminal does not say how its newest transaction ended' };
  }
  // Its newest transaction came to nothing, so nothing was booked after it.
  if (facts.resultCode !== RESULT.ok) return { kind: 'none' };
  const transaction = transactionOf({ ...facts, terminalId: facts.terminalId ?? known.terminalId }, null);
  if (!transaction) return { kind: 'unavailable', problem: 'the terminal’s record is not complete' };
  return { kind: 'transaction', transaction, reversed: facts.originalTrace !== null };
}

async function askUnlessBusy(
  dialogues: CommandRunner,
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<ZvtCommandResult> {
  for (let tries = 1; ; tries++) {
    const result = await runZvtCommand(dialogues, repeatReceipt(options), options);
    if (!isBusy(result.end) || tries === BUSY_TRIES) return result;
    await pause(BUSY_MS);
  }
}
