import { setTimeout as pause } from 'node:timers/promises';
import type { LastResult } from '../terminal.ts';
import type { Dialogues } from './dialogue.ts';
import { type ErrandEnd, isBusy, problemOfErrand, runErrand } from './errand.ts';
import { RESULT } from './result-codes.ts';
import { transactionOf } from './status-information.ts';
import { repeatReceipt } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** A terminal at work for itself is asked again soon: whoever pays without its answer may need a person afterwards. */
const BUSY_TRIES = 3;
const BUSY_MS = 300;

/** 06 20 answers with the status-information of the newest transaction; not every terminal has that. */
export async function askNewestBooking(
  dialogues: Dialogues,
  known: { terminalId: string | null },
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<LastResult> {
  const errand = await askUnlessBusy(dialogues, options);
  const { end, facts } = errand;
  if (end.kind !== 'completed') return { kind: 'unavailable', problem: problemOfErrand(errand) };
  if (!facts) return { kind: 'unavailable', problem: 'the terminal does not tell its newest transaction' };
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
  dialogues: Dialogues,
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<ErrandEnd> {
  for (let tries = 1; ; tries++) {
    const errand = await runErrand(dialogues, repeatReceipt(options), options);
    if (!isBusy(errand.end) || tries === BUSY_TRIES) return errand;
    await pause(BUSY_MS);
  }
}
