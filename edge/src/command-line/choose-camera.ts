import { EXIT, type ExitCode, flag, operand, textOption } from '@hlid/protocol/command-line/command';
import { lanesOf } from '../config/camera-lanes.ts';
import { configPath, readConfig } from '../config/read-config.ts';
import { ONVIF_OPTIONS, type OnvifOptions } from '../onvif/onvif-options.ts';
import type { VendorPlates } from '../onvif/onvif-plate.ts';
import type { Shell } from './shell.ts';

/** The operand of a command for a camera of the configuration, or for any ONVIF device. */
export const CAMERA = operand('CAMERA', ': its id, or its address');

/** The options of such a command. */
export const DEVICE_OPTIONS = {
  user: textOption('NAME', 'of a device that is given by its address; HLID_ONVIF_PASSWORD is its password'),
  'self-signed': flag('accept an https certificate that nobody has signed'),
};

interface GivenCamera {
  operand: string;
  options: { user: string | null; 'self-signed': boolean };
}

/** A camera with ONVIF. */
export interface ChosenCamera {
  name: string;
  options: OnvifOptions;
  plates: VendorPlates[];
}

/** A camera that posts by itself. */
export interface PostingCamera {
  cameraId: string;
  laneIds: readonly string[];
}

/**
 * Runs a command for the camera that was given. Fails, with a complaint, where there is no such camera.
 *
 * @param runPosting for a camera that posts by itself; absent: such a camera is refused
 */
export async function withCamera(
  given: GivenCamera,
  shell: Shell,
  run: (camera: ChosenCamera) => Promise<ExitCode>,
  runPosting?: (camera: PostingCamera) => Promise<ExitCode>,
): Promise<ExitCode> {
  const chosen = chooseCamera(given, shell.environment);
  if (chosen.ok) return await run(chosen);
  if (chosen.posts && runPosting) return await runPosting(chosen.posts);
  shell.complain(chosen.message);
  return EXIT.failed;
}

type Choice =
  | ({ ok: true } & ChosenCamera)
  /** `posts`: the camera has no ONVIF, it posts by itself. */
  | { ok: false; message: string; posts?: PostingCamera };

/** Throws the Fault of a configuration that is not valid. */
function chooseCamera(
  { operand: camera, options: given }: GivenCamera,
  environment: Shell['environment'],
): Choice {
  const { user, 'self-signed': selfSigned } = given;
  if (/^https?:/.test(camera)) {
    const password = environment['HLID_ONVIF_PASSWORD'] ?? '';
    const read = ONVIF_OPTIONS.safeParse({ url: camera, user: user ?? '', password, selfSigned });
    if (!read.success) return { ok: false, message: `${camera} is not the address of a device` };
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
    const message = `camera ${camera} posts by itself and has no onvif section: use the address of its ONVIF service`;
    return { ok: false, message, posts };
  }
  const { plates, ...options } = found.onvif;
  return { ok: true, name: camera, options, plates };
}
