import {
  defineCommand,
  EXIT,
  type ExitCode,
  flag,
  operand,
  optionalOperand,
  textOption,
} from '@hlid/protocol/command-line/command';
import { MAX_EXIT_CLOSED_MINUTES } from '@hlid/protocol/records/gate-times';
import type { CommandAction } from '@hlid/protocol/site-link/commands';
import { z } from 'zod';
import type { GateCall } from '../local-api/technician-calls.ts';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import type { Shell } from './shell.ts';

const OutcomeSchema = z.enum(['done', 'refused', 'unreachable', 'unknown']);
const MovedSchema = z.object({ lanes: z.array(z.object({ laneId: z.string(), outcome: OutcomeSchema })) });

const OUTCOME_WORDS: Record<z.infer<typeof OutcomeSchema>, string> = {
  done: 'done',
  refused: 'refused by the gate: check user and password, and whether it can do this',
  unreachable: 'unreachable: nothing was done; status may show why',
  unknown: 'no answer: it may have moved',
};

const RECORDED = `${DAEMON_WORDS} It is recorded, with the reason.`;
const REASON = textOption('TEXT', 'the reason that is recorded');

export const gatePulse = defineCommand({
  name: 'gate pulse',
  operand: operand('LANE', '; gate list shows them'),
  summary: 'Open a gate once; the waiting car can leave, whatever it owes',
  about: RECORDED,
  options: { reason: REASON },
  examples: ['gate pulse in-1 --reason "test after the repair"'],
  check: ({ options }) => wrongReason(options.reason),
  run: ({ operand: laneId, options, json }, shell: Shell) =>
    moveGate({ action: 'open', laneId, reason: options.reason }, { json, shell }),
});

export const gateHold = gateMove('hold', {
  summary: 'Hold a gate open, until it is released',
  about: `${RECORDED} Cars are read and charged as usual.`,
  examples: ['gate hold --all --reason fire'],
});
export const gateClose = gateMove('close', {
  summary: `Keep a gate closed (an exit for ${MAX_EXIT_CLOSED_MINUTES} minutes at most), until it is released`,
  about: RECORDED,
  examples: ['gate close in-2 --reason "snow in the lane"'],
});
export const gateRelease = gateMove('release', {
  summary: 'Release a gate: back to automatic',
  about: RECORDED,
  examples: ['gate release --all'],
});

/** A command that moves one gate, or all of them. */
function gateMove(
  action: Exclude<CommandAction, 'open'>,
  texts: { summary: string; about: string; examples: string[] },
) {
  const name = `gate ${action}`;
  return defineCommand({
    name,
    operand: { ...optionalOperand('LANE'), word: 'LANE | --all' },
    ...texts,
    options: { all: flag('every lane'), reason: REASON },
    check({ operand: laneId, options }) {
      if (options.all && laneId !== null) return [`${name} takes a LANE or --all, not both`];
      if (!options.all && laneId === null) return [`${name} needs a LANE, or --all; gate list shows them`];
      return wrongReason(options.reason);
    },
    run: ({ operand: laneId, options, json }, shell: Shell) =>
      moveGate({ action, laneId, reason: options.reason }, { json, shell }),
  });
}

function wrongReason(reason: string | null): string[] {
  return reason !== null && reason.trim() === '' ? ['--reason is a reason in words'] : [];
}

/** Fails where a gate did not move. */
async function moveGate(
  { reason, ...call }: Omit<GateCall, 'reason'> & { reason: string | null },
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const body: GateCall = { ...call, reason: reason?.trim() ?? 'by a technician' };
  const answer = await callDaemon(shell, '/api/gates', { body });
  if (!answer) return EXIT.failed;
  const { lanes } = MovedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ lanes }));
  else for (const lane of lanes) shell.print(`${lane.laneId}: ${OUTCOME_WORDS[lane.outcome]}`);
  return lanes.every(({ outcome }) => outcome === 'done') ? EXIT.done : EXIT.failed;
}
