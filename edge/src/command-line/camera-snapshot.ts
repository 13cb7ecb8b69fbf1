import { writeFile } from 'node:fs/promises';
import { messageOf } from '@hlid/protocol/fault';
import { systemClock } from '../clock.ts';
import { createOnvifSession } from '../onvif/onvif-session.ts';
import { takeSnapshot } from '../onvif/snapshot.ts';
import { chooseDevice } from './choose-device.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';

/** Writes what a camera sees now into a file. */
export async function cameraSnapshot(
  { json, choice, out }: Extract<Command, { kind: 'camera-snapshot' }>,
  shell: Shell,
): Promise<ExitCode> {
  const chosen = chooseDevice(choice, shell.environment);
  if (!chosen.ok) {
    shell.complain(chosen.message);
    return 1;
  }
  const snapshot = await takeSnapshot(createOnvifSession(chosen.options, systemClock));
  if (!snapshot.ok) {
    shell.complain(`No picture of ${chosen.name}: ${snapshot.message}`);
    return 1;
  }
  const { picture, contentType } = snapshot;
  const file = out ?? `${chosen.name}.${contentType.startsWith('image/png') ? 'png' : 'jpg'}`;
  try {
    await writeFile(file, picture);
  } catch (error) {
    shell.complain(`${file} cannot be written: ${messageOf(error)}`);
    return 1;
  }
  const bytes = picture.length;
  shell.print(
    json ? JSON.stringify({ file, contentType, bytes }) : `${file} (${contentType}, ${bytes} bytes)`,
  );
  return 0;
}
