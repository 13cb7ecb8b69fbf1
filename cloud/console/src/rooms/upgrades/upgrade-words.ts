import type { RolloutOutcome, RolloutState } from '@hlid/cloud/records/rollouts/rollout-words';
import type { SkipReason } from '@hlid/cloud/sites/rollouts/rollout-state';
import type { Tone } from '@hlid/ui/badge';
import { roomWords } from '../../words/words.ts';
import { GROUPS, type GroupCounts, groupOf, type RolloutGroup } from './rollout-groups.ts';

export const WORDS = roomWords('upgrades').upgrade;

const GROUP_TONES: Readonly<Record<RolloutGroup, Tone>> = {
  failed: 'negative',
  'under-way': 'accent',
  waiting: 'neutral',
  done: 'positive',
  withdrawn: 'neutral',
};
const STATE_TONES: Readonly<Record<RolloutState, Tone>> = {
  running: 'accent',
  paused: 'caution',
  done: 'positive',
  ended: 'neutral',
};

export function outcomeTone(outcome: RolloutOutcome): Tone {
  return outcome === 'skipped' ? 'caution' : GROUP_TONES[groupOf(outcome)];
}

export function stateTone(state: RolloutState): Tone {
  return STATE_TONES[state];
}

/** `4 done, 2 under way`: the groups that have sites. */
export function countsText(counts: GroupCounts): string {
  const parts = GROUPS.filter((group) => counts[group] > 0);
  return parts.map((group) => WORDS.counted[group]({ count: counts[group] })).join(', ');
}

export function reasonText({ outcome, reason }: { outcome: RolloutOutcome; reason: string | null }): string {
  return outcome === 'skipped' && isSkip(reason) ? WORDS.skips[reason] : (reason ?? '');
}

function isSkip(reason: string | null): reason is SkipReason {
  return reason !== null && reason in WORDS.skips;
}

/** The caller's name. @param by as the API has it: `account:<id>`, or `cloud:command-line` */
export function callerText(by: string | null, byName: string | null): string {
  return byName ?? (by?.startsWith('cloud:') ? WORDS.commandLine : WORDS.goneAccount);
}
