import { defineCommand, EXIT, type ExitCode, optionalOperand } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import type { DeviceCall } from '../local-api/technician-calls.ts';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import type { Shell } from './shell.ts';

const TriedSchema = z.object({ devices: z.array(z.object({ kind: z.string(), id: z.string() })) });

export const cameraTryAgain = defineCommand({
  name: 'camera try-again',
  operand: optionalOperand('CAMERA'),
  summary: 'Log in again to a device that has refused the login',
  about: `The daemon retries a refused login only every half an hour, so that the device does not lock it out. Use this when
the password was wrong in the device; when it was wrong in the configuration, restart the daemon. ${DAEMON_WORDS}
Without a CAMERA: every device that has refused, gates too.`,
  examples: ['camera try-again cam-in-1', 'camera try-again'],
  run: ({ operand: id, json }, shell: Shell) =>
    tryAgain(id === null ? null : { kind: 'camera', id }, { json, shell }),
});

export const gateTryAgain = defineCommand({
  name: 'gate try-again',
  operand: optionalOperand('LANE'),
  summary: 'Connect to a gate again, also where it has refused the login',
  about: `See camera try-again. No gate moves. A gate that was repaired and can be reached loses its alarm.
Without a LANE: every device that has refused, cameras too.`,
  examples: ['gate try-again in-1', 'gate try-again'],
  run: ({ operand: id, json }, shell: Shell) =>
    tryAgain(id === null ? null : { kind: 'gate', id }, { json, shell }),
});

/** @param device null: every device that has refused a login */
async function tryAgain(
  device: { kind: 'camera' | 'gate'; id: string } | null,
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const body: DeviceCall = { action: 'try-again', device };
  const answer = await callDaemon(shell, '/api/devices', { body });
  if (answer === null) return EXIT.failed;
  const { devices } = TriedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ devices }));
  else if (devices.length === 0) shell.print('No device has refused a login.');
  else for (const { kind, id } of devices) shell.print(`${kind} ${id}: trying; status shows the result`);
  return EXIT.done;
}
