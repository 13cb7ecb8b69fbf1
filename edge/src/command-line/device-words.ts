import { isAlarm } from '@hlid/protocol/device';
import { DEVICE_KIND_WORDS, DEVICE_STATE_WORDS, deviceAdvice } from '@hlid/protocol/words/device-words';
import { type DeviceRef, isSiteWide } from '../health/device-ref.ts';
import type { ToldDevice } from './told-device.ts';

/** Of what there is only one, the id says nothing. */
export function deviceName(device: DeviceRef): string {
  const word = DEVICE_KIND_WORDS.en[device.kind];
  return isSiteWide(device) ? word : `${word} ${device.id}`;
}

/** How it is, since when, and what to do about it where it is not well. */
export function deviceWords(device: ToldDevice): string[] {
  const { kind, state, since, detail } = device;
  const what = [DEVICE_STATE_WORDS.en[state], since && `since ${since}`].filter(Boolean).join(' ');
  const line = `${deviceName(device)}: ${what}${detail === '' ? '' : ` (${detail})`}`;
  return isAlarm(state) ? [line, `    ${deviceAdvice('en', kind, state)}`] : [line];
}
