import { defineCommand, EXIT, type ExitCode, optionalOperand } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import type { Shell } from './shell.ts';

const TriedSchema = z.object({ devices: z.array(z.object({ kind: z.string(), id: z.string() })) });

export const cameraTryAgain = defineCommand({
  name: 'camera try-again',
  operand: optionalOperand('CAMERA'),
  summary: 'Log in again at a device that has refused the login, now that it is right',
  about: `By itself the daemon tries a refused login only every half an hour, so that the device does not lock us out. For a
password that was wrong in the device; one that was wrong in the configuration wants the daemon started again. ${DAEMON_WORDS}
Without a CAMERA: every device that has refused, gates too.`,
  examples: ['camera try-again cam-in-1', 'camera try-again'],
  run: ({ operand: id, json }, shell: Shell) =>
    tryAgain(id === null ? null : { kind: 'camera', id }, { json, shell }),
});

export const gateTryAgain = defineCommand({
  name: 'gate try-again',
  operand: optionalOperand('LANE'),
  summary: 'Log in again at a gate that has refused the login, now that it is right',
  about: `As camera try-again does; no gate moves by that. A relay that can be asked nothing is tried when it is next to move.
Without a LANE: every device that has refused, cameras too.`,
  examples: ['gate try-again in-1', 'gate try-again'],
  run: ({ operand: id, json }, shell: Shell) =>
    tryAgain(id === null ? null : { kind: 'gate', id }, { json, shell }),
});

/** @param device null: every one that has refused a login */
async function tryAgain(
  device: { kind: 'camera' | 'gate'; id: string } | null,
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  if (!daemon) return EXIT.failed;
  const answer = await askDaemon(daemon, shell, '/api/devices', { body: { action: 'try-again', device } });
  if (answer === null) return EXIT.failed;
  const { devices } = TriedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ devices }));
  else if (devices.length === 0) shell.print('No device has refused a login.');
  else
    for (const { kind, id } of devices) shell.print(`${kind} ${id}: trying; status shows what comes of it`);
  return EXIT.done;
}
