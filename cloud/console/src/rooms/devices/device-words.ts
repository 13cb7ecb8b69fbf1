import type { DeviceState } from '@hlid/protocol/records/device';
import type { Tone } from '@hlid/ui/badge';
import { CODES } from '../../words/codes.ts';
import { roomWords } from '../../words/words.ts';

export const WORDS = roomWords('devices').device;

export function stateName(state: DeviceState): string {
  return CODES.deviceState[state];
}

const PASSING: readonly DeviceState[] = ['backlog', 'clock-off', 'low', 'outdated', 'silent'];

export function stateTone(state: DeviceState): Tone {
  if (state === 'ok') return 'positive';
  if (state === 'unknown' || state === 'gone') return 'neutral';
  return PASSING.includes(state) ? 'caution' : 'negative';
}
