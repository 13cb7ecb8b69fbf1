import { writeFile } from 'node:fs/promises';
import { systemClock } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { defineCommand, EXIT, type ExitCode, textOption } from '@hlid/protocol/command-line/command';
import { CAMERA, type ChosenCamera, DEVICE_OPTIONS, withCamera } from './choose-camera.ts';
import type { Shell } from './shell.ts';

export const cameraSnapshot = defineCommand({
  name: 'camera snapshot',
  operand: CAMERA,
  summary: 'Write what a camera sees now into a file',
  about:
    'CAMERA is a camera of the configuration that has an onvif section, or the address of any device’s service.',
  options: { out: textOption('FILE', 'the file to write'), ...DEVICE_OPTIONS },
  examples: ['camera snapshot cam-in-1 --out now.jpg'],
  run: (given, shell: Shell) =>
    withCamera(given, shell, (camera) =>
      writeSnapshot(camera, { out: given.options.out, json: given.json, shell }),
    ),
});

async function writeSnapshot(
  { name, options }: ChosenCamera,
  { out, json, shell }: { out: string | null; json: boolean; shell: Shell },
): Promise<ExitCode> {
  const { OnvifSession } = await import('../onvif/onvif-session.ts');
  const { takeSnapshot } = await import('../onvif/snapshot.ts');
  const snapshot = await takeSnapshot(new OnvifSession(options, systemClock));
  if (!snapshot.ok) {
    shell.complain(`No picture of ${name}: ${snapshot.message}`);
    return EXIT.failed;
  }
  const { picture, contentType } = snapshot;
  const file = out ?? `${name}.${contentType.startsWith('image/png') ? 'png' : 'jpg'}`;
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
