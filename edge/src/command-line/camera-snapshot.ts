import { writeFile } from 'node:fs/promises';
import { systemClock } from '@hlid/node/clock';
import { defineCommand, EXIT, type ExitCode, textOption } from '@hlid/protocol/command-line/command';
import { messageOf } from '@hlid/protocol/fault';
import { CAMERA_OPERAND, type ChosenDevice, chooseDevice, DEVICE_OPTIONS } from './choose-device.ts';
import type { Shell } from './shell.ts';

export const cameraSnapshot = defineCommand({
  name: 'camera snapshot',
  operand: CAMERA_OPERAND,
  summary: 'Write what a camera sees now into a file',
  about: 'CAMERA is a camera of the configuration that has onvif, or the address of any device’s service.',
  options: { out: textOption('FILE', 'where to'), ...DEVICE_OPTIONS },
  examples: ['camera snapshot cam-in-1 --out now.jpg'],
  run({ operand: camera, options, json }, shell: Shell) {
    const { user, out, 'self-signed': selfSigned } = options;
    const chosen = chooseDevice({ camera, user, selfSigned }, shell.environment);
    return writeSnapshot(chosen, { out, json, shell });
  },
});

async function writeSnapshot(
  chosen: ChosenDevice,
  { out, json, shell }: { out: string | null; json: boolean; shell: Shell },
): Promise<ExitCode> {
  if (!chosen.ok) {
    shell.complain(chosen.message);
    return EXIT.failed;
  }
  const { createOnvifSession } = await import('../onvif/onvif-session.ts');
  const { takeSnapshot } = await import('../onvif/snapshot.ts');
  const snapshot = await takeSnapshot(createOnvifSession(chosen.options, systemClock));
  if (!snapshot.ok) {
    shell.complain(`No picture of ${chosen.name}: ${snapshot.message}`);
    return EXIT.failed;
  }
  const { picture, contentType } = snapshot;
  const file = out ?? `${chosen.name}.${contentType.startsWith('image/png') ? 'png' : 'jpg'}`;
  try {
    await writeFile(file, picture);
  } catch (error) {
    shell.complain(`${file} cannot be written: ${messageOf(error)}`);
    return EXIT.failed;
  }
  const bytes = picture.length;
  shell.print(
    json ? JSON.stringify({ file, contentType, bytes }) : `${file} (${contentType}, ${bytes} bytes)`,
  );
  return EXIT.done;
}
