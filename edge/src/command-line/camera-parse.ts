import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument } from '@hlid/protocol/plate-read';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Prints what the daemon makes of a camera's document. */
export async function cameraParse(
  { format, file, serial, contentType, timeZone }: Extract<Command, { kind: 'camera-parse' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  let body: Uint8Array;
  try {
    body = file === '-' ? await buffer(terminal.input) : await readFile(file);
  } catch (error) {
    terminal.complain(`${file} cannot be read: ${messageOf(error)}`);
    return 1;
  }
  const headers = {
    ...(serial !== null && { 'survision-serial-number': serial }),
    ...(contentType !== null && { 'content-type': contentType }),
  };
  const parsed = CAMERA_FORMATS[format].parse(body, { headers, ...(timeZone !== null && { timeZone }) });
  if (!parsed.ok) {
    terminal.complain(`Refused (${parsed.refusal.reason}): ${parsed.refusal.message}`);
    return 1;
  }
  terminal.print(JSON.stringify(outlineOf(parsed.document)));
  return 0;
}

/** A document without its pictures, and without what only the daemon needs. */
function outlineOf({ reads, heartbeat }: CameraDocument): object {
  return {
    reads: reads.map((read) => ({
      plate: read.plate,
      score: read.score,
      country: read.country,
      direction: read.direction,
      capturedAt: read.capturedAt,
      eventKey: read.eventKey,
      candidates: read.candidates,
      late: read.late,
      parked: read.parked,
    })),
    heartbeat,
  };
}
