import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CheckedKindSchema } from '@hlid/protocol/site-link/commands';
import { type ActionRules, actionsFor, actionsSchema } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Device, isPosting } from './device.ts';

export const DEVICE_ACTION_NAMES = ['try-again', 'picture', 'screen'] as const;
export type DeviceAction = (typeof DEVICE_ACTION_NAMES)[number];

type DeviceFacts = Pick<Device, 'kind' | 'id'>;

/** The actions of a device of a site. The commands refuse by these rules before the site gets them. */
export const DEVICE_ACTIONS = {
  'try-again': {
    route: 'POST /sites/:id/devices/:kind/:device/try-again',
    refuse: (device: DeviceFacts) =>
      CheckedKindSchema.safeParse(device.kind).success &&
      !isPosting({ kind: device.kind, deviceId: device.id })
        ? null
        : mistake('device-not-checkable'),
  },
  picture: {
    route: 'POST /sites/:id/devices/camera/:device/snapshot',
    refuse: (device: DeviceFacts) =>
      device.kind === 'camera' && !isPosting({ kind: device.kind, deviceId: device.id })
        ? null
        : mistake('no-picture-source'),
  },
  screen: {
    route: 'POST /sites/:id/devices/kiosk/:device/snapshot',
    refuse: ({ kind }: DeviceFacts) => (kind === 'kiosk' ? null : mistake('no-picture-source')),
  },
} satisfies ActionRules<DeviceAction, DeviceFacts>;

export const DeviceActionsSchema = actionsSchema(DEVICE_ACTION_NAMES, DEVICE_ACTIONS);

/** The actions of the caller on a device of a site. */
export function actionsOfDevice(caller: Caller, siteId: string, device: DeviceFacts): DeviceAction[] {
  return actionsFor(DEVICE_ACTION_NAMES, DEVICE_ACTIONS, caller, { siteId }, device);
}
