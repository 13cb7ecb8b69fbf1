import { z } from 'zod';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';

const TriedSchema = z.object({ devices: z.array(z.object({ kind: z.string(), id: z.string() })) });

/** Has the running daemon log in again at devices that have refused it. */
export async function tryAgain(
  { device, json }: Extract<Command, { kind: 'try-again' }>,
  shell: Shell,
): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  if (!daemon) return 1;
  const answer = await askDaemon(daemon, shell, '/api/devices', { body: { action: 'try-again', device } });
  if (answer === null) return 1;
  const { devices } = TriedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ devices }));
  else if (devices.length === 0) shell.print('No device has refused a login.');
  else
    for (const { kind, id } of devices) shell.print(`${kind} ${id}: trying; status shows what comes of it`);
  return 0;
}
