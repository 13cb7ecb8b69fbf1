import type { DeviceState } from '@hlid/protocol/records/device';
import { DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import type { Tone } from '../../ui/badge.tsx';
import { LANGUAGE, roomWords } from '../../words/words.ts';

export const WORDS = roomWords('devices').device;

export function stateName(state: DeviceState): string {
  return DEVICE_STATE_WORDS[LANGUAGE][state];
}

const PASSING: readonly DeviceState[] = ['backlog', 'clock-off', 'low', 'outdated', 'silent'];

export function stateTone(state: DeviceState): Tone {
  if (state === 'ok') return 'positive';
  if (state === 'unknown' || state === 'gone') return 'neutral';
  return PASSING.includes(state) ? 'caution' : 'negative';
}
