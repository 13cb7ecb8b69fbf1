import { DeviceKindSchema, DeviceStateSchema, isAlarm } from '@hlid/protocol/records/device';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { deviceAdvice } from '@hlid/protocol/words/device-advice/device-advice';
import { z } from 'zod';
import { type DeviceRef, isSiteWide } from '../health/device-ref.ts';

/** The fields that are shown: the daemon may have another version than this tool. */
const ReportedDeviceSchema = z.looseObject({
  kind: DeviceKindSchema,
  id: z.string(),
  state: DeviceStateSchema,
  since: z.string().nullish(),
  detail: z.string().default(''),
  lastError: z.looseObject({ at: z.string(), detail: z.string() }).nullish(),
});

/** The health of a device, as the running daemon reports it. */
export type ReportedDevice = z.infer<typeof ReportedDeviceSchema>;

/** The devices of a kind and state that this tool knows. */
export function readDevices(devices: readonly unknown[]): ReportedDevice[] {
  return devices.flatMap((device) => ReportedDeviceSchema.safeParse(device).data ?? []);
}

/** The id is left out where there is only one. */
export function deviceName(device: DeviceRef): string {
  const word = CODE_WORDS.en.deviceKind[device.kind];
  return isSiteWide(device) ? word : `${word} ${device.id}`;
}

/** The state, since when, and what to do about an alarm. */
export function deviceLines(device: ReportedDevice): string[] {
  const { kind, state, since, detail } = device;
  const what = [CODE_WORDS.en.deviceState[state], since && `since ${since}`].filter(Boolean).join(' ');
  const line = `${deviceName(device)}: ${what}${detail === '' ? '' : ` (${detail})`}`;
  return isAlarm(state) ? [line, `    ${deviceAdvice('en', kind, state)}`] : [line];
}
