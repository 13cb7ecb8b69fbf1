import { flag, operand, textOption } from '@hlid/protocol/command-line/command';
import { lanesOf } from '../camera/camera-lanes.ts';
import type { VendorPlates } from '../camera/onvif-plate.ts';
import { ONVIF_OPTIONS, type OnvifOptions } from '../onvif/onvif-options.ts';
import { configPath, readConfig } from '../read-config.ts';
import type { Shell } from './shell.ts';

/** A camera of the configuration by its id, or any device by the address of its service. */
interface DeviceChoice {
  camera: string;
  user: string | null;
  selfSigned: boolean;
}

/** The options of a command for a device that is given by its address. */
export const DEVICE_OPTIONS = {
  user: textOption(
    'NAME',
    'of a device that is given by its address; its password is in HLID_ONVIF_PASSWORD',
  ),
  'self-signed': flag('its https certificate need not be trusted'),
};

export const CAMERA_OPERAND = operand('CAMERA', ': its id, or its address');

export type ChosenDevice =
  | { ok: true; name: string; options: OnvifOptions; plates: VendorPlates[] }
  /** For people; with the id and the lanes of a camera that cannot be asked, as it posts by itself. */
  | { ok: false; message: string; posts?: { cameraId: string; laneIds: readonly string[] } };

/** The device that a technician means. Throws the Fault of a configuration that is not right. */
export function chooseDevice(choice: DeviceChoice, environment: Shell['environment']): ChosenDevice {
  const { camera, user, selfSigned } = choice;
  if (/^https?:/.test(camera)) {
    const password = environment['HLID_ONVIF_PASSWORD'] ?? '';
    const read = ONVIF_OPTIONS.safeParse({ url: camera, user: user ?? '', password, selfSigned });
    if (!read.success) return { ok: false, message: `${camera} is no address of a device` };
    return { ok: true, name: new URL(camera).hostname, options: read.data, plates: [] };
  }
  const { cameras } = readConfig(environment);
  const found = cameras.find(({ id }) => id === camera);
  if (!found) {
    const ids = cameras.map(({ id }) => id).join(', ');
    return {
      ok: false,
      message: `${configPath(environment)} has no camera ${camera}; it has: ${ids || 'none'}`,
    };
  }
  if (!found.onvif) {
    const posts = { cameraId: camera, laneIds: lanesOf(found) };
    const message = `camera ${camera} posts by itself and has no onvif; give the address of its ONVIF service instead`;
    return { ok: false, message, posts };
  }
  const { plates, ...options } = found.onvif;
  return { ok: true, name: camera, options, plates };
}
