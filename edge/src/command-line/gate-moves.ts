import {
  defineCommand,
  EXIT,
  type ExitCode,
  flag,
  operand,
  optionalOperand,
  textOption,
} from '@hlid/protocol/command-line/command';
import type { CommandAction } from '@hlid/protocol/commands';
import { z } from 'zod';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import type { Shell } from './shell.ts';

const OutcomeSchema = z.enum(['done', 'refused', 'unreachable', 'unknown']);
const MovedSchema = z.object({ lanes: z.array(z.object({ laneId: z.string(), outcome: OutcomeSchema })) });

const OUTCOME_WORDS: Record<z.infer<typeof OutcomeSchema>, string> = {
  done: 'done',
  refused: 'refused: the gate said no; are user and password right, and can it do that?',
  unreachable: 'unreachable: nothing was done; status may say why',
  unknown: 'no answer: it may have moved',
};

const RECORDED = `${DAEMON_WORDS} It is recorded, with the reason.`;
const WHY = textOption('TEXT', 'the reason that is recorded');

export const gatePulse = defineCommand({
  name: 'gate pulse',
  operand: operand('LANE', '; gate list shows them'),
  summary: 'Open a gate once; the car that waits there goes, whatever it owes',
  about: RECORDED,
  options: { why: WHY },
  examples: ['gate pulse in-1 --why "test after the repair"'],
  check: ({ options }) => wrongReason(options.why),
  run: ({ operand: laneId, options, json }, shell: Shell) =>
    moveGate({ action: 'open', laneId, why: options.why }, { json, shell }),
});

export const gateHold = gateMove('hold', {
  summary: 'Hold a gate open, until it is released',
  about: `${RECORDED} Cars are read and charged as ever.`,
  examples: ['gate hold --all --why fire'],
});
export const gateClose = gateMove('close', {
  summary: 'Keep a gate closed (an exit for 15 minutes at most), until it is released',
  about: RECORDED,
  examples: ['gate close in-2 --why "snow in the lane"'],
});
export const gateRelease = gateMove('release', {
  summary: 'Let go of a gate: back to automatic',
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
    options: { all: flag('every lane'), why: WHY },
    check({ operand: laneId, options }) {
      if (options.all && laneId !== null) return [`${name} takes a LANE or --all, not both`];
      if (!options.all && laneId === null) return [`${name} needs a LANE, or --all; gate list shows them`];
      return wrongReason(options.why);
    },
    run: ({ operand: laneId, options, json }, shell: Shell) =>
      moveGate({ action, laneId, why: options.why }, { json, shell }),
  });
}

function wrongReason(why: string | null): string[] {
  return why !== null && why.trim() === '' ? ['--why is a reason in words'] : [];
}

/** Has the running daemon move a gate, or all. Fails where one did not do it. */
async function moveGate(
  /** `laneId` null: every lane. */
  { action, laneId, why }: { action: CommandAction; laneId: string | null; why: string | null },
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const reason = why?.trim() ?? 'by a technician';
  const daemon = findDaemon(shell);
  if (!daemon) return EXIT.failed;
  const answer = await askDaemon(daemon, shell, '/api/gates', { body: { action, laneId, why: reason } });
  if (!answer) return EXIT.failed;
  const { lanes } = MovedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ lanes }));
  else for (const lane of lanes) shell.print(`${lane.laneId}: ${OUTCOME_WORDS[lane.outcome]}`);
  return lanes.every(({ outcome }) => outcome === 'done') ? EXIT.done : EXIT.failed;
}
